/** Lexical retrieval over postings on PostgreSQL, within the same budget as on SQLite. */

import type { Queries } from '../../database/postgres/postgres-database.ts';
import type { Term } from '../../text/terms.ts';
import type { DocumentNumber } from '../../types.ts';
import {
  byRarity,
  type LexicalLimits,
  matchesOf,
  type WeightedWord,
  type WordMatches,
  walkedMax,
} from '../lexical/lexical-retrieval.ts';
import { decodeBlock } from '../lexical/postings.ts';
import { type AllowedRows, readAmongAllowed } from './allowed-rows.ts';
import type { IndexFacts } from './facts.ts';

export interface MatchOptions {
  limits: LexicalLimits;
  facts: Pick<IndexFacts, 'indexedUpTo' | 'lastDocument'>;
  allowed: AllowedRows | undefined;
}

/** Finds documents with the rarest of the words. */
export async function matchWords(
  queries: Queries,
  words: readonly WeightedWord[],
  { limits, facts, allowed }: MatchOptions,
): Promise<WordMatches> {
  const budget = walkedMax(limits, allowed);
  const chosen = chooseWords(words, budget);
  const terms = [...new Set(chosen.map(({ term }) => term))];
  const laterMax = limits.postingsMax;
  const postings = await readPostings(queries, terms, { facts, most: budget, laterMax });
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

interface PostingsRow {
  term: number;
  /** Null for a document behind the watermark. */
  block: number | null;
  /** Base64, as for entries. */
  documents: string | null;
  document: DocumentNumber | null;
}

/**
 * Blocks of a term are read until they have enough documents; a block of all partitions is read whole,
 * so that the first documents of the index are the same in any number of partitions.
 */
const BLOCKS_SQL = `
  SELECT term, block, encode(documents, 'base64') AS documents, NULL::integer AS document
  FROM (SELECT term, block, documents,
          sum(octet_length(documents)) OVER (PARTITION BY term ORDER BY block)
            - sum(octet_length(documents)) OVER (PARTITION BY term, block) AS before
        FROM postings WHERE term = ANY($1::integer[])) AS counted
  WHERE before < 2 * $2::bigint`;

/** The same, with the documents behind the watermark. */
const BLOCKS_AND_LATER_SQL = `${BLOCKS_SQL}
  UNION ALL
  SELECT wanted.term, NULL, NULL, later.document
  FROM unnest($1::integer[]) AS wanted (term) CROSS JOIN LATERAL (
    SELECT document FROM recent_terms
    WHERE terms @> ARRAY[wanted.term] AND document > $3::integer
    ORDER BY document LIMIT $4::integer) AS later`;

/** Returns the first documents that have each of the terms, ascending: `most` and `laterMax` later ones. */
async function readPostings(
  { query }: Queries,
  terms: readonly Term[],
  {
    facts: { indexedUpTo, lastDocument },
    most,
    laterMax,
  }: Pick<MatchOptions, 'facts'> & { most: number; laterMax: number },
): Promise<ReadonlyMap<Term, Uint32Array>> {
  if (terms.length === 0) return new Map();
  const wanted = [terms.map((term) => term | 0), most];
  // Planning the look-up of later documents takes as long as reading the blocks.
  const rows =
    lastDocument > indexedUpTo
      ? await query<PostingsRow>(BLOCKS_AND_LATER_SQL, [...wanted, indexedUpTo, laterMax])
      : await query<PostingsRow>(BLOCKS_SQL, wanted);
  const found = new Map<Term, DocumentNumber[]>();
  for (const { term, block, documents, document } of rows) {
    const all = found.get(term >>> 0) ?? [];
    found.set(term >>> 0, all);
    if (document !== null) all.push(document);
    else if (block !== null && documents !== null) {
      // A block may name documents behind the watermark, which are among the later ones.
      const stored = { block, documents: Buffer.from(documents, 'base64') };
      for (const one of decodeBlock(stored)) if (one <= indexedUpTo) all.push(one);
    }
  }
  return new Map([...found].map(([term, all]) => [term, Uint32Array.from(all).sort()]));
}
