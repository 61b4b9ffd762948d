import { expect, it } from 'vitest';
import { refworksFormat } from '../../../src/ingest/formats/refworks.ts';
import { aboutIn, entriesOf, fixture, recognizes, recordOf } from '../read-format.ts';

it('reads records after a legend, and the names of Chinese databases', async () => {
  expect(recognizes(refworksFormat, fixture('refworks.txt'))).toBe(true);
  expect(await entriesOf(refworksFormat, fixture('refworks.txt'))).toEqual([
    {
      line: 10,
      document: recordOf({
        id: '10.5555/grass.81',
        title: 'Growth of eelgrass & kelp in warm water',
        abstract: 'Eelgrass grew. It was warm.',
        year: 2019,
        authors: ['Anna M. Berg', 'Bo Dahl Jr.', 'Shore Group'],
        venue: 'Shore Journal',
        identifiers: { doi: '10.5555/grass.81', pmid: '31000001' },
      }),
    },
    {
      line: 29,
      document: recordOf({
        id: '10.5555/mud.2',
        title: '海草',
        year: 2001,
        authors: ['张三', '李四', '王五'],
        venue: 'Proceedings of Mud',
        identifiers: { doi: '10.5555/mud.2' },
      }),
    },
    { line: 37, document: recordOf({ year: 1999 }) },
  ]);
  const [grass] = await aboutIn(refworksFormat, fixture('refworks.txt'));
  expect(grass).toEqual({ languages: ['English'], types: ['Journal Article'], fields: [] });
});

it('is not recognized by a word that looks like its tag', () => {
  expect(recognizes(refworksFormat, 'RT Journal Article\n')).toBe(false);
  expect(recognizes(refworksFormat, 'RT is short for room temperature\nA1 Berg\n')).toBe(false);
});
