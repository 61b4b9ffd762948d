/**
 * An index on PostgreSQL. A view is a read-only transaction that sees one snapshot. It begins and reads
 * the facts of the index in one round trip, and its end is not waited for. Views run side by side, as
 * many as there are connections.
 */

import type { Database, Queries } from '../../database/postgres/postgres-database.ts';
import type { ModelIdentity } from '../../types.ts';
import type { DenseLimits } from '../dense/dense-retrieval.ts';
import type { WithheldDocuments } from '../documents/withheld-documents.ts';
import type { LexicalLimits } from '../lexical/lexical-retrieval.ts';
import type { IndexSource, IndexView } from '../ports/index-source.ts';
import {
  damagedDocument,
  type OnDamage,
  reportingDamaged,
  warnOfDamage,
} from '../ports/report-damaged.ts';
import { type AllowedRows, readAllowedRows } from './allowed-rows.ts';
import { findNearest } from './find-nearest.ts';
import { matchWords } from './match-words.ts';
import { onServers } from './on-servers.ts';
import {
  readDocuments,
  readForwardEntries,
  readMerged,
  readNumbers,
  readWithheld,
  readWithKeys,
  readWithTitle,
} from './read-documents.ts';
import {
  assertUsableFacts,
  FACTS_SQL,
  type Facts,
  modelOf,
  namingMissingTables,
  revisionOf,
  stateOf,
} from './read-facts.ts';
import { createStateCache } from './state-cache.ts';
import { readLastBuild, readSummary } from './summary.ts';
import { createTermFrequencies, type TermFrequencies } from './term-frequencies.ts';

export interface PostgresLimits
  extends LexicalLimits,
    Pick<DenseLimits, 'exactScanMax' | 'filteredExactMax'> {
  /** Vectors that a search of the HNSW index keeps in mind. More find better and take longer. */
  hnswSearched: number;
}

/**
 * `database` is closed with the source. Nothing connects before the first view. Each view rejects as
 * `assertUsableFacts` does: another program may have changed what is there, and a database that was
 * down comes back.
 */
export function createPostgresSource(
  database: Database,
  limits: PostgresLimits,
  {
    model,
    onDamage = warnOfDamage,
  }: {
    model?: ModelIdentity | undefined;
    onDamage?: OnDamage | undefined;
  } = {},
): IndexSource {
  const opening = `${settingsOf(limits)}; ${FACTS_SQL}`;
  const cachedOf = createStateCache<Cached>(() => ({
    frequencies: createTermFrequencies(),
    withheld: undefined,
  }));
  const withFacts = <Result>(
    work: (queries: Queries, facts: Facts) => Promise<Result>,
  ): Promise<Result> =>
    database
      .view(opening, async (queries, rows) => {
        const [facts] = rows as [Facts];
        assertUsableFacts(facts, model);
        return work(queries, facts);
      })
      .catch((error: unknown) => {
        throw namingMissingTables(error);
      });
  return {
    view: (work) =>
      withFacts((queries, facts) =>
        work(createView(queries, { facts, limits, cached: cachedOf(facts.revision), onDamage })),
      ),
    model: () => withFacts(async (_, facts) => modelOf(facts)),
    refresh: async () => undefined,
    close: () => database.close(),
  };
}

/** `strict_order` goes on where a filter leaves too few, in the order that partitions are merged by. */
function settingsOf({ hnswSearched }: PostgresLimits): string {
  return `SET LOCAL jit = off; SET LOCAL hnsw.ef_search = ${hnswSearched};
    SET LOCAL hnsw.iterative_scan = 'strict_order'`;
}

/** What is kept of the newest state of the index. */
interface Cached {
  frequencies: TermFrequencies;
  withheld: WithheldDocuments | undefined;
}

interface ViewOptions {
  facts: Facts;
  limits: PostgresLimits;
  cached: Cached;
  onDamage: OnDamage;
}

/** Facts and frequencies are in the database itself, documents perhaps on several servers. */
function createView(own: Queries, { facts, limits, cached, onDamage }: ViewOptions): IndexView {
  const queries = facts.is_spread
    ? onServers(own, { state: revisionOf(facts), opening: settingsOf(limits) })
    : own;
  const { documents, sentences } = facts;
  return {
    revision: async () => revisionOf(facts),
    state: async () => stateOf(facts),
    totals: async () => ({ documents, sentences }),
    async summary() {
      return readSummary(queries, { documents, sentences }, await readLastBuild(own));
    },
    async statistics(terms) {
      const frequencies = await cached.frequencies.read(own, terms);
      return {
        documents,
        lengthMean: documents > 0 ? facts.terms / documents : 1,
        frequencyOf(term) {
          const frequency = frequencies.get(term);
          if (frequency === undefined) throw new Error(`nobody asked for term ${term}`);
          return frequency;
        },
      };
    },
    matchWords: (words, allowed) =>
      matchWords(queries, words, {
        limits,
        indexedUpTo: facts.indexed_up_to,
        lastDocument: facts.last_document,
        allowed: allowed as AllowedRows | undefined,
      }),
    nearest: (query) =>
      findNearest(queries, query, {
        vectorIndex: facts.vector_index,
        dimensions: query.vector.length,
        isExact: documents <= limits.exactScanMax,
      }),
    allowed: (filter) =>
      readAllowedRows(queries, filter, { documents, fewMax: limits.filteredExactMax }),
    async withheld() {
      cached.withheld ??= await readWithheld(queries);
      return cached.withheld;
    },
    forwardEntries: (numbers) => readForwardEntries(queries, numbers),
    documents: async (numbers) =>
      reportingDamaged(numbers, await readDocuments(queries, numbers), onDamage),
    merged: async (numbers) =>
      reportingDamaged(numbers, await readMerged(queries, numbers), onDamage),
    withIds: (ids) => readNumbers(queries, ids),
    withKeys: (keys) => readWithKeys(queries, keys, () => onDamage(damagedDocument())),
    withTitle: (title, most) => readWithTitle(queries, title, most),
  };
}
