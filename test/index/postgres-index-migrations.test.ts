/** An index of version 0.2.0 on PostgreSQL has the tables of a new one. It needs pgvector. */
import { afterAll, expect, it, onTestFinished } from 'vitest';
import { openDatabase } from '../../src/database/postgres/postgres-database.ts';
import { wantedAuthorKeys } from '../../src/identity/author-keys.ts';
import { openIndexDatabase } from '../../src/index/postgres/migrations/migrate-postgres-index.ts';
import { postgresCatalog } from '../database/migrations/postgres-catalog.ts';
import { storedSql } from '../database/migrations/stored-databases.ts';
import { DATABASE_LIMITS, makeDatabase, startVectorCluster } from './vector-cluster.ts';

const cluster = await startVectorCluster();
afterAll(() => cluster?.stop());

const tables = { shards: 2, vectorIndex: 'halfvec' } as const;
const open = (url: string) => openIndexDatabase({ url, ...DATABASE_LIMITS, ...tables });

if (cluster !== undefined) {
  /** The address of a database with the stored tables, changed by further SQL. */
  const makeStored = async (change = ''): Promise<string> => {
    const url = await makeDatabase(cluster);
    const database = openDatabase({ url, ...DATABASE_LIMITS });
    await database.query(storedSql('postgres-index-2') + change);
    await database.close();
    return url;
  };

  it('tables of version 0.2.0 become those of a new index', async () => {
    const [old, made] = [await open(await makeStored()), await open(await makeDatabase(cluster))];
    onTestFinished(async () => {
      await Promise.all([old.close(), made.close()]);
    });
    expect(await postgresCatalog(old)).toEqual(await postgresCatalog(made));
    const facts = "SELECT to_jsonb(index_facts) - 'id' AS facts FROM index_facts";
    expect(await old.query(facts)).toEqual(await made.query(facts));
  });

  it('papers are found by the authors that each record names', async () => {
    const document = (number: number, names: string) =>
      `INSERT INTO documents VALUES (${number % 2}, ${number}, 'p${number}', '', '', 0, '${names}', '', '', '')`;
    const record = (number: number, document: number, fields: string) =>
      `INSERT INTO source_records VALUES
        (${number % 2}, ${number}, ${document}, '', NULL, '', 0, NULL, NULL, ${fields})`;
    const stored = [
      document(1, '["Ana Silva", "Bo Dahl"]'),
      document(2, '[]'),
      record(1, 1, 'NULL'),
      record(2, 2, `'{"authors": ["Núñez, C."]}'`),
      record(3, 1, `'{"title": "T", "authors": ["Silva, Ana"]}'`),
      record(4, -1, `'{"authors": ["Nobody"]}'`),
    ];
    const database = await open(await makeStored(stored.join(';')));
    onTestFinished(() => database.close());
    const found = (author: string) =>
      database.query(
        'SELECT shard, document FROM author_keys WHERE key = ANY($1::bigint[]) ORDER BY document',
        [wantedAuthorKeys([author])],
      );
    expect(await found('ana silva')).toEqual([{ shard: 1, document: 1 }]);
    expect(await found('Bo Dahl')).toEqual([{ shard: 1, document: 1 }]);
    expect(await found('C Nunez')).toEqual([{ shard: 0, document: 2 }]);
    expect(await database.query('SELECT FROM author_keys')).toHaveLength(3);
  });

  it('counts of citations are those that the records have', async () => {
    const database = await open(
      await makeStored(`
        INSERT INTO document_facets (shard, document, year, type, flags, venue, sources)
        VALUES (1, 1, 0, 0, 1, 0, 0), (0, 2, 0, 0, 1, 0, 0), (1, 3, 0, 0, 1, 0, 0);
        INSERT INTO source_records (shard, number, document, source, hash, updated_at, details)
        VALUES (1, 1, 1, 'doi', '', 0, '{"citationCount":7}'),
          (1, 3, 1, 'openalex', '', 0, '{"citationCount":70000}'),
          (0, 2, 2, 'doi', '', 0, '{"type":"review"}'),
          (1, 5, 3, 'doi', '', 0, '{"citationCount":4294967296}'),
          (1, 7, -1, 'doi', '', 0, '{"citationCount":9}');`),
    );
    onTestFinished(() => database.close());
    const counts = 'SELECT document, citations FROM document_facets ORDER BY document';
    expect(await database.query(counts)).toEqual([
      { document: 1, citations: 70_000 },
      { document: 2, citations: 0 },
      { document: 3, citations: 2 ** 31 - 1 },
    ]);
  });

  it('older ones are refused', async () => {
    const url = await makeStored('DELETE FROM index_migrations WHERE number > 1');
    await expect(open(url)).rejects.toMatchObject({
      code: 'database_unusable',
      message:
        'PostgreSQL has tables of version 1; they are older than those of Verbatim 0.2.0; start a ' +
        'server of that version first',
    });
  });
}
