/**
 * An index on two servers of PostgreSQL behind a front, which asks them with PL/Proxy. It needs pgvector
 * and PL/Proxy.
 */
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../../scripts/measure/free-port.ts';
import { loadIndex } from '../../scripts/postgres-index/load-index.ts';
import { loadServers } from '../../scripts/postgres-index/load-servers.ts';
import { openStore } from '../../src/database/open.ts';
import { openDatabase } from '../../src/database/postgres/postgres-database.ts';
import type { Connection } from '../../src/database/sqlite/connection.ts';
import { createIndexWriter, type IndexWriter } from '../../src/index/documents/index-writer.ts';
import { claimModel } from '../../src/index/index-facts.ts';
import { extendPostings } from '../../src/index/lexical/extend-postings.ts';
import { placeOf } from '../../src/index/open/index-place.ts';
import { openIndex } from '../../src/index/open/open-index.ts';
import type { IndexFigures, IndexSource, IndexView } from '../../src/index/ports/index-source.ts';
import { openIndexDatabase } from '../../src/index/postgres/migrations/migrate-postgres-index.ts';
import { createPostgresSource } from '../../src/index/postgres/postgres-source.ts';
import { readSettings } from '../../src/settings/config.ts';
import { termOf } from '../../src/text/terms.ts';
import { type Cluster, startCluster } from '../accounts/postgres/postgres-cluster.ts';
import { runVerbatim } from '../support/verbatim.ts';
import { testDocuments } from './conformance/source/documents.ts';
import { testRetrieval } from './conformance/source/retrieval.ts';
import { corpus, paper, type SourceUnderTest } from './conformance/source/source-under-test.ts';
import { toyModel, toyVector } from './memory-index.ts';
import { arrive } from './toy-incoming-records.ts';
import { DATABASE_LIMITS, makeDatabase, startVectorCluster } from './vector-cluster.ts';

const LIMITS = { ...DATABASE_LIMITS, connectTimeoutMs: 5_000 };
/** HNSW is used, and filters have no lists. */
const limits = readSettings({ exactScanMax: 0, filteredExactMax: 1 }, {});

/** With characters that a URL, SQL, and the addresses of libpq quote, each in its way. */
const PASSWORD = "it's\\a secret";
const SECOND_HOST = '127.0.0.2';
/** PostgreSQL runs as another user than root, and reads a file in the folder. */
const PASSABLE = 0o755;

const first = await startWithProxy();
const folder = mkdtempSync(join(tmpdir(), 'verbatim-postgres-servers-'));
const port = await freePort();
const second = first && startSecond();

/** On another address, where it wants a password. */
function startSecond(): Cluster {
  const rules = join(folder, 'pg_hba.conf');
  writeFileSync(rules, 'local all all trust\nhost all all all scram-sha-256\n');
  chmodSync(folder, PASSABLE);
  return startCluster({
    settings: [`listen_addresses=${SECOND_HOST}`, `port=${port}`, `hba_file=${rules}`],
  });
}

/** The address with a login, on a host if one is given. */
function withLogin(url: string, password: string, host = ''): string {
  const login = `postgres://verbatim:${encodeURIComponent(password)}@${host}/`;
  const own = url.replace('postgres://verbatim@/', login);
  return host === '' ? own : own.replace(/\?.*/, '');
}

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
/** The figures of the main thread, with a connection of their own. */
let figures: IndexFigures;
let ofFigures: IndexSource;

function sourceAt(url: string, load: () => Promise<void>): SourceUnderTest {
  const source = createPostgresSource(openDatabase({ url, ...LIMITS, isPrepared: true }), limits, {
    model: toyModel,
  });
  return {
    source,
    async add(record) {
      arrive(writer, record);
      await load();
    },
    close: () => source.close(),
  };
}

/** Makes the databases of an index on both. */
async function makePlaces(): Promise<Servers> {
  const [one, other] = [first as Cluster, second as Cluster];
  return {
    front: await makeDatabase(one),
    servers: [
      withLogin(await makeDatabase(one), PASSWORD),
      withLogin(await makeDatabase(other), PASSWORD, `${SECOND_HOST}:${port}`),
    ],
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
  const administering = openDatabase({ url: second.url, ...LIMITS });
  await administering.query(`ALTER USER verbatim PASSWORD '${PASSWORD.replaceAll("'", "''")}'`);
  await administering.close();
  places = await makePlaces();
  const loadAll = () => loadServers(db, { ...places, ...LIMITS, vectorIndex });
  await loadAll();
  onServers = sourceAt(places.front, loadAll);
  const ofFront = openDatabase({ url: places.front, ...LIMITS });
  ofFigures = createPostgresSource(ofFront, limits, { model: toyModel });
  figures = ofFigures.figures;
  const url = await makeDatabase(first);
  const writing = await openIndexDatabase({ url, ...LIMITS, shards: 1, vectorIndex });
  await loadIndex(db, writing, { shards: 1, vectorIndex });
  await writing.close();
  onOne = sourceAt(url, async () => {});
});

afterAll(async () => {
  await onServers?.close();
  await onOne?.close();
  await ofFigures?.close();
  db?.close();
  first?.stop();
  second?.stop();
  rmSync(folder, { recursive: true });
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

describe.skipIf(first === undefined)('a server with a password', () => {
  it.each([
    ['verbatim:wrong', 'postgres', 'password authentication failed for user "verbatim"'],
    ['verbatim', 'postgres', 'the server wants a password, and the address has none'],
    [`verbatim:${encodeURIComponent(PASSWORD)}`, 'nowhere', 'database "nowhere" does not exist'],
  ])('is a fault for %s and the database %s', async (login, name, reason) => {
    const url = `postgres://${login}@${SECOND_HOST}:${port}/${name}`;
    const database = openDatabase({ url, ...LIMITS });
    await expect(database.query('SELECT 1')).rejects.toMatchObject({
      code: 'degraded',
      message: `PostgreSQL: ${reason}`,
    });
    await database.close();
  });
});

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
    expect(await figures.titleAt(0)).toBe(corpus.records[0]?.title);
  });

  it('finds the same with an index of bits', async () => {
    const bits = { vectorIndex: 'bit' } as const;
    const spread = await makePlaces();
    await loadServers(db, { ...spread, ...LIMITS, ...bits });
    const url = await makeDatabase(first as Cluster);
    const writing = await openIndexDatabase({ url, ...LIMITS, ...bits, shards: 1 });
    await loadIndex(db, writing, { ...bits, shards: 1 });
    await writing.close();
    const [several, one] = [spread.front, url].map((at) => sourceAt(at, async () => {}));
    for (const question of ['moon tide', 'sleep mouse cell', 'soil carbon light']) {
      const found = await several?.source.view((view) => find(view, question));
      expect(found?.nearest).toHaveLength(10);
      expect(found).toEqual(await one?.source.view((view) => find(view, question)));
    }
    await several?.close();
    await one?.close();
  });

  it('fails searches if the servers want another password', async () => {
    const spread = await makePlaces();
    await loadServers(db, { ...spread, ...LIMITS, vectorIndex: 'halfvec' });
    const database = openDatabase({ url: spread.front, ...LIMITS });
    await database.query(
      "ALTER USER MAPPING FOR CURRENT_USER SERVER index_servers OPTIONS (SET password 'wrong')",
    );
    await database.close();
    const { source, close } = sourceAt(spread.front, async () => {});
    await expect(source.view((view) => find(view, 'moon tide'))).rejects.toMatchObject({
      code: 'degraded',
    });
    await close();
  });

  it('is refused if its servers have different logins', async () => {
    const spread = await makePlaces();
    const [one = '', other = ''] = spread.servers;
    const servers = [one, other.replace('verbatim', 'ada')];
    await expect(
      loadServers(db, { ...spread, servers, ...LIMITS, vectorIndex: 'halfvec' }),
    ).rejects.toMatchObject({ code: 'usage', message: expect.stringContaining('one login') });
  });

  it('takes no documents from `index add`', async () => {
    const papers = join(folder, 'papers.jsonl');
    writeFileSync(papers, JSON.stringify(paper(99)));
    const env = { VERBATIM_INDEX: places.front };
    const { stderr } = await runVerbatim(['index', 'add', papers], { env, code: 1 });
    expect(stderr).toContain('is on several servers, which can be searched and not changed');
  });

  it('is not changed or checked by commands', async () => {
    const settings = readSettings({ indexAddress: places.front }, {});
    const index = await openIndex(placeOf(settings));
    await expect(index.operator()).rejects.toMatchObject({
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
    const totals = await figures.totals();
    second?.pause();
    await expect(search()).rejects.toMatchObject({ code: 'degraded' });
    await expect(figures.totals()).rejects.toMatchObject({ code: 'degraded' });
    second?.resume();
    await expect.poll(() => search().catch(() => undefined)).toEqual(before);
    await expect.poll(() => figures.totals().catch(() => undefined)).toEqual(totals);
  });
});
