/**
 * Compares searches of an index on PostgreSQL with searches of the same index on SQLite. It copies the
 * index to the database, which must be empty and have pgvector. Queries are embedded before the clock
 * starts. Both are asked each question in turn, so whatever else the machine does slows down both. A third
 * one compares every vector, which shows what the other two miss.
 */
import type { Cell } from '../../src/commands/cli/output.ts';
import { openStoreForReading } from '../../src/database/open.ts';
import { openDatabase } from '../../src/database/postgres/postgres-database.ts';
import type { IndexSource } from '../../src/index/ports/index-source.ts';
import { openIndexDatabase } from '../../src/index/postgres/migrations/migrate-postgres-index.ts';
import { createPostgresSource } from '../../src/index/postgres/postgres-source.ts';
import type { SearchDeps } from '../../src/search/search.ts';
import { readSettings } from '../../src/settings/config.ts';
import { openOptions } from '../measure/databases.ts';
import { count, flag, required, several, type ValuesOf } from '../measure/options.ts';
import type { Outcome } from '../measure/report.ts';
import { defineMeasurement } from '../measure/run.ts';
import {
  currentModel,
  depsOf,
  embedQuestions,
  numberedQuestions,
  openFile,
  type Question,
  searchEmbedded,
} from '../measure/searching.ts';
import { meanOf, quantile } from '../measure/statistics.ts';
import { loadIndex } from './load-index.ts';
import { loadServers } from './load-servers.ts';

const LIMITS = { connectionsMax: 2, connectTimeoutMs: 5_000, statementTimeoutMs: 3_600_000 };
/** Each question is asked once to fill the caches, and so often with the clock. */
const TIMED_ROUNDS = 3;

/** An index in one database or the other, with what was noted of its searches. */
interface Engine {
  name: string;
  source: IndexSource;
  deps: SearchDeps;
  /** Milliseconds of each search. */
  times: number[];
  /** The first ten of each question. */
  tops: Map<string, string[]>;
}

const options = {
  db: required('the index on SQLite'),
  url: required('the database for the same index', 'postgres://…'),
  shards: count(1, 'partitions'),
  bits: flag('HNSW compares one bit of each component'),
  loaded: flag('the database has the index already'),
  server: several('a server for a share of the papers; --url is their front then', 'postgres://…'),
};

export const measurement = defineMeasurement({ options, run: compare });

async function compare(values: ValuesOf<typeof options>): Promise<Outcome> {
  const { db, url } = values;
  const settings = readSettings();
  const model = currentModel();
  const questions = await embedQuestions(numberedQuestions());
  if (!values.loaded) await load(values);
  const database = openDatabase({ url, ...LIMITS, isPrepared: true });
  const scanning = { ...settings, exactScanMax: Number.MAX_SAFE_INTEGER };
  const engineOf = (name: string, source: IndexSource): Engine => {
    return { name, source, deps: depsOf(source), times: [], tops: new Map() };
  };
  const onSqlite = engineOf('SQLite', await openFile(db));
  const onPostgres = engineOf('PostgreSQL', createPostgresSource(database, settings, { model }));
  const exact = engineOf(
    'every vector',
    createPostgresSource(openDatabase({ url, ...LIMITS }), scanning, { model }),
  );
  for (let round = 0; round <= TIMED_ROUNDS; round++) {
    // What filled the caches does not count.
    if (round === 1) for (const { times } of [onSqlite, onPostgres]) times.length = 0;
    for (const question of questions) {
      await timeSearch(onSqlite, question);
      await timeSearch(onPostgres, question);
    }
  }
  for (const question of questions) await timeSearch(exact, question);
  const rows = [onSqlite, onPostgres].map((engine): Cell[] => [
    engine.name,
    ...[0.5, 0.99].map((share) => quantile(engine.times, share).toFixed(2)),
    sharedTops(exact, engine).toFixed(3),
  ]);
  for (const { source } of [onSqlite, onPostgres, exact]) await source.close();
  const ratio = quantile(onPostgres.times, 0.5) / quantile(onSqlite.times, 0.5);
  const found = sharedTops(onSqlite, onPostgres);
  return {
    report: { rows, ratio, found },
    shown: [
      { head: ['index', 'p50 ms', 'p99 ms', 'of the exact first ten'], rows },
      `p50 on PostgreSQL is ${ratio.toFixed(2)} times that on SQLite`,
      `of SQLite's first ten, PostgreSQL finds ${found.toFixed(3)}`,
    ],
  };
}

async function load({ bits, shards, ...values }: ValuesOf<typeof options>): Promise<void> {
  const vectorIndex = bits ? 'bit' : 'halfvec';
  const { url: front, server: servers } = values;
  const db = openStoreForReading(openOptions(values.db));
  if (servers.length > 0) await loadServers(db, { front, servers, vectorIndex, ...LIMITS });
  else {
    const tables = { shards, vectorIndex } as const;
    const writing = await openIndexDatabase({ url: front, ...LIMITS, ...tables });
    await loadIndex(db, writing, tables);
    await writing.close();
  }
  db.close();
}

/** Searches once, and notes how long it took and what it found. */
async function timeSearch(engine: Engine, question: Question): Promise<void> {
  const started = performance.now();
  const { answer } = await searchEmbedded(engine.deps, question);
  engine.times.push(performance.now() - started);
  engine.tops.set(
    question.id,
    answer.results.map(({ d }) => d),
  );
}

/** The mean share of the first ten of `wanted` that `found` has among its own. */
function sharedTops(wanted: Engine, found: Engine): number {
  const shares = [...wanted.tops].map(([id, all]) => {
    const own = new Set(found.tops.get(id));
    return all.filter((one) => own.has(one)).length / Math.max(1, all.length);
  });
  return meanOf(shares);
}
