/**
 * The index source on PostgreSQL, with a cluster of the test's own: with an index of 16-bit components
 * and with one of bits, in one partition and in three. It needs pgvector.
 */
import { afterAll } from 'vitest';
import { loadIndex } from '../../scripts/postgres-index/load-index.ts';
import { openStore } from '../../src/database/open.ts';
import { openDatabase } from '../../src/database/postgres/postgres-database.ts';
import { createIndexWriter } from '../../src/index/documents/index-writer.ts';
import { claimModel } from '../../src/index/index-facts.ts';
import { extendPostings } from '../../src/index/lexical/extend-postings.ts';
import type { TablesOptions } from '../../src/index/postgres/migrations/index-tables.ts';
import { openIndexDatabase } from '../../src/index/postgres/migrations/migrate-postgres-index.ts';
import { createPostgresSource } from '../../src/index/postgres/postgres-source.ts';
import { readSettings } from '../../src/settings/config.ts';
import type { Cluster } from '../accounts/postgres/postgres-cluster.ts';
import type { MakeSource } from './conformance/source/source-under-test.ts';
import { testSource } from './conformance/source/suite.ts';
import { toyModel } from './memory-index.ts';
import { arrive } from './toy-incoming-records.ts';
import { DATABASE_LIMITS as LIMITS, makeDatabase, startVectorCluster } from './vector-cluster.ts';

const cluster = await startVectorCluster();
afterAll(() => cluster?.stop());

function onPostgres(own: Cluster, options: TablesOptions, exactScanMax: number): MakeSource {
  return async ({ records, later }) => {
    const url = await makeDatabase(own);
    const writing = await openIndexDatabase({ url, ...LIMITS, ...options });
    const db = openStore({ path: ':memory:', lockWaitMs: 0 });
    claimModel(db, toyModel);
    const writer = createIndexWriter(db);
    for (const record of records) arrive(writer, record);
    for (const _ of extendPostings(db));
    for (const record of later) arrive(writer, record);
    await loadIndex(db, writing, options);
    const limits = readSettings({ exactScanMax, filteredExactMax: exactScanMax }, {});
    const database = openDatabase({ url, ...LIMITS, isPrepared: true });
    const source = createPostgresSource(database, limits, { model: toyModel });
    return {
      source,
      async add(record) {
        arrive(writer, record);
        await loadIndex(db, writing, options);
      },
      async close() {
        await source.close();
        await writing.close();
        db.close();
      },
    };
  };
}

if (cluster !== undefined) {
  const vectorIndex = 'halfvec';
  testSource('PostgreSQL, scanned', onPostgres(cluster, { shards: 1, vectorIndex }, 1_000));
  testSource('PostgreSQL, by HNSW', onPostgres(cluster, { shards: 3, vectorIndex }, 0));
  testSource('PostgreSQL, by bits', onPostgres(cluster, { shards: 2, vectorIndex: 'bit' }, 0));
}
