/** Copies an index from an SQLite file to an empty database with pgvector, or to several behind a front. */
import { openStoreForReading } from '../../src/database/open.ts';
import { openIndexDatabase } from '../../src/index/postgres/migrations/migrate-postgres-index.ts';
import { openOptions } from '../measure/databases.ts';
import { count, flag, required, several, type ValuesOf } from '../measure/options.ts';
import type { Outcome } from '../measure/report.ts';
import { defineMeasurement } from '../measure/run.ts';
import { loadIndex } from './load-index.ts';
import { loadServers } from './load-servers.ts';

const LIMITS = { connectionsMax: 2, connectTimeoutMs: 5_000, statementTimeoutMs: 3_600_000 };

const options = {
  db: required('the index on SQLite'),
  url: required('the database for the same index', 'postgres://…'),
  shards: count(1, 'partitions'),
  bits: flag('HNSW compares one bit of each component'),
  server: several('a server for a share of the papers; --url is their front then', 'postgres://…'),
};

export const measurement = defineMeasurement({ options, run: load });

async function load(values: ValuesOf<typeof options>): Promise<Outcome> {
  const { url: front, server: servers, shards } = values;
  const vectorIndex = values.bits ? 'bit' : 'halfvec';
  const db = openStoreForReading(openOptions(values.db));
  if (servers.length > 0) await loadServers(db, { front, servers, vectorIndex, ...LIMITS });
  else {
    const tables = { shards, vectorIndex } as const;
    const writing = await openIndexDatabase({ url: front, ...LIMITS, ...tables });
    await loadIndex(db, writing, tables);
    await writing.close();
  }
  db.close();
  return { report: {}, shown: ['loaded'] };
}
