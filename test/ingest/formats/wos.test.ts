import { describe, expect, it } from 'vitest';
import { csvFormat } from '../../../src/ingest/formats/csv.ts';
import { wosFormat } from '../../../src/ingest/formats/wos.ts';
import { recognizeFormat } from '../../../src/ingest/formats.ts';
import { entriesOf, fixture, recordOf, sourceOf } from '../read-format.ts';

const EXPECTED = [
  {
    line: 3,
    document: {
      id: '10.5555/grass.81',
      title: 'Growth of eelgrass in warm water',
      abstract: 'Eelgrass grew. It was warm. (C) 2019 Shore Press.',
      year: 2019,
      authors: ['Anna M. Berg', 'Bo Dahl Jr.', 'Shore Grp'],
      venue: 'SHORE JOURNAL',
      identifiers: { doi: '10.5555/grass.81', pmid: '9900081' },
      withheld: 'retracted',
      updatedAt: 0,
    },
  },
  {
    line: 25,
    document: recordOf({
      id: 'WOS:000000000000082',
      title: 'Mud',
      year: 2024,
      authors: ['C Lind'],
    }),
  },
  { line: 32, problem: 'not a paper but a patent', reason: 'not_a_paper' },
];

describe('the wos format', () => {
  const content = fixture('wos.txt').toString();
  it.each([
    ['as it is', content],
    [
      'with line ends of Windows and a byte order mark',
      `\u{feff}${content.replace(/\n/g, '\r\n')}`,
    ],
  ])('reads a file %s', async (_, text) => {
    expect((await recognizeFormat(sourceOf(text))).name).toBe('wos');
    expect(await entriesOf(wosFormat, text)).toEqual(EXPECTED);
  });

  it('leaves a tab-delimited file to the table format', async () => {
    const rows = [
      ...['PT AU AF TI SO AB PY DI PM UT'.replaceAll(' ', '\t')],
      [
        'J',
        'Lind, C',
        'Lind, Cai; Ek, Di',
        'Mud',
        'SHORES',
        'It rose.',
        '2020',
        '',
        '',
        'WOS:1',
      ].join('\t'),
    ];
    const text = `\u{feff}${rows.join('\r\n')}\r\n`;
    expect((await recognizeFormat(sourceOf(text))).name).toBe('csv');
    const document = { title: 'Mud', authors: ['Cai Lind', 'Di Ek'], venue: 'SHORES', year: 2020 };
    expect(await entriesOf(csvFormat, text)).toMatchObject([{ document }]);
  });

  it('recognizes a file without its first lines', async () => {
    const text = 'PT J\nAU Berg, A\nTI Tides\nUT WOS:1\nER\n';
    expect((await recognizeFormat(sourceOf(text))).name).toBe('wos');
  });

  it('separates authors in one line', async () => {
    const text = 'PT J\nTI Tides\nAU Berg, Anna; Dahl, Bo B; Shore Group\nUT WOS:1\nER\n';
    expect(await entriesOf(wosFormat, text)).toMatchObject([
      { document: { authors: ['Anna Berg', 'Bo B Dahl', 'Shore Group'] } },
    ]);
  });

  it('accepts an extra tab at the end of tab-delimited rows', async () => {
    const text = 'PT\tAU\tTI\tPY\tUT\r\nJ\tLind, C\tMud\t2020\tWOS:1\t\r\n';
    expect(await entriesOf(csvFormat, text)).toMatchObject([{ document: { title: 'Mud' } }]);
  });

  it('finds group authors and retractions in a tab-delimited file too', async () => {
    const rows = [
      ['PT', 'AU', 'CA', 'TI', 'DT', 'UT'],
      ['J', 'Lind, C', 'Shore Grp', 'Mud (Retracted article. See vol. 3, 2010)', '', 'WOS:1'],
      ['J', 'Lind, C', '', 'Sand', 'Article; Retracted Publication', 'WOS:2'],
    ];
    const text = rows.map((row) => row.join('\t')).join('\r\n');
    expect(await entriesOf(csvFormat, text)).toMatchObject([
      { document: { title: 'Mud', authors: ['C Lind', 'Shore Grp'], withheld: 'retracted' } },
      { document: { title: 'Sand', authors: ['C Lind'], withheld: 'retracted' } },
    ]);
  });

  it('omits patents of a tab-delimited file and dates online-only papers', async () => {
    const rows = ['PT AU TI PY EA UT', 'J Lind Mud - JAN-2024 WOS:1', 'P Ek Spade 2001 - DIIDW:2'];
    const cells = rows.map((row) => row.replaceAll(' ', '\t').replaceAll('\t-\t', '\t\t'));
    expect(await entriesOf(csvFormat, cells.join('\n'))).toMatchObject([
      { document: { title: 'Mud', year: 2024 } },
      { line: 3, problem: 'not a paper but a patent', reason: 'not_a_paper' },
    ]);
  });
});

it('reads a field with separators of lines', async () => {
  const content = 'PT J\nUT WOS:1\nTI Tides\u2028of the bay\nAB It rose.\u2029It fell.\nER\n';
  expect(await entriesOf(wosFormat, content)).toMatchObject([
    { document: { title: 'Tides of the bay', abstract: 'It rose. It fell.' } },
  ]);
});
