/**
 * An index on PostgreSQL. A view is a read-only transaction that sees one snapshot. It begins and reads
 * the facts of the index in one round trip, and its end is not waited for. Views run side by side, as
 * many as there are connections.
 */

import type { Database, Queries } from '../../database/postgres/postgres-database.ts';
import { readOnPostgres, runOnPostgres } from '../../database/postgres/run-on-postgres.ts';
import type { DocumentNumber } from '../../types.ts';
import type { SourceOptions } from '../ports/index.ts';
import type { IndexFigures, IndexSource, IndexView, SourceLimits } from '../ports/index-source.ts';
import {
  damagedDocument,
  type OnDamage,
  reportingDamaged,
  warnOfDamage,
} from '../ports/report-damaged.ts';
import { readChanges } from '../records/read-changes.ts';
import { listSources } from '../sources/list-sources.ts';
import { type AllowedRows, readAllowedRows } from './allowed-rows.ts';
import { readBuilds, readLastBuild } from './builds.ts';
import { cachedFor } from './cached-for.ts';
import { readCiting, readNewestFirst, readReferences } from './citations.ts';
import {
  readDocuments,
  readForwardEntries,
  readNumbers,
  readTitles,
  readWithheld,
  readWithTitle,
} from './documents.ts';
import {
  assertUsableFacts,
  FACTS_SQL,
  type IndexFacts,
  modelOf,
  namingMissingTables,
  readFacts,
  revisionOf,
  stateOf,
} from './facts.ts';
import { matchWords } from './match-words.ts';
import { findNearest } from './nearest.ts';
import { onServers } from './on-servers.ts';
import { readWithKeys, readWithRecords } from './records.ts';
import { createStateCaches, readFrequencies, type StateCache } from './state-cache.ts';
import { readSummary } from './summary.ts';

/**
 * `database` is closed with the source. Nothing connects before the first view. Each view rejects as
 * `assertUsableFacts` does: another program may have changed what is there, and a database that was
 * down comes back.
 */
export function createPostgresSource(
  database: Database,
  limits: SourceLimits,
  {
    model,
    onDamage = warnOfDamage,
    factsKeptMs = 0,
  }: Omit<SourceOptions, 'limits'> & { factsKeptMs?: number } = {},
): IndexSource {
  const opening = `${settingsOf(limits)}; ${FACTS_SQL}`;
  const cacheOf = createStateCaches();
  const withFacts = <Result>(
    work: (queries: Queries, facts: IndexFacts) => Promise<Result>,
  ): Promise<Result> =>
    database
      .view(opening, async (queries, rows) => {
        const [facts] = rows as [IndexFacts];
        assertUsableFacts(facts, model);
        return work(queries, facts);
      })
      .catch((error: unknown) => {
        throw namingMissingTables(error);
      });
  return {
    view: (work) =>
      withFacts((queries, facts) =>
        work(createView(queries, { facts, limits, cache: cacheOf(facts.revision), onDamage })),
      ),
    model: () => withFacts(async (_, facts) => modelOf(facts)),
    refresh: async () => undefined,
    copy: () => undefined,
    switches: () => 0,
    figures: createFigures(database, factsKeptMs, (facts) => assertUsableFacts(facts, model)),
    close: () => database.close(),
  };
}

/** `strict_order` goes on where a filter leaves too few, in the order that partitions are merged by. */
function settingsOf({ hnswSearched }: SourceLimits): string {
  return `SET LOCAL jit = off; SET LOCAL hnsw.ef_search = ${hnswSearched};
    SET LOCAL hnsw.iterative_scan = 'strict_order'`;
}

/** What was read is used for a while, so that a search waits for no further round trip. */
function createFigures(
  database: Database,
  keptMs: number,
  assertUsable: (facts: IndexFacts) => void,
): IndexFigures {
  const factsNow = cachedFor(keptMs, async () => {
    const facts = await readFacts(database);
    assertUsable(facts);
    return facts;
  });
  const documentsOf = (facts: IndexFacts): Queries => withDocuments(database, facts);
  /** A front answers also while a server with documents is down. */
  const reachableFacts = cachedFor(keptMs, async () => {
    const facts = await factsNow();
    if (facts.isSpread) await documentsOf(facts).query('SELECT 1 AS reached');
    return facts;
  });
  const lastBuild = cachedFor(keptMs, () => readLastBuild(database));
  return {
    async totals() {
      const { documents, sentences } = await reachableFacts();
      return { documents, sentences };
    },
    countDocuments: async () => (await factsNow()).documents,
    state: async () => stateOf(await factsNow()),
    async titleAt(share) {
      const facts = await factsNow();
      const rows = await documentsOf(facts).query<{ number: DocumentNumber; title: string }>(
        `SELECT number, title FROM documents WHERE number > $1::integer
         ORDER BY number LIMIT 1`,
        [Math.floor(share * facts.lastDocument)],
      );
      return rows.sort((a, b) => a.number - b.number)[0]?.title;
    },
    lastBuildAt: lastBuild,
    builds: (most) => readBuilds(database, most),
    sources: () => readOnPostgres(database, () => listSources(Date.now())),
  };
}

/** Facts and frequencies are in the database itself, documents perhaps on several servers. */
function withDocuments(own: Queries, facts: IndexFacts, opening = ''): Queries {
  return facts.isSpread ? onServers(own, { state: revisionOf(facts), opening }) : own;
}

interface ViewOptions {
  facts: IndexFacts;
  limits: SourceLimits;
  cache: StateCache;
  onDamage: OnDamage;
}

function createView(own: Queries, { facts, limits, cache, onDamage }: ViewOptions): IndexView {
  const queries = withDocuments(own, facts, settingsOf(limits));
  const { documents, sentences } = facts;
  return {
    revision: async () => revisionOf(facts),
    state: async () => stateOf(facts),
    totals: async () => ({ documents, sentences }),
    async summary() {
      return readSummary(queries, { documents, sentences }, await readLastBuild(own));
    },
    async changes(after, most) {
      return { index: facts.id, ...(await runOnPostgres(own, readChanges(after, most))) };
    },
    async statistics(terms) {
      const frequencies = await readFrequencies(own, terms, cache);
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
      matchWords(queries, words, { limits, facts, allowed: allowed as AllowedRows | undefined }),
    nearest: (query) =>
      findNearest(queries, query, {
        vectorIndex: facts.vectorIndex,
        isExact: documents <= limits.exactScanMax,
      }),
    allowed: (filter) =>
      readAllowedRows(queries, filter, { documents, fewMax: limits.filteredExactMax }),
    async withheld() {
      cache.withheld ??= await readWithheld(queries);
      return cache.withheld;
    },
    forwardEntries: (numbers) => readForwardEntries(queries, numbers),
    documents: async (numbers) =>
      reportingDamaged(numbers, await readDocuments(queries, numbers), onDamage),
    async merged(numbers) {
      const found = await readWithRecords(queries, numbers);
      return reportingDamaged(
        numbers,
        found.map((one) => one?.merged),
        onDamage,
      );
    },
    titles: (numbers) => readTitles(queries, numbers),
    withIds: (ids) => readNumbers(queries, ids),
    withKeys: (keys) => readWithKeys(queries, keys, () => onDamage(damagedDocument())),
    references: (numbers) => readReferences(queries, numbers),
    citing: (keys) => readCiting(queries, keys),
    newestFirst: (numbers, page) => readNewestFirst(queries, numbers, page),
    withTitle: (title, most) => readWithTitle(queries, title, most),
  };
}
