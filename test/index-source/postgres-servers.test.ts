/**
 * An index on two servers of PostgreSQL behind a front, which asks them with PL/Proxy. It needs pgvector
 * and PL/Proxy.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadIndex } from '../../scripts/postgres-index/load.ts';
import { loadServers } from '../../scripts/postgres-index/load-servers.ts';
import { readSettings } from '../../src/config.ts';
import type { IndexReaders } from '../../src/index-source/index-readers.ts';
import type { IndexView } from '../../src/index-source/index-source.ts';
import { createPostgresReaders } from '../../src/index-source/postgres/postgres-readers.ts';
import { createPostgresSource } from '../../src/index-source/postgres/postgres-source.ts';
import { openOperatorIndex } from '../../src/operator-index/open-operator-index.ts';
import type { Connection } from '../../src/store/database/connection.ts';
import {
  createIndexWriter,
  type IndexWriter,
} from '../../src/store/index/documents/index-writer.ts';
import { claimModel } from '../../src/store/index/index-facts.ts';
import { extendPostings } from '../../src/store/index/lexical/extend-postings.ts';
import { openStore } from '../../src/store/open.ts';
import { type Database, openDatabase } from '../../src/store/postgres/database.ts';
import { openIndexDatabase } from '../../src/store/postgres-index/migrations/migrate.ts';
import { termOf } from '../../src/text/terms.ts';
import { type Cluster, startCluster } from '../account-store/postgres-cluster.ts';
import { toyModel, toyVector } from '../store/index/memory-index.ts';
import { arrive } from '../store/index/toy-incoming-records.ts';
import { testDocuments } from './conformance/documents.ts';
import { testRetrieval } from './conformance/retrieval.ts';
import { corpus, paper, type SourceUnderTest } from './conformance/source-under-test.ts';
import { DATABASE_LIMITS, makeDatabase, startVectorCluster } from './vector-cluster.ts';

const LIMITS = { ...DATABASE_LIMITS, connectTimeoutMs: 5_000 };
/** HNSW is used, and filters have no lists. */
const limits = readSettings({ exactScanMax: 0, filteredExactMax: 1 }, {});

const first = await startWithProxy();
const second = first && startCluster();

/** Returns undefined where something is missing, after a skipped test that says so. */
async function startWithProxy(): Promise<Cluster | undefined> {
  const cluster = await startVectorCluster();
  if (cluster === undefined) return undefined;
  const database = openDatabase({ url: cluster.url, ...LIMITS });
  const found = await database.query(
    "SELECT 1 FROM pg_available_extensions WHERE name = 'plproxy'",
  );
  await database.close();
  if (found.length > 0) return cluster;
  cluster.stop();
  it.skip('needs PL/Proxy on the server of PostgreSQL, which is not installed', () => {});
  return undefined;
}

interface Servers {
  front: string;
  servers: string[];
}

let db: Connection;
let writer: IndexWriter;
let places: Servers;
let onServers: SourceUnderTest;
let onOne: SourceUnderTest;
/** The readers of the main thread, with a connection of their own. */
let readers: IndexReaders;
let ofReaders: Database;

function sourceAt(url: string, load: () => Promise<void>): SourceUnderTest {
  const source = createPostgresSource(
    openDatabase({ url, ...LIMITS, isPrepared: true }),
    limits,
    toyModel,
  );
  return {
    source,
    async add(record) {
      arrive(writer, record);
      await load();
    },
    close: () => source.close(),
  };
}

beforeAll(async () => {
  if (first === undefined || second === undefined) return;
  db = openStore({ path: ':memory:', lockWaitMs: 0 });
  claimModel(db, toyModel);
  writer = createIndexWriter(db);
  for (const record of corpus.records) arrive(writer, record);
  for (const _ of extendPostings(db));
  for (const record of corpus.later) arrive(writer, record);
  const vectorIndex = 'halfvec';
  places = {
    front: await makeDatabase(first),
    servers: [await makeDatabase(first), await makeDatabase(second)],
  };
  const loadAll = () => loadServers(db, { ...places, ...LIMITS, vectorIndex });
  await loadAll();
  onServers = sourceAt(places.front, loadAll);
  ofReaders = openDatabase({ url: places.front, ...LIMITS });
  const versionOf = (state: string) => state;
  readers = createPostgresReaders(ofReaders, { keptMs: 0, model: toyModel, versionOf });
  const url = await makeDatabase(first);
  const writing = await openIndexDatabase({ url, ...LIMITS, shards: 1, vectorIndex });
  await loadIndex(db, writing, { shards: 1, vectorIndex });
  await writing.close();
  onOne = sourceAt(url, async () => {});
});

afterAll(async () => {
  await onServers?.close();
  await onOne?.close();
  await ofReaders?.close();
  db?.close();
  first?.stop();
  second?.stop();
});

/** The words and the vector of a question, and what an index finds for them. */
async function find(view: IndexView, question: string) {
  const terms = question.split(' ').map((word) => termOf(word));
  const statistics = await view.statistics(terms);
  const words = terms.map((term, at) => {
    return { word: `${at}`, term, frequency: statistics.frequencyOf(term), weight: at + 1 };
  });
  const { documents, weights } = await view.matchWords(words);
  const { nearest, scoresIn } = await view.nearest({
    vector: toyVector(question),
    most: 10,
    documents,
  });
  const scores = await scoresIn([...documents]);
  const entries = await view.forwardEntries(nearest.map(({ document }) => document));
  return { documents, weights, nearest, scores, entries };
}

describe.skipIf(first === undefined)('an index on two servers', () => {
  const reading = {
    get: () => onServers,
    read: <Result>(work: (view: IndexView) => Promise<Result>) => onServers.source.view(work),
  };
  testDocuments(reading);
  testRetrieval(reading);

  it('finds the same with the same scores as on one', async () => {
    for (const question of ['moon tide', 'sleep mouse cell', 'soil carbon light', 'zebrafish']) {
      const [several, one] = await Promise.all(
        [onServers, onOne].map(({ source }) => source.view((view) => find(view, question))),
      );
      expect(one?.nearest).toHaveLength(10);
      expect(several).toEqual(one);
    }
  });

  it('has documents on both servers, and none on the front', async () => {
    const counts = await Promise.all(
      [...places.servers, places.front].map(async (url) => {
        const database = openDatabase({ url, ...LIMITS });
        const [row] = await database.query<{ count: number }>('SELECT count(*) FROM documents');
        await database.close();
        return row?.count ?? 0;
      }),
    );
    const [one = 0, other = 0, none] = counts;
    expect(Math.min(one, other)).toBeGreaterThan(10);
    expect(none).toBe(0);
  });

  it('shows a title of it to the main thread', async () => {
    expect(await readers.titleAt(0)).toBe(corpus.records[0]?.title);
  });

  it('is not changed or checked by commands', async () => {
    const settings = readSettings({ indexAddress: places.front }, {});
    await expect(openOperatorIndex(settings, { path: '', lockWaitMs: 0 })).rejects.toMatchObject({
      code: 'database_unusable',
      message: expect.stringContaining('is on several servers'),
    });
  });

  it('fails a search that began before it was loaded again, and no later one', async () => {
    const late = { ...paper(98), title: 'Walruses at sea' };
    const searching = reading.read(async (view) => {
      await onServers.add(late);
      return view.withIds([late.id]);
    });
    await expect(searching).rejects.toMatchObject({
      code: 'degraded',
      message: expect.stringContaining('different states'),
    });
    expect(await reading.read((view) => view.withIds([late.id]))).toEqual([expect.any(Number)]);
  });

  it('fails searches while a server is down, is not ready, and then goes on', async () => {
    const search = () => reading.read((view) => find(view, 'moon tide'));
    const before = await search();
    const totals = await readers.totals();
    second?.pause();
    await expect(search()).rejects.toMatchObject({ code: 'degraded' });
    await expect(readers.totals()).rejects.toMatchObject({ code: 'degraded' });
    second?.resume();
    await expect.poll(() => search().catch(() => undefined)).toEqual(before);
    await expect.poll(() => readers.totals().catch(() => undefined)).toEqual(totals);
  });
});
