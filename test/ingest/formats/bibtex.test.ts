import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bibtexFormat } from '../../../src/ingest/formats/bibtex.ts';
import type { Entry } from '../../../src/ingest/read/packed-format.ts';
import {
  entriesOf,
  fixture,
  keptOf,
  LIMITS,
  recognizes,
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
          'Seagrass takes up 50% of the carbon – or α<β of it, with p < 0.05 & more.\n\nIt costs $5 in “Fig. 2”.',
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

it('decodes entities and drops tags in TeX', async () => {
  const content = `@article{a, title = {The <i>E. coli</i> of {\\'E}tang \\&amp; sea},
    author = {M&uuml;ller, Anna}, journal = {Shores &amp; Seas},
    abstract = {<p>CO<sub>2</sub> rose.</p><p>At p &lt; 0.05 it fell.</p>}}`;
  expect(await entriesOf(bibtexFormat, content)).toMatchObject([
    {
      document: {
        title: 'The E. coli of Étang & sea',
        authors: ['Anna Müller'],
        abstract: 'CO2 rose.\n\nAt p < 0.05 it fell.',
        venue: 'Shores & Seas',
      },
    },
  ]);
});

describe('entries that inherit fields', () => {
  const VOLUME = `@proceedings{Vol, title = {Proceedings of Tides}, year = 2020,
    doi = {10.5555/volume}, abstract = {About all of it.}}`;
  const PAPER = '@inproceedings{p, title = {Neap}, author = {Berg, Anna}, crossref = {vol}}';
  const SHARED = '@xdata{names, author = {Berg, Anna}, xdata = {years}}';
  const YEARS = '@xdata{years, date = {2019-05-01}, doi = {10.5555/shared}}';

  async function documentsIn(...entries: string[]): Promise<unknown[]> {
    const all = await entriesOf(bibtexFormat, entries.join('\n'));
    return all.flatMap((entry) => ('document' in entry ? [entry.document] : []));
  }

  it.each([
    ['in front', [VOLUME, PAPER]],
    ['behind', [PAPER, VOLUME]],
    ['behind others', [PAPER, '@misc{x, title = {Other}, crossref = {none}}', VOLUME]],
  ])('take only venue and year from a volume %s', async (_, entries) => {
    const [paper] = await documentsIn(...entries);
    expect(paper).toEqual(
      recordOf({
        id: 'p',
        title: 'Neap',
        authors: ['Anna Berg'],
        year: 2020,
        venue: 'Proceedings of Tides',
      }),
    );
  });

  it('keep their own fields', async () => {
    const own = '@inproceedings{p, title={Neap}, booktitle={Shores}, year=1999, crossref={Vol}}';
    const documents = await documentsIn(VOLUME, own);
    expect(documents).toMatchObject([{ venue: 'Shores', year: 1999 }]);
  });

  it.each([
    ['in front', [SHARED, YEARS]],
    ['in another order', [YEARS, SHARED]],
  ])('take all fields from xdata, also from nested xdata, %s', async (_, shared) => {
    const paper = '@article{p, title = {Neap}, xdata = {other, names}, journal = {Shores}}';
    const expected = [{ id: '10.5555/shared', authors: ['Anna Berg'], year: 2019 }];
    expect(await documentsIn(...shared, paper)).toMatchObject(expected);
    expect(await documentsIn(paper, ...shared)).toMatchObject(expected);
  });

  it('are finished even if they name each other, themselves or nothing', async () => {
    const documents = await documentsIn(
      '@book{a, title = {Rising}, crossref = {b}}',
      '@book{b, title = {Falling}, year = 2001, crossref = {a}}',
      '@book{c, title = {Standing}, crossref = {c}}',
      '@article{d, title = {Ebbing}, xdata = {gone}}',
    );
    expect(documents).toMatchObject([
      { title: 'Falling', year: 2001 },
      { title: 'Rising', year: 2001 },
      { title: 'Standing' },
      { title: 'Ebbing' },
    ]);
  });

  it('stay in memory only up to a limit, and none is lost', async () => {
    const papers = [...Array(1_500).keys()].map(
      (n) => `@inproceedings{p${n}, title = {Neap ${n}}, crossref = {vol}}`,
    );
    const documents = (await documentsIn(...papers, VOLUME)) as { venue: string }[];
    expect(documents).toHaveLength(1_500);
    expect(documents.filter(({ venue }) => venue !== '')).toHaveLength(1_000);
  });

  it('are not lost if the file breaks off', async () => {
    const seen: unknown[] = [];
    const reading = async (): Promise<void> => {
      const source = sourceOf(`${PAPER}\n@article{q, title = {`);
      for await (const entry of bibtexFormat.entries(source, LIMITS)) seen.push(entry);
    };
    await expect(reading()).rejects.toThrow('breaks off');
    expect(seen).toMatchObject([{ document: { title: 'Neap' } }]);
  });
});

describe('a BibTeX file', () => {
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
  ])('recognizes() returns %s for %s', (expected, _, content) => {
    expect(recognizes(bibtexFormat, content)).toBe(expected);
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
    ['{a <b>c</b> < d}', 'a c < d'],
    ['{\\textbf{bold} \\emph{and} {\\it so}}', 'bold and so'],
    ['{with \\Unknown{} commands}', 'with \\Unknown commands'],
    ['{odd \\} brace}', 'odd } brace'],
    ['2001', '2001'],
  ])('decodes the title %s', async (value, title) => {
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
  ])('finds the identifiers in %s', async (fields, identifiers) => {
    const [entry] = await entriesOf(bibtexFormat, `@misc{a, title = {T}, ${fields}}`);
    expect(entry).toMatchObject({ document: { identifiers } });
  });

  it('identifies a paper without an identifier by its key', async () => {
    const content = '@misc{a, title = {Tides}}\n@misc{b, title = {Tides}}';
    expect(await entriesOf(bibtexFormat, content)).toMatchObject(
      ['a', 'b'].map((id) => ({ document: { id } })),
    );
  });

  it('can be read in any chunks', async () => {
    const content = fixture('bibtex.bib');
    const whole = await entriesOf(bibtexFormat, content);
    const limits = { lineBytesMax: 100_000 };
    const entries: Entry[] = [];
    for await (const entry of bibtexFormat.entries(sourceOf(content, 1), limits))
      entries.push(keptOf(entry));
    expect(entries).toEqual(whole);
  });

  it('is read up to the point where it breaks off', async () => {
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

  it('loses only the entries that are not UTF-8 or too long', async () => {
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

  it('never throws for any content, except where it breaks off', async () => {
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
  ])('is finished in time: %s', async (_, value) => {
    const entries = await entriesOf(bibtexFormat, `@misc{a, title = {T}, abstract = {${value}}}`, {
      lineBytesMax: 1_000_000,
    });
    expect(entries).toMatchObject([{ document: { title: 'T' } }]);
  });
});
