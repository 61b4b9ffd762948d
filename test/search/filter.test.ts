/** Searches with a filter, over an index in memory. */
import { describe, expect, it } from 'vitest';
import type { KeptRecord } from '../../src/identity/kept-record.ts';
import type { SearchFilter } from '../../src/types.ts';
import { ask } from './ask-index.ts';

/** Twenty papers of each year, all about the question. */
const PAPERS = Array.from({ length: 60 }, (_, at): Partial<KeptRecord> => {
  const year = 2018 + (at % 3);
  return {
    id: `paper-${at}`,
    title: `Moon ${at}`,
    abstract: `The moon pulls the sea on shore ${at}.`,
    year,
    venue: at === 7 ? 'Tides' : 'Shores',
    source: at < 10 ? 'arxiv' : 'doi',
  };
});

async function idsWith(filter: SearchFilter, limit = 50): Promise<string[]> {
  return (await ask(PAPERS, [], { filter, limit })).results.map(({ d }) => d);
}

describe('a filter of a search', () => {
  it('leaves as many results as the limit, if the index has them', async () => {
    const results = (
      await ask(PAPERS, [], {
        filter: { years: { from: 2019, to: 2019 } },
        limit: 20,
      })
    ).results;
    expect(results).toHaveLength(20);
    expect(new Set(results.map(({ y }) => y))).toEqual(new Set([2019]));
  });

  it('combines its fields', async () => {
    expect(await idsWith({ venues: ['tides'] })).toEqual(['paper-7']);
    expect(await idsWith({ venues: ['tides'], sources: ['doi'] })).toEqual([]);
    expect((await idsWith({ sources: ['arxiv'], years: { from: 2020, to: 2020 } })).sort()).toEqual(
      [...['paper-2', 'paper-5', 'paper-8']],
    );
  });

  it('finds papers by any form of their ids, and none for unknown ones', async () => {
    const papers = [{ ...PAPERS[0], id: '10.5555/moon', identifiers: { doi: '10.5555/moon' } }];
    const find = async (id: string) =>
      (await ask([...PAPERS.slice(1), ...papers], [], { filter: { ids: [id] } })).results;
    expect((await find('https://doi.org/10.5555/MOON')).map(({ d }) => d)).toEqual([
      '10.5555/moon',
    ]);
    expect((await find('paper-3')).map(({ d }) => d)).toEqual(['paper-3']);
    expect(await find('nothing')).toEqual([]);
  });

  it('gives the confidence of what it allows', async () => {
    const other = { id: 'other', title: 'Yeast', abstract: 'Cells stopped dividing.', year: 1999 };
    const answer = async (filter: SearchFilter) =>
      await ask([...PAPERS, other], [], { filter, limit: 3 });
    expect((await answer({ years: { from: 1999, to: 1999 } })).c).toBeLessThan(
      (await answer({ years: { from: 2018, to: 2020 } })).c,
    );
    expect(await answer({ ids: ['nothing'] })).toEqual({ n: 0, c: 0, results: [] });
  });

  it('and excluded papers work together', async () => {
    const filter: SearchFilter = { years: { from: 2018, to: 2018 } };
    const first = (await ask(PAPERS, [], { filter, limit: 15 })).results.map(({ d }) => d);
    const rest = (await ask(PAPERS, [], { filter, limit: 15, exclude: first })).results;
    expect(rest).toHaveLength(5);
    expect(first).not.toContain(rest[0]?.d);
  });
});
