import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splitSentences } from '../../src/text/split-sentences.ts';

/** What the text shows, the text, its sentences. */
type Row = [what: string, text: string, sentences: string[]];

const ABBREVIATIONS: Row[] = [
  one('et al.', 'We extend the model of Lindqvist et al. with a second pool.'),
  one('et al. before a year', 'This follows Lindqvist et al. (2004) and Moreau et al. 2009.'),
  two('et al. at the end', 'The first proof was by Okafor et al.', 'We give a shorter one.'),
  one('e.g.', 'Some salts, e.g. NaCl, dissolve; others (e.g. Barium sulphate) do not.'),
  one('i.e.', 'The slower arm, i.e. (ii) of the scheme, was dropped, i.e. Never run.'),
  one('Fig. and Figs.', 'As Fig. 2 and Figs. 3 and 4 show (Fig. S1), growth stops.'),
  one('Eq.', 'Inserting Eq. (3) into Eqs. (4) and (5) gives the bound.'),
  one('ref.', 'The receptor (ref. 8) binds both (refs. 9,10).'),
  one('vs.', 'Yields were 31.5 vs. 28.2 and vs. Control plots 12.'),
  one('vs. before a sign', 'The balance was -1941 vs. +1755 mL (4 vs. <2 days).'),
  one('approx. and ca.', 'It lasts approx. 3 h at ca. 5 degrees.'),
  one('titles', 'Dr. Haddad, Prof. Lund and Mrs. Ito met at St. Mary.'),
  one('No. before a number', 'Strain No. 5 grew like No. 12.'),
  two('no as a word', 'The answer is no.', 'Then the second question comes up.'),
  one('pages and volumes', 'See vol. 3, pp. 10-12, of Sept. 2014.'),
  two('a month at the end', 'The survey closed in Aug.', 'The second began in May.'),
  one('company', 'Plates came from Verdant Instruments Inc. Bergen and Ostrava Ltd. Brno.'),
  one('U.S. inside', 'In the U.S. women and U.S. Army clerks were asked.'),
  two('U.S. at the end', 'The trial ran in the U.S.', 'The second arm was abroad.'),
  one('Ph.D. inside', 'She holds a Ph.D. in botany and a Ph.D. Fellowship.'),
  two('Ph.D. at the end', 'Five had a Ph.D.', 'None of them taught.'),
  one('a.m. inside', 'Samples at 9 a.m. and 5 p.m. 3 times a week.'),
  two('a.m. at the end', 'Doors open at 9 a.m.', 'Visitors wait outside.'),
  two('etc.', 'Roots, stems, etc. were dried, as were leaves, etc.', 'Weights follow.'),
  one('in brackets', 'Leaves (Ficus alba L.) fed the moths (ants, beetles, etc.) in June.'),
  one('an unknown one before a lower-case word', 'Mean temp. of the melt rose, then fell.'),
];

const NAMES: Row[] = [
  one('initials', 'The test of R. A. Fisher was revised by J. Smith and J.R.R. Tamm.'),
  one('species', 'H. pylori, S. cerevisiae and S. Typhi were grown; An. gambiae was not.'),
  two('sp.', 'Only Nostoc sp. was found with two Anabaena spp.', 'The others were lost.'),
  two('a lettered noun', 'Rats need no vitamin C.', 'They make it in the liver.'),
  two('a temperature', 'Tubes were kept at 37°C.', 'The lid stayed shut.'),
  two('a small gene', 'Stress stabilises the protein.', 'p53 is the first to respond.'),
  two('a small transcript', 'Cells were lysed.', 'mRNA was counted.'),
  two('a hyphenated gene', 'We cloned it.', 'c-Maf binds the site.'),
  two('a Greek letter', 'Plaques hold two proteins.', 'α-Synuclein is one.'),
  two('a spelled Greek letter', 'Two forms are known.', 'gamma-Tocopherol is rare.'),
  two('a number', 'We screened the records.', '31 studies were kept.'),
  two('a Greek end', 'Cells released TNF-α.', 'Treatment stopped it.'),
  two('chemistry', 'Yield doubled.', '[32P]-ATP was the label.'),
];

const NUMBERS: Row[] = [
  one('decimals', 'The slope was 0.75 and not .5 or 1.25.'),
  two('p values', 'It fell (p < 0.05; P = .03).', 'It then rose.'),
  one('plus or minus', 'The mean was 1.4 +/- 0.24 versus 1.15 +/- 0.09 (8 +/- 2).'),
  two('a year at the end', 'The dam was built in 1931.', 'The lake filled slowly.'),
  one('versions', 'We ran v1.2 and version 3.0.1 on the same input.'),
  two('a version at the end', 'All runs used v1.2.', 'Seeds were fixed.'),
  two('per cent', 'Losses reached 12%.', 'Gains were smaller.'),
  one('bracket enumeration', 'Aims were (1) to count, (2) to weigh and (iii) to rest.'),
  two('bracketed items', '(1) Count the cells.', '(2) Weigh the tissue.'),
  two('numbered items', 'Aims: 1. To count the cells.', '2. To weigh the tissue.'),
  two('roman items', 'I. Counting is slow.', 'II. Weighing is fast.'),
  two('small items', 'The gate opens.', '(ii) the gate closes.'),
];

const LETTERS: Row[] = [
  two('a unit', 'The section was 3.2 MeV b.', 'The error was small.'),
  two('a unit behind a number', 'Each got 5 g.', 'Rats slept.'),
  two('a variable and a word', 'It is about 1/ln x.', 'Verdin proved the bounds.'),
  two('a variable and an opener', 'We study the map f.', 'Each value is known.'),
  two('a unit that is a capital', 'The disc glows below 18 K.', 'Infrared light passes.'),
  one('an initial behind a year', 'In 1935 J. Stroop had students read.'),
  one('a strain behind a number', 'Of 12 S. Typhi strains none grew.'),
  two('a unit that ends in a capital', 'The dipole is 3.36 mK.', 'Motion explains it.'),
  two('a word that ends in a capital', 'We use ViT.', 'Ablations confirm it.'),
  two('a short word and a label', 'All had SpA.', 'METHODS Ten were asked.'),
  two('a letter behind a hyphen', 'It beats LongViT-L.', 'Across tasks it wins.'),
  two('a letter behind an ampersand', 'We test open-ended Q&A.', 'Models fail.'),
  one('a hyphenated initial', 'The work of J.-P. Sartre was read.'),
  two('a letter of a rare script', 'The consonant is ḫ.', 'Kuryłowicz saw it.'),
  two('a capital and an adverb', 'Let D be a strain A.', 'When it mates, it dies.'),
  two('a capital and no name', 'Let G be a group of order N.', 'The rest follows.'),
  one('a capital and what may be a name', 'Found by X. He and C. How in vain.'),
  one('a small letter and a name', 'Let a be b. Smith said so.'),
  one('a small letter and an abbreviation', 'It fell in 500 n. Chr. or later.'),
  two('small items', 'Aims: a. The gate opens.', 'b. The gate closes.'),
  one('an item behind a semicolon', 'It opens; b. The gate closes'),
  one('a bracket that goes on', 'It has no zeros (Re s = 1. A proof exists) at all.'),
  two('a bracket around all', '(It has no zeros.', 'A proof exists.)'),
  two('a bracket that is closed', 'It has no zeros (Re s = 1).', 'A proof exists.'),
];

const MARKS: Row[] = [
  two('question', 'Does it scale?', 'We think so.'),
  two('exclamation', 'It does!', 'Even twice.'),
  two('mixed marks', 'Does it really?!', 'It does.'),
  one('a question inside', 'The "why us?" response and the Yahoo! corpus were used.'),
  two('ellipsis', 'It grew, and grew...', 'Then it burst.'),
  one('ellipsis inside', 'It grew ... and grew … and burst.'),
  one('spaced ellipsis', 'It grew . . . and burst.'),
  two('end mark before a quote', 'He said "no."', 'Then he left.'),
  two('end mark after a quote', 'He said “no”.', 'Then he left.'),
  two('guillemets', 'Il dit «non.»', 'Puis il sortit.'),
  two('German quotes', 'Er sagte „nein.“', 'Dann ging er.'),
  two('an opening quote', 'He left.', '"No" was all he said.'),
  two('end mark before a bracket', 'It rose (see Fig. 2.)', 'The rest fell.'),
  two('end mark after a bracket', 'It rose (see Fig. 2).', 'The rest fell.'),
  two('a sentence in brackets', 'It rose.', '(Funded by nobody.)'),
  two('an abbreviation in such', '(Funded by Verdant Inc.)', 'The rest fell.'),
  two('square brackets', 'It rose [95% CI, 1.1 to 1.4].', 'It fell.'),
  two('a citation behind', 'It is known.[3,4]', 'The cause is not.'),
  two('detached stops', 'the flow of air past a body at speed n .', 'for water it differs .'),
  one('a detached initial', 'Growth of E . coli was < . 05 of the rest.'),
  one('no end mark', 'A title without an end mark'),
  two('only the first has one', 'It rose.', 'It fell'),
  one('semicolons and colons', 'It rose; It fell: Nobody knew.'),
];

const TEXTS: Row[] = [
  one('label with colon', 'BACKGROUND: Soil holds carbon.'),
  two('label without colon', 'METHODS We dug.', 'RESULTS We found clay.'),
  one('LaTeX', 'Here $x.y$ and $\\rho_{1.5}$ are free, $f(x) = 0.5 x$ is not.'),
  one('URL', 'Data are at https://example.org/a.b/c?d=e.f and on file.'),
  two('URL at the end', 'Data are at www.example.org.', 'Code is not.'),
  two('e-mail', 'Write to ann.b@example.co.uk.', 'She will answer.'),
  ['Chinese', '土壤含碳。为什么？不知道！', ['土壤含碳。', '为什么？', '不知道！']],
  ['Chinese quotes', '他说好！“走吧。”', ['他说好！', '“走吧。”']],
  ['Japanese', '「行く。」と言った。３．５度だ。', ['「行く。」と言った。', '３．５度だ。']],
  ['Hindi', 'पानी गिरा। मिट्टी भीगी।', ['पानी गिरा।', 'मिट्टी भीगी।']],
  [
    'no-break space',
    'It rose.\u00a0It fell.\u2003It stood.',
    ['It rose.', 'It fell.', 'It stood.'],
  ],
  ['ideographic space', '\u3000土。\u3000水。\u3000', ['土。', '水。']],
  ['single line break', 'It rose\nand fell.\r\nIt stood.', ['It rose\nand fell.', 'It stood.']],
  ['blank line', 'A heading\n\nIt rose.', ['A heading', 'It rose.']],
  ['blank line with spaces', 'A heading\r\n \t\r\n\r\nIt rose', ['A heading', 'It rose']],
  ['paragraph separator', 'A heading\u2029It rose', ['A heading', 'It rose']],
  ['white space around', ' \n\n It rose. \n\n ', ['It rose.']],
  ['empty', '', []],
  ['only white space', ' \n\n\t\u00a0', []],
  ['only marks', '...', ['...']],
  ['lone surrogates', '\ud83d. \ude00 It', ['\ud83d.', '\ude00 It']],
];

const LABELS: Row[] = [
  ['in front of a section', 'AIM:\n\nTo dig.\n\nAIM AND SCOPE:\n\nWe dug.', ['To dig.', 'We dug.']],
  [
    'with line ends of Windows',
    'AIM:\r\n\r\nTo dig.\r\n\r\nEND:\r\n\r\nDone.',
    ['To dig.', 'Done.'],
  ],
  ['after a text without a period', 'To dig\n\nEND:\n\nDone', ['To dig', 'Done']],
  one('on the line of its section', 'AIM: To dig.'),
  ['in front of nothing', 'We dug.\n\nEND:', ['We dug.', 'END:']],
  ['that is the end of a paragraph', 'It was so. And:\n\nIt is.', ['It was so.', 'And:', 'It is.']],
  ['that is a sentence', 'Was it so? Yes:\n\nIt is.', ['Was it so?', 'Yes:', 'It is.']],
  ['that is too long', `${'so '.repeat(40)}:\n\nIt is.`, [`${'so '.repeat(40)}:`, 'It is.']],
];

const LENGTH = 1_000_000;

describe('splitSentences', () => {
  describe('abbreviations', () => check(ABBREVIATIONS));
  describe('names', () => check(NAMES));
  describe('numbers', () => check(NUMBERS));
  describe('letters', () => check(LETTERS));
  describe('end marks', () => check(MARKS));
  describe('kinds of text', () => check(TEXTS));
  describe('labels of sections', () => check(LABELS));

  it('returns trimmed sentences in order that cover everything but white space and labels', () => {
    const labels = /^(?:[^.?!]{0,99}:(?:\s|$))*$/;
    fc.assert(
      fc.property(anyText(), (text) => {
        let position = 0;
        for (const { start, end } of splitSentences(text)) {
          expect(text.slice(position, start).trim()).toMatch(labels);
          expect(end).toBeGreaterThan(start);
          expect(text.slice(start, end).trim()).toBe(text.slice(start, end));
          position = end;
        }
        expect(text.slice(position).trim()).toMatch(labels);
      }),
    );
  });

  it.each([
    ['no spaces', 'a'],
    ['only periods', '.'],
    ['only periods and spaces', '. '],
    ['abbreviations', 'e.g. '],
    ['initials', 'A. '],
    ['detached periods', ' .'],
    ['brackets', '.)]'],
    ['open citations', '.[1'],
    ['line breaks', '\n'],
    ['line breaks and spaces', '\n '],
    ['words with inner periods', 'a.b '],
    ['sentences', 'It rose. '],
  ])('handles a text of 1 MB: %s', (_, unit) => {
    const text = unit.repeat(LENGTH / unit.length);
    expect(() => splitSentences(text)).not.toThrow();
  });

  it.each(['.', ')', '”', '“', '1'])('does not run out of stack: 20 MB of %j', (unit) => {
    const text = (unit === '1' ? '.[' : '.') + unit.repeat(20 * LENGTH);
    expect(splitSentences(text)).toHaveLength(1);
  });

  it.each([
    ['before the text', '', 'a.b. c '],
    ['after a line break', 'It rose\n', 'It fell. '],
    ['after a blank line', 'It rose\n\n', 'a.b. c '],
  ])('handles 1 MB with a long run of spaces %s', (_, before, unit) => {
    const text = before + ' '.repeat(LENGTH / 2) + unit.repeat(LENGTH / 2 / unit.length);
    expect(() => splitSentences(text)).not.toThrow();
  });
});

function check(rows: Row[]): void {
  it.each(rows)('%s: %j', (_, text, sentences) => {
    const spans = splitSentences(text);
    expect(spans.map(({ start, end }) => text.slice(start, end))).toEqual(sentences);
  });
}

/** A row whose text is a single sentence. */
function one(what: string, text: string): Row {
  return [what, text, [text]];
}

/** A row of two sentences with a space between them. */
function two(what: string, first: string, second: string): Row {
  return [what, `${first} ${second}`, [first, second]];
}

/** Any code units, and texts dense with characters that the splitter examines. */
function anyText(): fc.Arbitrary<string> {
  const piece = fc.constantFrom(
    ...[
      '. ',
      '.',
      ' ',
      '\n',
      '\r\n',
      '\n\n',
      ':\n\n',
      'e.g',
      'A',
      'b',
      '3',
      '(',
      ')',
      '"',
      '。',
      '?',
      '…',
    ],
    ...['\u00a0', '\ud83d', '\ude00', '[1]', 'The', 'Fig', '\u2029', 'α'],
  );
  return fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(fc.integer({ min: 0, max: 0xffff })).map((units) => String.fromCharCode(...units)),
    fc.array(piece).map((pieces) => pieces.join('')),
  );
}
