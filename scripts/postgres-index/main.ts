/**
 * Compares searches of an index on PostgreSQL with searches of the same index on SQLite.
 *
 *   npm run postgres-index -- --db FILE --url postgres://… [--shards N] [--bits]
 *     [--server postgres://… --server postgres://…] [--queries FILE --qrels FILE] [--loaded]
 *
 * It copies the index to the database, which must be empty and have pgvector; with --loaded, the
 * database has the index already. Queries are embedded before the clock starts. Both are asked each
 * question in turn, so whatever else the machine does slows down both. A third one compares every
 * vector, which shows what the other two miss. With several servers, each gets its share of the papers,
 * and --url becomes their front, which needs PL/Proxy.
 */
import { parseArgs } from 'node:util';
import { openStoreForReading } from '../../src/database/open.ts';
import { openDatabase } from '../../src/database/postgres/postgres-database.ts';
import { openSource } from '../../src/index/open/open-source.ts';
import type { IndexSource } from '../../src/index/ports/index-source.ts';
import { openIndexDatabase } from '../../src/index/postgres/migrations/migrate-postgres-index.ts';
import { createPostgresSource } from '../../src/index/postgres/source/postgres-source.ts';
import { readQrels, readQueries } from '../../src/search/eval/collection-files.ts';
import { evaluateRun, type Qrels } from '../../src/search/eval/measures.ts';
import { createSearchDeps } from '../../src/search/search.ts';
import { readSettings } from '../../src/settings/config.ts';
import { createEmbedder } from '../../src/text/embed/embedder.ts';
import { loadModel } from '../../src/text/embed/model.ts';
import { readTermEmbeddings } from '../../src/text/embed/term-embeddings.ts';
import { openOptions } from '../bench/index-access.ts';
import questionsText from '../bench/questions.txt';
import { quantile } from '../bench/statistics.ts';
import { printTable } from '../evaluate-references/print-table.ts';
import { countStatements } from './counted-database.ts';
import { type Engine, type Question, rankJudged, sharedTops, timeSearch } from './engine.ts';
import { loadIndex } from './load.ts';
import { loadServers } from './load-servers.ts';

const LIMITS = { connectionsMax: 2, connectTimeoutMs: 5_000, statementTimeoutMs: 3_600_000 };
/** Each question is asked once to fill the caches, and so often with the clock. */
const TIMED_ROUNDS = 3;

const { values } = parseArgs({
  options: {
    db: { type: 'string', default: '' },
    url: { type: 'string', default: '' },
    shards: { type: 'string', default: '1' },
    bits: { type: 'boolean', default: false },
    loaded: { type: 'boolean', default: false },
    server: { type: 'string', multiple: true, default: [] },
    queries: { type: 'string' },
    qrels: { type: 'string' },
  },
});
const settings = readSettings();
const model = loadModel(settings.model);
const questions = await readQuestions();
if (!values.loaded) await load();
const qrels = values.qrels === undefined ? undefined : await readQrels(values.qrels);
const counted = countStatements(openDatabase({ url: values.url, ...LIMITS, isPrepared: true }));
const sources = [
  await openSource({ store: openOptions(values.db), limits: settings }, model),
  createPostgresSource(counted.database, settings, { model }),
  createPostgresSource(
    openDatabase({ url: values.url, ...LIMITS }),
    { ...settings, exactScanMax: Number.MAX_SAFE_INTEGER },
    { model },
  ),
] as const;
const onSqlite = engineOf('SQLite', sources[0]);
const onPostgres = engineOf('PostgreSQL', sources[1]);
const exact = engineOf('every vector', sources[2]);
for (let round = 0; round <= TIMED_ROUNDS; round++) {
  if (round === 1) {
    for (const { times } of [onSqlite, onPostgres]) times.length = 0;
    counted.reset();
  }
  for (const question of questions) {
    await timeSearch(onSqlite, question);
    await timeSearch(onPostgres, question);
  }
}
const statements = statementRows();
for (const question of questions) await timeSearch(exact, question);
printTable(
  [
    ...['index', 'p50 ms', 'p99 ms', 'of the exact first ten'],
    ...(qrels === undefined ? [] : ['nDCG@10', 'R@100']),
  ],
  [await rowOf(onSqlite), await rowOf(onPostgres)],
);
const [fast, slow] = [quantile(onSqlite.times, 0.5), quantile(onPostgres.times, 0.5)];
console.log(`p50 on PostgreSQL is ${(slow / fast).toFixed(2)} times that on SQLite`);
console.log(
  `of SQLite's first ten, PostgreSQL finds ${sharedTops(onSqlite, onPostgres).toFixed(3)}\n`,
);
printTable(['statement', 'per search', 'p50 ms'], statements);
for (const source of sources) await source.close();

function engineOf(name: string, source: IndexSource): Engine {
  const { queryEncoder } = model;
  const deps = createSearchDeps(source, queryEncoder, settings, readTermEmbeddings(queryEncoder));
  return { name, deps, times: [], tops: new Map() };
}

async function rowOf(engine: Engine): Promise<string[]> {
  const { name, times } = engine;
  const figures = [quantile(times, 0.5).toFixed(2), quantile(times, 0.99).toFixed(2)];
  const row = [name, ...figures, sharedTops(exact, engine).toFixed(3)];
  return qrels === undefined ? row : [...row, ...(await measuresOf(engine, qrels))];
}

/** nDCG@10 and R@100. */
async function measuresOf(engine: Engine, judged: Qrels): Promise<string[]> {
  const measures = evaluateRun(await rankJudged(engine, questions, judged), judged);
  return Object.values(measures)
    .slice(0, 2)
    .map((value) => value.toFixed(4));
}

function statementRows(): string[][] {
  const searches = TIMED_ROUNDS * questions.length;
  return [...counted.times].map(([statement, times]) => [
    `\`${statement}\``,
    (times.length / searches).toFixed(2),
    quantile(times, 0.5).toFixed(2),
  ]);
}

async function readQuestions(): Promise<Question[]> {
  const embedder = await createEmbedder(model.queryEncoder);
  const texts = values.queries
    ? await readQueries(values.queries)
    : questionsText.split('\n').map((text: string, at: number) => ({ id: `${at}`, text }));
  const all: Question[] = [];
  for (const { id, text } of texts) {
    if (text.trim() === '') continue;
    all.push({ id, query: text, embedding: await embedder.embedQuery(text) });
  }
  return all;
}

async function load(): Promise<void> {
  const vectorIndex = values.bits ? 'bit' : 'halfvec';
  const { url: front, server: servers } = values;
  const db = openStoreForReading(openOptions(values.db));
  if (servers.length > 0) await loadServers(db, { front, servers, vectorIndex, ...LIMITS });
  else {
    const options = { shards: Number(values.shards), vectorIndex } as const;
    const writing = await openIndexDatabase({ url: front, ...LIMITS, ...options });
    await loadIndex(db, writing, options);
    await writing.close();
  }
  db.close();
}
