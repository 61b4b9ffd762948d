import { describe, expect, it } from 'vitest';
import { doajFormat } from '../../../src/ingest/formats/doaj.ts';
import { recognizeFormat } from '../../../src/ingest/formats.ts';
import { jsonLines } from '../index-files.ts';
import { entriesOf, fixture, recordOf, sourceOf } from '../read-format.ts';

const EXPECTED = [
  {
    line: 1,
    document: {
      id: '10.5555/weed.111',
      title: 'Weed & sand',
      abstract: 'Weed grows.\n\nIt dies.',
      year: 2016,
      authors: ['Anna Berg', 'Bo Dahl'],
      venue: 'Shore Letters',
      identifiers: { doi: '10.5555/weed.111' },
      updatedAt: Date.UTC(2023, 1, 3, 4, 5, 6),
    },
  },
  { line: 2, document: recordOf({ id: 'DOAJ:aa02', title: 'Mud', venue: 'Shore Letters' }) },
  { line: 3, problem: 'not a paper but a journal', reason: 'not_a_paper' },
];

describe('the doaj format', () => {
  const dump = fixture('doaj.json').toString();
  const articles = JSON.parse(dump);
  const page = { total: 3, page: 1, pageSize: 10, query: 'sand', results: articles, last: 'x' };

  it.each([
    ['the dump', dump, 3],
    ['a page of the API', JSON.stringify(page), 3],
    ['a page over many lines', JSON.stringify(page, null, 2), 3],
    ['lines', jsonLines(articles), 3],
    ['one article', JSON.stringify(articles[0]), 1],
  ])('reads %s', async (_, content, count) => {
    expect((await recognizeFormat(sourceOf(content))).name).toBe('doaj');
    expect(await entriesOf(doajFormat, content)).toEqual(EXPECTED.slice(0, count));
  });
});
