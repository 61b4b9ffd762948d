/**
 * Compares searches of an index on PostgreSQL with searches of the same index on SQLite.
 *
 *   npm run postgres-index -- --db FILE --url postgres://… [--shards N] [--bits]
 *     [--queries FILE --qrels FILE] [--loaded]
 *
 * It copies the index to the database, which must be empty and have pgvector; with --loaded, the
 * database has the index already. Queries are embedded before the clock starts.
 */
import { parseArgs } from 'node:util';
import { readSettings } from '../../src/config.ts';
import { createEmbedder, type QueryEmbedding } from '../../src/embed/embedder.ts';
import { loadModel, type Model } from '../../src/embed/model.ts';
import { readTermEmbeddings } from '../../src/embed/term-embeddings.ts';
import { readQrels, readQueries } from '../../src/eval/collection-files.ts';
import { evaluateRun, type Qrels, type Run } from '../../src/eval/measures.ts';
import type { IndexSource } from '../../src/index-source/index-source.ts';
import { openSource } from '../../src/index-source/open/open-source.ts';
import { createPostgresSource } from '../../src/index-source/postgres/postgres-source.ts';
import { createSearchDeps, retrieve } from '../../src/search/search.ts';
import { openStoreForReading } from '../../src/store/open.ts';
import { openDatabase } from '../../src/store/postgres/database.ts';
import { openIndexDatabase } from '../../src/store/postgres-index/migrations/migrate.ts';
import { openOptions } from '../bench/index-access.ts';
import questionsText from '../bench/questions.txt';
import { printTable } from '../evaluate-references/print-table.ts';
import { loadIndex } from './load.ts';

const LIMITS = { connectionsMax: 2, connectTimeoutMs: 5_000, statementTimeoutMs: 3_600_000 };
/** Results per query, as a customer's default and as `verbatim eval` has them. */
const TIMED_RESULTS = 10;
const JUDGED_RESULTS = 100;

interface Question {
  id: string;
  query: string;
  embedding: QueryEmbedding;
}

const { values } = parseArgs({
  options: {
    db: { type: 'string', default: '' },
    url: { type: 'string', default: '' },
    shards: { type: 'string', default: '1' },
    bits: { type: 'boolean', default: false },
    loaded: { type: 'boolean', default: false },
    queries: { type: 'string' },
    qrels: { type: 'string' },
  },
});
const settings = readSettings();
const model = loadModel(settings.model);
const questions = await readQuestions();
if (!values.loaded) await load();
const onSqlite = await openSource({ store: openOptions(values.db), limits: settings }, model);
const database = openDatabase({ url: values.url, ...LIMITS, isPrepared: true });
const onPostgres = createPostgresSource(database, settings, model);
const qrels = values.qrels === undefined ? undefined : await readQrels(values.qrels);
const [first, second] = [await measure(onSqlite, qrels), await measure(onPostgres, qrels)];
const shared = questions.map(({ id }) => {
  const found = new Set(second.tops.get(id));
  const wanted = first.tops.get(id) ?? [];
  return wanted.filter((one) => found.has(one)).length / Math.max(1, wanted.length);
});
printTable(
  ['index', 'p50 ms', 'p99 ms', 'nDCG@10', 'R@100'],
  [
    ['SQLite', ...first.row],
    ['PostgreSQL', ...second.row],
  ],
);
console.log(`of SQLite's first ten, PostgreSQL finds ${mean(shared).toFixed(3)}`);
await onSqlite.close();
await onPostgres.close();

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
  const options = {
    shards: Number(values.shards),
    vectorIndex: values.bits ? 'bit' : 'halfvec',
  } as const;
  const writing = await openIndexDatabase({ url: values.url, ...LIMITS, ...options });
  const db = openStoreForReading(openOptions(values.db));
  await loadIndex(db, writing, options);
  db.close();
  await writing.close();
}

interface Measured {
  row: string[];
  /** The first ten of each question. */
  tops: Map<string, string[]>;
}

async function measure(source: IndexSource, judged: Qrels | undefined): Promise<Measured> {
  const { queryEncoder }: Model = model;
  const deps = createSearchDeps(source, queryEncoder, settings, readTermEmbeddings(queryEncoder));
  const ask = ({ query, embedding }: Question, limit: number) =>
    retrieve({ query, limit, withAbstract: false }, embedding, deps);
  const times: number[] = [];
  const tops = new Map<string, string[]>();
  // The first round fills the caches.
  for (const round of [0, 1]) {
    for (const question of questions) {
      const started = performance.now();
      const { answer } = await ask(question, TIMED_RESULTS);
      if (round === 1) times.push(performance.now() - started);
      tops.set(
        question.id,
        answer.results.map(({ d }) => d),
      );
    }
  }
  times.sort((a, b) => a - b);
  const at = (share: number): string => (times[Math.floor(share * times.length)] ?? 0).toFixed(2);
  if (judged === undefined) return { row: [at(0.5), at(0.99), '', ''], tops };
  const run: Run = new Map();
  for (const question of questions.filter(({ id }) => judged.has(id))) {
    const { explanation } = await ask(question, JUDGED_RESULTS);
    run.set(
      question.id,
      explanation.results.map(({ d, score }) => ({ id: d, score })),
    );
  }
  const measures = Object.values(evaluateRun(run, judged)).map((value) => value.toFixed(4));
  return { row: [at(0.5), at(0.99), ...measures.slice(0, 2)], tops };
}

function mean(numbers: readonly number[]): number {
  return numbers.reduce((sum, one) => sum + one, 0) / Math.max(1, numbers.length);
}
