/**
 * The readers of the main thread on PostgreSQL. What they have read is used for a while, so that a
 * search waits for no further round trip.
 */
import type { Database, Queries } from '../../database/postgres/postgres-database.ts';
import type { DocumentNumber, ModelIdentity } from '../../types.ts';
import type { IndexReaders } from '../ports/index-readers.ts';
import { cachedFor } from './cached-for.ts';
import { onServers } from './on-servers.ts';
import { readBuilds } from './postgres-builds.ts';
import { assertUsableFacts, FACTS_SQL, type Facts, revisionOf, stateOf } from './read-facts.ts';
import { readLastBuild } from './summary.ts';

export interface PostgresReadersOptions {
  keptMs: number;
  /** The model of the server. */
  model: ModelIdentity;
  /** Names a state. */
  versionOf: (state: string) => string;
}

export function createPostgresReaders(
  database: Database,
  { keptMs, model, versionOf }: PostgresReadersOptions,
): IndexReaders {
  const factsNow = cachedFor(keptMs, async () => {
    const [facts] = await database.query<Facts>(FACTS_SQL);
    assertUsableFacts(facts as Facts, model);
    return facts as Facts;
  });
  const withDocuments = (facts: Facts): Queries =>
    facts.is_spread ? onServers(database, { state: revisionOf(facts), opening: '' }) : database;
  /** A front answers also while a server with documents is down. */
  const reachableFacts = cachedFor(keptMs, async () => {
    const facts = await factsNow();
    if (facts.is_spread) await withDocuments(facts).query('SELECT 1 AS reached');
    return facts;
  });
  const lastBuild = cachedFor(keptMs, async () => ({ at: await readLastBuild(database) }));
  return {
    engine: 'postgresql',
    async totals() {
      const { documents, sentences } = await reachableFacts();
      return { documents, sentences };
    },
    countDocuments: async () => (await factsNow()).documents,
    indexVersion: async () => versionOf(stateOf(await factsNow())),
    async titleAt(share) {
      const facts = await factsNow();
      const rows = await withDocuments(facts).query<{ number: DocumentNumber; title: string }>(
        `SELECT number, title FROM documents WHERE number > $1::integer
         ORDER BY number LIMIT 1`,
        [Math.floor(share * facts.last_document)],
      );
      return rows.sort((a, b) => a.number - b.number)[0]?.title;
    },
    lastBuildAt: async () => (await lastBuild()).at,
    builds: (most) => readBuilds(database, most),
  };
}
