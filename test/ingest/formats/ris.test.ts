import { describe, expect, it } from 'vitest';
import { risFormat } from '../../../src/ingest/formats/ris.ts';
import { entriesOf, fixture, recognizes, recordOf } from '../read-format.ts';

it('reads every pitfall of the fixture', async () => {
  expect(await entriesOf(risFormat, fixture('ris.ris'))).toEqual([
    {
      line: 4,
      document: recordOf({
        id: '10.5555/tides.2019.a',
        title: 'The uptake of CO2 by seagrass',
        abstract: 'Seagrass takes up carbon. It is - as we show - much.',
        year: 2019,
        authors: [
          ...['Anna M. Berg', 'Björn Lind Jr.', 'Seagrass Working Group'],
          'Dune Working Group',
        ],
        venue: 'Journal of Invented Tides',
        identifiers: { doi: '10.5555/tides.2019.a' },
      }),
    },
    {
      line: 23,
      document: recordOf({
        id: 'arXiv:1801.00001',
        title: 'Neap tides',
        abstract: 'Neap tides are small.',
        year: 2018,
        authors: ['Cai Holm'],
        venue: 'Proceedings of Tides',
        identifiers: { arxiv: '1801.00001' },
      }),
    },
    {
      line: 31,
      document: recordOf({ id: 'A 7', title: 'No end, no known id', year: 2001 }),
    },
    {
      line: 36,
      document: recordOf({
        id: 'PMID:31000001',
        title: 'From a database',
        identifiers: { pmid: '31000001', pmcid: 'PMC7000001' },
      }),
    },
    {
      line: 42,
      document: recordOf({
        id: '10.5555/m3',
        title: 'Fewer blanks',
        identifiers: { doi: '10.5555/m3' },
      }),
    },
  ]);
});

it.each([
  ['two lines', 'UR  - https://shore.example/a;2\nUR  - https://doi.org/10.5555/ur.1\n'],
  ['blanks', 'UR  - https://shore.example/a https://doi.org/10.5555/ur.1 https://b.example\n'],
  ['semicolons', 'UR  - https://shore.example/a;2; https://doi.org/10.5555/ur.1\n'],
  ['semicolons alone', 'L2  - https://shore.example/a;doi:10.5555/ur.1\n'],
])('finds the DOI among addresses with %s between them', async (_, lines) => {
  const entries = await entriesOf(risFormat, `TY  - JOUR\nTI  - Tides\n${lines}ER  - \n`);
  expect(entries).toMatchObject([{ document: { id: '10.5555/ur.1' } }]);
});

it('keeps a semicolon that is part of a DOI', async () => {
  const content = 'TY  - JOUR\nTI  - Tides\nUR  - https://doi.org/10.5555/a(1998)7:2;1-9\nER  - \n';
  const entries = await entriesOf(risFormat, content);
  expect(entries).toMatchObject([{ document: { id: '10.5555/a(1998)7:2;1-9' } }]);
});

it('decodes entities and drops tags', async () => {
  const content = [
    ...[
      'TY  - JOUR',
      'TI  - The <i>E. coli</i> of shores &amp;amp; seas',
      'AU  - M&uuml;ller, Anna',
    ],
    ...['AB  - At p &lt; 0.05, CO<sub>2</sub> rose.', 'JO  - Shores &amp; Seas', 'ER  - ', ''],
  ].join('\n');
  expect(await entriesOf(risFormat, content)).toMatchObject([
    {
      document: {
        title: 'The E. coli of shores & seas',
        authors: ['Anna Müller'],
        abstract: 'At p < 0.05, CO2 rose.',
        venue: 'Shores & Seas',
      },
    },
  ]);
});

it.each<[what: string, lines: string[], fields: object]>([
  [
    'names of Embase, with the initials last',
    ['A1  - van Holm A.-M.', 'A1  - Seagrass Group'],
    { authors: ['A.-M. van Holm', 'Seagrass Group'] },
  ],
  [
    'authors in both tags, groups after them',
    [
      'AU  - Berg, Anna',
      'AU  - Dahl, B',
      'AU  - Dahl, B',
      'A1  - Berg, A',
      'A1  - Tide Group',
      'A1  - Tide Group',
    ],
    { authors: ['Anna Berg', 'B Dahl', 'B Dahl', 'Tide Group'] },
  ],
  [
    'the first author in a tag of its own',
    ['A1  - Berg, Anna', 'AU  - Dahl, Bo', 'AU  - Berg, A'],
    { authors: ['Anna Berg', 'Bo Dahl'] },
  ],
  [
    "the PMID in EndNote's export of PubMed",
    ['AN  - 31000001', 'DP  - NLM'],
    { id: 'PMID:31000001' },
  ],
  [
    'the abstract in the other tag where one has a placeholder',
    ['AB  - NA', 'N2  - It rose.'],
    { abstract: 'It rose.' },
  ],
  [
    'separators of lines within a field',
    ['AU  - Berg, Anna', 'AB  - It\u2028rose.\u2029It fell.', 'JO  - Shores\rand Seas'],
    { authors: ['Anna Berg'], abstract: 'It rose. It fell.', venue: 'Shores and Seas' },
  ],
])('reads %s', async (_, lines, fields) => {
  const content = ['TY  - JOUR', 'TI  - Tides', ...lines, 'ER  - ', ''].join('\n');
  expect(await entriesOf(risFormat, content)).toMatchObject([{ document: fields }]);
});

describe('a RIS file', () => {
  it.each<[boolean, string, string]>([
    [true, 'a record', 'TY  - JOUR\nTI  - Tides\nER  - \n'],
    [
      true,
      'one with a byte order mark and line ends of Windows',
      '\u{feff}TY  - JOUR\r\nER  - \r\n',
    ],
    [true, 'lines in front', 'Provider: Shore\n\nTY  - JOUR\n'],
    [false, 'PubMed', 'PMID- 1\nOWN - NLM\nTI  - Tides\n'],
    [false, 'BibTeX', '@misc{a, note = {\n  see TY  - below}}'],
    [false, 'prose', 'TY - for all of it'],
    [false, 'records of EndNote', '%0 Journal Article\n%T Tides\n'],
  ])('recognizes() returns %s for %s', (expected, _, content) => {
    expect(recognizes(risFormat, content)).toBe(expected);
  });

  it.each([
    ['PY  - 2018', 2018],
    ['PY  - 2018///', 2018],
    ['Y1  - 2018/05/01/', 2018],
    ['DA  - 2018/05', 2018],
    ['PY  - in press', 0],
    ['PY  - ', 0],
  ])('with the date %j has the year %d', async (line, year) => {
    const [entry] = await entriesOf(risFormat, `TY  - JOUR\n${line}\nER  - \n`);
    expect(entry).toMatchObject({ document: { year } });
  });

  it('can have Windows line ends, a byte order mark and no final line end', async () => {
    const content = '\u{feff}TY  - JOUR\r\nTI  - Tides\r\nAB  - They rise\r\n  and fall.';
    const [entry] = await entriesOf(risFormat, content);
    expect(entry).toMatchObject({ document: { title: 'Tides', abstract: 'They rise and fall.' } });
  });

  it('loses only the records that are not UTF-8 or too long', async () => {
    const content = Buffer.concat([
      Buffer.from(`TY  - JOUR\nAB  - a\n${'long\n'.repeat(200)}ER  - \nTY  - JOUR\nTI  - `),
      Buffer.from([0xe9]),
      Buffer.from('\nER  - \nTY  - JOUR\nTI  - Good\nER  - \n'),
    ]);
    const entries = await entriesOf(risFormat, content, { lineBytesMax: 500 });
    expect(entries).toMatchObject([
      { line: 1, reason: 'too_long' },
      { line: 204, reason: 'malformed' },
      { line: 207, document: { title: 'Good' } },
    ]);
  });

  it.each(['', '\n\n', 'ER  - \n', 'no tags\nat all\n'])(
    'has no records if it is %j',
    async (content) => {
      expect(await entriesOf(risFormat, content)).toEqual([]);
    },
  );
});
