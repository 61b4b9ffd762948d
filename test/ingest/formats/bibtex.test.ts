import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Entry } from '../../../src/ingest/format.ts';
import { bibtexFormat } from '../../../src/ingest/formats/bibtex.ts';
import {
  entriesOf,
  fixture,
  keptOf,
  LIMITS,
  recognises,
  recordOf,
  sourceOf,
} from '../read-format.ts';

it('reads every pitfall of the fixture', async () => {
  expect(await entriesOf(bibtexFormat, fixture('bibtex.bib'))).toEqual([
    {
      line: 12,
      document: recordOf({
        id: '10.5555/tides_2019.a',
        title: 'The CO₂ Uptake of Étang Seagrass, 50% of it',
        abstract:
          'Seagrass takes up 50% of the carbon – or α<β of it, with <b>p</b> < 0.05 & more.\n\nIt costs $5 in “Fig. 2”.',
        year: 2019,
        authors: [
          'Anna M. Berg',
          'Björn Lind',
          'Seagrass Working Group',
          'Ludwig van Holm',
          'Bob Smith Jr.',
        ],
        venue: 'Journal of Invented Tides, Series 2',
        identifiers: { doi: '10.5555/tides_2019.a' },
      }),
    },
    {
      line: 28,
      document: recordOf({
        id: 'arXiv:2005.00001',
        title: 'Neap tides: A study',
        year: 2020,
        authors: ['B. Lind'],
        venue: 'Proceedings of Tides',
        identifiers: { arxiv: '2005.00001' },
      }),
    },
    { line: 29, problem: '@proceedings is not a paper', reason: 'not_a_paper' },
    {
      line: 31,
      document: recordOf({
        id: 'arXiv:2101.00001',
        title: 'Spring tides',
        authors: ['Cai Holm'],
        venue: 'arXiv preprint arXiv:2101.00001',
        identifiers: { arxiv: '2101.00001' },
      }),
    },
    {
      line: 39,
      problem: 'the entry is not closed where the next one starts, in line 44',
      reason: 'malformed',
    },
    {
      line: 44,
      document: recordOf({
        id: 'ACL:P98-1001',
        title: 'One paper',
        year: 1998,
        identifiers: { acl: 'P98-1001' },
      }),
    },
    {
      line: 45,
      document: recordOf({
        id: 'same',
        title: 'First of two papers with one key',
        year: 1999,
      }),
    },
    {
      line: 46,
      document: recordOf({
        id: 'same',
        title: 'Second of two papers with one key',
        venue: 'nature',
      }),
    },
    {
      line: 47,
      problem: 'after title there is no field but "and {not}, year = 2001"',
      reason: 'malformed',
    },
    { line: 48, document: recordOf({ id: 'nothing' }) },
  ]);
});

describe('a file of BibTeX', () => {
  it.each<[boolean, string, string]>([
    [true, 'an entry', '@article{a, title = {Tides}}'],
    [true, 'comments in front', '% made by hand\n\nsome text\n@Article { a,\n title = {Tides}}'],
    [true, 'macros in front', '@string{a = "b"}\n@misc(a,\n title = {Tides})'],
    [true, 'an entry without a key', '@misc{title = {Tides}}'],
    [false, 'RIS', 'TY  - JOUR\nTI  - @article\nER  - '],
    [false, 'prose', 'Write to @berg, or to berg@example.org {soon}.'],
    [false, 'JSON', '{"@context": {"a": "@id"}, "@article": 1}'],
    [false, 'a style sheet', '@media print {\n  a { color: red; }\n}'],
    [false, 'code', '@Component({\n  selector: "a"\n})'],
  ])('says %s to %s', (expected, _, content) => {
    expect(recognises(bibtexFormat, content)).toBe(expected);
  });

  it.each([
    ['{Tides}', 'Tides'],
    ['"Tides {"}of{"} seas"', 'Tides "of" seas'],
    ['{{Tides} of {S}eas}', 'Tides of Seas'],
    ['tides # " of " # sea', 'Low tides of sea'],
    [
      '{\\"Uber G{\\"o}del, na\\"\\i ve, \\v{S}tep\\\'an, {\\ss}, \\O{}re}',
      'Über Gödel, naïve, Štepán, ß, Øre',
    ],
    ["{a--b---c ``d'' e~f}", 'a–b—c “d” e f'],
    ['{$x^2$ of H$_2$O at 5\\% or 5% \\& more}', 'x² of H₂O at 5% or 5% & more'],
    ['{It costs $5}', 'It costs $5'],
    ['{a <b>c</b> < d}', 'a <b>c</b> < d'],
    ['{\\textbf{bold} \\emph{and} {\\it so}}', 'bold and so'],
    ['{with \\Unknown{} commands}', 'with \\Unknown commands'],
    ['{odd \\} brace}', 'odd } brace'],
    ['2001', '2001'],
  ])('has the title of %s', async (value, title) => {
    const content = `@string{tides = {Low tides}}\n@misc{a, title = ${value}, year = 2001}`;
    const [entry] = await entriesOf(bibtexFormat, content);
    expect(entry).toMatchObject({ document: { title, year: 2001 } });
  });

  it.each([
    ['doi = {10.5555/A}', { doi: '10.5555/a' }],
    ['url = {https://doi.org/10.5555/A}', { doi: '10.5555/a' }],
    ['eprint = {2401.00001v2}, archivePrefix = {arXiv}', { arxiv: '2401.00001' }],
    ['eprint = {hep-ex/0307015}, eprinttype = {arxiv}', { arxiv: 'hep-ex/0307015' }],
    ['eprint = {12345}, eprinttype = {pubmed}', { pmid: '12345' }],
    ['eprint = {2401.00001}, archivePrefix = {HAL}', {}],
    ['url = {https://arxiv.org/abs/2401.00001}', { arxiv: '2401.00001' }],
    ['url = "https://aclanthology.org/2024.acl-long.1/"', { acl: '2024.acl-long.1' }],
    ['pmid = {12345}, pmcid = {PMC77}', { pmid: '12345', pmcid: 'PMC77' }],
    ['url = {https://example.org/}', {}],
  ])('has the identifiers of %s', async (fields, identifiers) => {
    const [entry] = await entriesOf(bibtexFormat, `@misc{a, title = {T}, ${fields}}`);
    expect(entry).toMatchObject({ document: { identifiers } });
  });

  it('calls a paper that has no identifier by its key', async () => {
    const content = '@misc{a, title = {Tides}}\n@misc{b, title = {Tides}}';
    expect(await entriesOf(bibtexFormat, content)).toMatchObject(
      ['a', 'b'].map((id) => ({ document: { id } })),
    );
  });

  it('is read in any chunks', async () => {
    const content = fixture('bibtex.bib');
    const whole = await entriesOf(bibtexFormat, content);
    const limits = { lineBytesMax: 100_000 };
    const entries: Entry[] = [];
    for await (const entry of bibtexFormat.entries(sourceOf(content, 1), limits))
      entries.push(keptOf(entry));
    expect(entries).toEqual(whole);
  });

  it('that breaks off is read as far as it goes', async () => {
    const entries: Entry[] = [];
    const read = async (): Promise<void> => {
      const source = sourceOf('@misc{a, title = {T}}\n\n@misc{b, title = {U}');
      for await (const entry of bibtexFormat.entries(source, LIMITS)) entries.push(entry);
    };
    await expect(read()).rejects.toMatchObject({
      code: 'unreadable_input',
      message: 'file breaks off within the entry that starts in line 3',
    });
    expect(entries).toMatchObject([{ line: 1, document: { title: 'T' } }]);
  });

  it('costs only the entries that are no UTF-8, or too long', async () => {
    const content = Buffer.concat([
      Buffer.from(`@misc{a, title = {${'long\n'.repeat(200)}}}\n@misc{b, title = {`),
      Buffer.from([0xe9]),
      Buffer.from('}}\n@misc{c,\n title = {'),
      Buffer.from([0xe9]),
      Buffer.from('}\n}\n@misc{d, title = {Good}}'),
    ]);
    const entries = await entriesOf(bibtexFormat, content, { lineBytesMax: 500 });
    expect(entries).toMatchObject([
      { line: 1, reason: 'too_long' },
      { line: 202, reason: 'malformed' },
      { line: 203, reason: 'malformed' },
      { line: 206, document: { title: 'Good' } },
    ]);
  });

  it('never throws but where it breaks off, whatever it is', async () => {
    const piece = fc.constantFrom(
      ...[
        '@misc{a,',
        '@string{b = ',
        '@',
        '{',
        '}',
        '"',
        '#',
        ',',
        ' = ',
        'title',
        'author',
        '\n',
        '%',
      ],
      ...[
        '\\',
        '$',
        '\\"',
        '~',
        'and',
        '(',
        ')',
        '\\begin{a}',
        '\\frac',
        '_',
        '^',
        '&',
        '<i>',
        'é',
      ],
    );
    await fc.assert(
      fc.asyncProperty(fc.array(piece), async (pieces) => {
        try {
          await entriesOf(bibtexFormat, `@misc{k, title = {${pieces.join('')}`);
        } catch (error) {
          expect(error).toMatchObject({ code: 'unreadable_input' });
        }
      }),
    );
  });

  it.each([
    ['nested braces', `${'{'.repeat(20_000)}x${'}'.repeat(20_000)}`],
    ['a formula that is too long', `$${'x^2 '.repeat(30_000)}$`],
  ])('finishes with %s', async (_, value) => {
    const entries = await entriesOf(bibtexFormat, `@misc{a, title = {T}, abstract = {${value}}}`, {
      lineBytesMax: 1_000_000,
    });
    expect(entries).toMatchObject([{ document: { title: 'T' } }]);
  });
});
