/** Draws the queries of a run from an index. */
import type { StoredDocument } from '../../../src/index/documents/stored-document.ts';
import { type IndexTotals, readTotals } from '../../../src/index/index-facts.ts';
import type { DocumentNumber } from '../../../src/types.ts';
import { withIndex } from '../index-access.ts';
import { drawQueries, type QueryCounts, type QuerySets } from '../queries.ts';
import type { Random } from '../random.ts';

export interface DrawInput {
  database: string;
  seed: number;
  counts: QueryCounts;
}

export interface Drawn extends IndexTotals {
  queries: QuerySets;
}

export function draw({ database, seed, counts }: DrawInput): Promise<Drawn> {
  return withIndex(database, ({ db, numbers, reader }) => {
    if (numbers.length === 0) throw new Error(`there are no documents in ${database}`);
    const readAny = (random: Random): StoredDocument =>
      reader.readUnchecked(numbers[random.below(numbers.length)] as DocumentNumber);
    return { ...readTotals(db), queries: drawQueries(counts, { seed, readAny }) };
  });
}
