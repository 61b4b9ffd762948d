import { describe, expect, it } from 'vitest';
import { csvFormat } from '../../../src/ingest/formats/csv.ts';
import { wosFormat } from '../../../src/ingest/formats/wos.ts';
import { recogniseFormat } from '../../../src/ingest/formats.ts';
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
    expect((await recogniseFormat(sourceOf(text))).name).toBe('wos');
    expect(await entriesOf(wosFormat, text)).toEqual(EXPECTED);
  });

  it('leaves the tab-delimited file to the tables, which know its columns', async () => {
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
    expect((await recogniseFormat(sourceOf(text))).name).toBe('csv');
    const document = { title: 'Mud', authors: ['Cai Lind', 'Di Ek'], venue: 'SHORES', year: 2020 };
    expect(await entriesOf(csvFormat, text)).toMatchObject([{ document }]);
  });

  it('is recognised without its first lines', async () => {
    const text = 'PT J\nAU Berg, A\nTI Tides\nUT WOS:1\nER\n';
    expect((await recogniseFormat(sourceOf(text))).name).toBe('wos');
  });
});
