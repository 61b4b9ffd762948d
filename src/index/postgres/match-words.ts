/** Lexical retrieval over postings on PostgreSQL, within the same budget as on SQLite. */

import type { Queries } from '../../database/postgres/postgres-database.ts';
import type { DocumentNumber } from '../../types.ts';
import {
  byRarity,
  type LexicalLimits,
  matchesOf,
  type WeightedWord,
  type WordMatches,
  walkedMax,
} from '../lexical/lexical-retrieval.ts';
import { type AllowedRows, readAmongAllowed } from './allowed-rows.ts';
import { readPostings } from './lexical.ts';

export interface MatchOptions {
  limits: LexicalLimits;
  indexedUpTo: DocumentNumber;
  lastDocument: DocumentNumber;
  allowed: AllowedRows | undefined;
}

/** Finds documents with the rarest of the words. */
export async function matchWords(
  queries: Queries,
  words: readonly WeightedWord[],
  { limits, allowed, ...behind }: MatchOptions,
): Promise<WordMatches> {
  const budget = walkedMax(limits, allowed);
  const chosen = chooseWords(words, budget);
  const terms = [...new Set(chosen.map(({ term }) => term))];
  const laterMax = limits.postingsMax;
  const postings = await readPostings(queries, terms, { ...behind, most: budget, laterMax });
  let left = budget;
  const walked = chosen.map((word) => {
    const items = (postings.get(word.term) ?? new Uint32Array(0)).subarray(0, Math.max(0, left));
    left -= items.length;
    return { items, weight: word.weight };
  });
  const isAllowed = await allowedAmong(queries, walked, allowed);
  return matchesOf(
    walked.map(({ items, weight }) => {
      const kept = isAllowed === undefined ? items : items.filter((one) => isAllowed.has(one));
      return { items: kept, values: new Float64Array(kept.length).fill(weight) };
    }),
  );
}

/** The rarest words whose documents fit into the budget; the first one in any case. */
function chooseWords(words: readonly WeightedWord[], budget: number): WeightedWord[] {
  const chosen: WeightedWord[] = [];
  let left = budget;
  for (const word of [...words].sort(byRarity)) {
    if (word.frequency > left && left < budget) break;
    chosen.push(word);
    left -= word.frequency;
    if (left <= 0) break;
  }
  return chosen;
}

async function allowedAmong(
  queries: Queries,
  walked: readonly { items: Uint32Array }[],
  allowed: AllowedRows | undefined,
): Promise<ReadonlySet<number> | undefined> {
  if (allowed === undefined) return undefined;
  const all = new Set(walked.flatMap(({ items }) => [...items]));
  return all.size === 0 ? all : readAmongAllowed(queries, [...all], allowed);
}
