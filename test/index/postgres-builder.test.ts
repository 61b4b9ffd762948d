/**
 * The builder of an index on PostgreSQL: the tests of every builder, and broken connections. Where
 * pgvector is not installed, they are skipped.
 */
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { type Database, openDatabase } from '../../src/database/postgres/postgres-database.ts';
import { VerbatimError } from '../../src/errors.ts';
import { openIndexDatabase } from '../../src/index/postgres/migrations/migrate-postgres-index.ts';
import { openPostgresBuilder } from '../../src/index/postgres/postgres-builder.ts';
import { createSqliteBuilder } from '../../src/index/sqlite/sqlite-builder.ts';
import { startCluster } from '../accounts/postgres/postgres-cluster.ts';
import { recordOf } from '../identity/records.ts';
import { jsonLines, scratchFolder, writeFiles } from '../ingest/index-files.ts';
import {
  arrive,
  type IndexUnderTest,
  incomingOf,
  planToy,
} from './conformance/builder/index-under-test.ts';
import { readPostgresContent } from './conformance/builder/postgres-content.ts';
import { readSqliteContent } from './conformance/builder/sqlite-content.ts';
import { runBuild, testBuilder } from './conformance/builder/suite.ts';
import { memoryIndex, toyModel } from './memory-index.ts';

const SHARDS = 3;
const LIMITS = { connectionsMax: 4, connectTimeoutMs: 60_000, statementTimeoutMs: 60_000 };
const TIDES = recordOf({ id: 'tides', title: 'Tides', abstract: 'It rose. It fell.' });

const cluster = startCluster();
const admin = openAt(cluster.url);
const available = await admin.query("SELECT FROM pg_available_extensions WHERE name = 'vector'");
const lacksPgvector = available.length === 0;
let databases = 0;

afterAll(async () => {
  await admin.close();
  cluster.stop();
});

function openAt(url: string): Database {
  return openDatabase({ url, ...LIMITS });
}

/** A database of its own, with the tables of an index. */
async function makeDatabase(): Promise<{ url: string; database: Database }> {
  const name = `index_${++databases}`;
  await admin.query(`CREATE DATABASE ${name}`);
  const url = cluster.url.replace('/postgres?', `/${name}?`);
  const tables = { shards: SHARDS, vectorIndex: 'halfvec' } as const;
  return { url, database: await openIndexDatabase({ url, ...LIMITS, ...tables }) };
}

async function makePostgresIndex(): Promise<IndexUnderTest> {
  const { url, database } = await makeDatabase();
  const opened: Database[] = [database];
  return {
    open: () => {
      const own = openAt(url);
      opened.push(own);
      return openPostgresBuilder({ ...own, close: async () => {} }, toyModel);
    },
    content: () => readPostgresContent(database),
    close: async () => {
      await Promise.all(opened.map((one) => one.close()));
    },
  };
}

describe.skipIf(lacksPgvector)('pgvector is installed, and', () => {
  testBuilder('PostgreSQL', makePostgresIndex);
});

describe.skipIf(lacksPgvector)('an index on PostgreSQL with pgvector', () => {
  async function newIndex(): Promise<Database> {
    const { database } = await makeDatabase();
    onTestFinished(() => database.close());
    return database;
  }

  it('has the same content as one in an SQLite file, after the same files', async () => {
    const works = [...Array(30).keys()].map((n) => ({
      id: `https://openalex.org/W${n}`,
      type: n % 5 === 0 ? 'review' : 'article',
      publication_year: 2000 + n,
      title: n % 7 === 0 ? `Retracted: Work ${n}` : `Work ${n} on the tides of the ${n}th coast`,
      updated_date: '2024-05-01',
      authorships: [],
      abstract_inverted_index: { It: [0], 'is.': [1], [`N${n}`]: [2] },
    }));
    const own = works.map(({ title }, n) => ({
      id: `10.5555/${n}`,
      title,
      abstract: `It was ${n}.`,
      year: 2000 + n,
    }));
    const paths = await writeFiles(await scratchFolder(), {
      'works.jsonl': jsonLines(works),
      'own.jsonl': jsonLines(own),
      'edited.jsonl': jsonLines(
        own.slice(0, 9).map((one) => ({ ...one, title: `Edited ${one.id}` })),
      ),
      'merged.csv': ['merge_date,id,merge_into_id', '2024-06-01,W3,W1', ''].join('\n'),
    });
    const database = await newIndex();
    const counts = await runBuild(await openPostgresBuilder(database, toyModel), paths);
    const db = memoryIndex();
    expect(counts).toEqual(await runBuild(createSqliteBuilder(db), paths));
    expect(counts).toMatchObject({ deleted: 1, updated: 9 });
    expect(await readPostgresContent(database)).toEqual(readSqliteContent(db));
  });

  it('is refused to another model', async () => {
    const database = await newIndex();
    await openPostgresBuilder(database, toyModel);
    const other = { ...toyModel, name: 'other', sha256: 'e'.repeat(64) };
    await expect(openPostgresBuilder(database, other)).rejects.toMatchObject({
      code: 'model_mismatch',
    });
  });

  it('applies a batch once if the answer to its commit is lost', async () => {
    const database = await newIndex();
    let losses = 1;
    const lossy: Database = {
      ...database,
      async transaction(work) {
        const result = await database.transaction(work);
        if (losses-- > 0) throw new VerbatimError('degraded', 'PostgreSQL: the connection broke');
        return result;
      },
    };
    losses = 0;
    const builder = await openPostgresBuilder(lossy, toyModel);
    await builder.startBuild({});
    losses = 1;
    expect(await arrive(builder, TIDES)).toBe('added');
    expect(await arrive(builder, { ...TIDES, title: 'Moon' })).toBe('updated');
    const { documents, totals } = await readPostgresContent(database);
    expect(documents).toMatchObject([{ title: 'Moon' }]);
    expect(totals.documents).toBe(1);
  });

  it('goes on after its connections were ended in the middle of a batch', async () => {
    const database = await newIndex();
    let ended = 0;
    const fragile: Database = {
      ...database,
      transaction: (work) =>
        database.transaction(async (queries) => {
          const result = await work(queries);
          if (ended++ === 1) {
            await admin.query(
              "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname LIKE 'index_%'",
            );
          }
          return result;
        }),
    };
    const builder = await openPostgresBuilder(fragile, toyModel);
    await builder.startBuild({});
    expect(await arrive(builder, TIDES)).toBe('added');
    expect(ended).toBeGreaterThan(2);
    expect((await readPostgresContent(database)).totals.documents).toBe(1);
  });

  it('keeps what was committed when the whole of PostgreSQL dies, and nothing else', async () => {
    const database = await newIndex();
    const builder = await openPostgresBuilder(database, toyModel);
    await builder.startBuild({});
    await arrive(builder, TIDES);
    const change = await planToy(builder, incomingOf(recordOf({ id: 'waves', title: 'Waves' })));
    cluster.crash();
    expect(await builder.apply([change], () => [])).toEqual([]);
    expect((await readPostgresContent(database)).totals.documents).toBe(2);
  });

  it('reads each partition by an index', async () => {
    const database = await newIndex();
    await openPostgresBuilder(database, toyModel);
    const statements = [
      'SELECT entry FROM forward_index WHERE document = ANY (ARRAY[1, 2])',
      'SELECT record FROM record_keys WHERE key = 7',
      'SELECT documents FROM postings WHERE term = 7 AND block = 0',
      'SELECT document FROM title_keys WHERE key = 7',
      "SELECT number FROM documents WHERE id = 'a'",
    ];
    for (const statement of statements) {
      const plan = await database.snapshot(async ({ query }) => {
        await query('SET LOCAL enable_seqscan = off');
        return await query<{ 'QUERY PLAN': string }>(`EXPLAIN (COSTS OFF) ${statement}`);
      });
      const text = plan.map((row) => row['QUERY PLAN']).join('\n');
      for (let shard = 0; shard < SHARDS; shard++) expect(text).toContain(`_${shard}`);
      expect(text).not.toContain('Seq Scan');
    }
  });
});
