/**
 * An index on PostgreSQL passes the tests of every index that commands look at, and `verify` finds what
 * only PostgreSQL can have. It needs pgvector.
 */
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { openIndexDatabase } from '../../src/index/postgres/migrations/migrate-postgres-index.ts';
import { openPostgresBuilder } from '../../src/index/postgres/postgres-builder.ts';
import { createPostgresOperatorIndex } from '../../src/index/postgres/postgres-operator-index.ts';
import { createPostgresSource } from '../../src/index/postgres/postgres-source.ts';
import { createPostgresSourceStore } from '../../src/index/sources/source-stores.ts';
import { readSettings } from '../../src/settings/config.ts';
import type { Cluster } from '../accounts/postgres/postgres-cluster.ts';
import { recordOf } from '../identity/records.ts';
import { arrive } from './conformance/builder/index-under-test.ts';
import { type OperatedIndex, testOperatorIndex } from './conformance/operator/suite.ts';
import { testSourceStore } from './conformance/sources/suite.ts';
import { toyModel } from './memory-index.ts';
import { DATABASE_LIMITS, makeDatabase, startVectorCluster } from './vector-cluster.ts';

const cluster = await startVectorCluster();
afterAll(() => cluster?.stop());

async function openTables(own: Cluster) {
  const url = await makeDatabase(own);
  const tables = { shards: 2, vectorIndex: 'halfvec' } as const;
  return openIndexDatabase({ url, ...DATABASE_LIMITS, ...tables });
}

async function makeIndex(own: Cluster): Promise<OperatedIndex> {
  const database = await openTables(own);
  const builder = await openPostgresBuilder({ ...database, close: async () => {} }, toyModel);
  return {
    index: createPostgresOperatorIndex(database),
    builder,
    source: createPostgresSource(database, readSettings({}, {})),
    async damage(sql) {
      const titleKey = '(shard, key, document) VALUES (1, 7, 1)';
      await database.query(
        sql
          .replace('{forward}', 'forward_index')
          .replaceAll('{entry}', 'entry')
          .replace('{titleKey}', titleKey),
      );
    },
    close: () => database.close(),
  };
}

if (cluster !== undefined) {
  testOperatorIndex('PostgreSQL', () => makeIndex(cluster));
  testSourceStore('PostgreSQL', async () => {
    const database = await openTables(cluster);
    const builder = await openPostgresBuilder({ ...database, close: async () => {} }, toyModel);
    const store = createPostgresSourceStore(database);
    return { store, builder, close: store.close };
  });

  describe('verify of an index on PostgreSQL', () => {
    it.each([
      [
        'a vector of another document',
        'UPDATE vectors v SET own = w.own FROM vectors w WHERE w.document <> v.document',
        'vector is not that of',
      ],
      ['a lost row of terms', 'DELETE FROM recent_terms', 'its recent terms are not those'],
      ['a row in the wrong partition', 'UPDATE vectors SET shard = 0', 'in a wrong partition'],
      ['a document with an id twice', "UPDATE documents SET id = 'one'", 'several documents have'],
      ['totals', 'UPDATE index_facts SET sentences = 99', 'index_facts says 99'],
      ['facets', 'UPDATE document_facets SET year = 7', 'its facets differ'],
    ])('finds %s', async (_, sql, problem) => {
      const own = await makeIndex(cluster);
      onTestFinished(() => own.close());
      await arrive(own.builder, recordOf({ id: 'tides', title: 'Tides', abstract: 'It rose.' }));
      await arrive(own.builder, recordOf({ id: 'waves', title: 'Waves', abstract: 'They broke.' }));
      await own.damage(sql);
      const { problems } = await own.index.verify({ problemsMax: 100, onProgress: () => {} });
      expect(problems).toContainEqual(expect.stringContaining(problem));
    });
  });
}
