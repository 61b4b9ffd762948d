import { expect, it } from 'vitest';
import { ovidFormat } from '../../../src/ingest/formats/ovid.ts';
import { aboutIn, entriesOf, fixture, recognizes, recordOf } from '../read-format.ts';

it('reads records of different databases', async () => {
  expect(recognizes(ovidFormat, fixture('ovid.txt'))).toBe(true);
  expect(await entriesOf(ovidFormat, fixture('ovid.txt'))).toEqual([
    {
      line: 1,
      document: recordOf({
        id: '10.5555/grass.81',
        title: 'Growth of eelgrass in warm water.',
        abstract: 'Eelgrass grew - as we - show.',
        year: 2019,
        authors: ['Anna M. Berg', 'Bo III Dahl'],
        venue: 'Shore Journal',
        identifiers: { doi: '10.5555/grass.81' },
      }),
    },
    {
      line: 19,
      document: recordOf({
        id: 'PMID:31000001',
        title: 'Mud of the bay.',
        year: 2001,
        authors: ['Ek D', 'Lind AB'],
        venue: 'Mud Letters',
        identifiers: { pmid: '31000001' },
      }),
    },
    {
      line: 31,
      document: recordOf({
        id: '2012-7',
        title: 'Kelp.',
        year: 2012,
        authors: ['Eva Fors'],
        venue: 'The book of kelp: A guide',
      }),
    },
    { line: 41, problem: 'not a paper but a patent', reason: 'not_a_paper' },
  ]);
  const [grass] = await aboutIn(ovidFormat, fixture('ovid.txt'));
  expect(grass).toEqual({ languages: ['English'], types: ['Article'], fields: [] });
});

it.each([
  ['Shores. 12(3):1-5, 2010 Jan.', 'Shores', 2010],
  ['Shores 12, Winter 2007: 7-14.', 'Shores', 2007],
  ['Shores. Conference: Mud, 2011.', 'Shores', 2011],
  ['Berg, A. [Editor], Dahl, B. [Editor]. Methods of mud.:371-397, 2004.', 'Methods of mud', 2004],
  ['Shores', 'Shores', 0],
])('finds journal and year in %s', async (source, venue, year) => {
  const text = `<1. >\nVN  - Ovid Technologies\nTI  - Tides\nSO  - ${source}\n`;
  expect(await entriesOf(ovidFormat, text)).toMatchObject([{ document: { venue, year } }]);
});

it('reads lines of any length in linear time', async () => {
  const long = (text: string): string => text.repeat(2 ** 17 / text.length);
  for (const text of [' ', ', ', '[a ', 'MD ', '[Ed ']) {
    const value = `x${long(text)}y`;
    const record = `<1. >\nVN  - Ovid Technologies\nTI  - ${value}\nAU  - ${value}\nSO  - ${value}\n`;
    expect(await entriesOf(ovidFormat, record, { lineBytesMax: 2 ** 23 })).toMatchObject([
      { line: 1, document: { identifiers: {} } },
    ]);
  }
});
