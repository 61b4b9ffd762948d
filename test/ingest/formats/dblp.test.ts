import { expect, it } from 'vitest';
import { dblpFormat } from '../../../src/ingest/formats/dblp.ts';
import { recognizeFormat } from '../../../src/ingest/formats.ts';
import { entriesOf, fixture, recordOf, sourceOf } from '../read-format.ts';

it('the dblp format reads papers and the entities of its document type', async () => {
  const content = fixture('dblp.xml');
  expect((await recognizeFormat(sourceOf(content))).name).toBe('dblp');
  expect(await entriesOf(dblpFormat, content)).toEqual([
    {
      line: 4,
      document: recordOf({
        id: '10.5555/grass.121',
        title: 'Growth of Zostera in CO2: Ä study',
        year: 2019,
        authors: ['Anna Berg', 'Bo Dávila'],
        venue: 'Shore J.',
        identifiers: { doi: '10.5555/grass.121' },
        updatedAt: Date.UTC(2020, 5, 8),
      }),
    },
    {
      line: 5,
      document: recordOf({
        id: 'arXiv:2001.00122',
        title: 'Why mud?',
        year: 2020,
        authors: ['Cai Lind'],
        venue: 'CoRR',
        identifiers: { arxiv: '2001.00122' },
        withheld: 'withdrawn',
        updatedAt: Date.UTC(2021, 0, 1),
      }),
    },
    {
      line: 6,
      document: recordOf({
        id: 'ACL:2020.shore-main.7',
        title: 'And so on...',
        year: 2020,
        venue: 'SHORE',
        authors: ['Di Ek'],
        identifiers: { acl: '2020.shore-main.7' },
      }),
    },
    { line: 7, problem: '<proceedings> is not a paper', reason: 'not_a_paper' },
    { line: 8, problem: '<www> is not a paper', reason: 'not_a_paper' },
    { line: 9, problem: expect.stringContaining('undefined entity'), reason: 'malformed' },
    {
      line: 10,
      document: recordOf({
        id: 'DBLP:phd/Holm2',
        title: 'Sand waves',
        year: 1999,
        authors: ['Eva Holm'],
        venue: 'Shore University',
      }),
    },
  ]);
});
