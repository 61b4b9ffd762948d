/**
 * Migrates the stored database of each release, and compares all that is in it before and afterward. Says
 * how long the copy and the steps take, also with many more ledger entries.
 */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { auditLedger } from '../src/accounts/sqlite/ledger/audit.ts';
import { hashOfRows } from '../src/accounts/sqlite/ledger/written-since.ts';
import { migrateStore } from '../src/database/migrate-store.ts';
import { connectForReading, connectForWriting } from '../src/database/sqlite/connect.ts';
import type { Connection } from '../src/database/sqlite/connection.ts';
import { verifyIndex } from '../src/index/verify/verify-index.ts';
import { formatBytes } from '../src/text/format-bytes.ts';
import { count } from './measure/options.ts';
import { ms, type Outcome } from './measure/report.ts';
import { defineMeasurement } from './measure/run.ts';
import { inTemporaryFolder } from './measure/temporary-folder.ts';

/** Stored databases: `sqlite-37.sql` has tables of version 37. */
const FIXTURES = 'test/fixtures/databases';
const FIXTURE = /^sqlite-(\d+)\.sql$/;
/** Tables that a release must keep, row by row, in all columns that keep their names. */
const KEPT = ['customers', 'members', 'api_keys', 'ledger_entries', 'usage_days', 'documents'];
const PROBLEMS_MAX = 10;

export const measurement = defineMeasurement({
  options: { entries: count(1_000_000, 'entries of the ledger in the second round', 1_000) },
  notes: 'Exits 1 if anything is lost.',
  run: ({ entries }) => inTemporaryFolder('upgrades', (folder) => measure(folder, entries)),
});

async function measure(folder: string, entries: number): Promise<Outcome> {
  const all: Awaited<ReturnType<typeof upgradeStored>>[] = [];
  for (const name of storedDatabases('.')) {
    for (const more of [0, entries]) {
      all.push(await upgradeStored(join(FIXTURES, name), join(folder, `${name}-${more}.db`), more));
    }
  }
  const rows = all.map(({ release, bytes, copyMs, stepsMs, rows: kept }) => {
    return [
      release,
      formatBytes(bytes),
      ...KEPT.map((table) => kept[table] ?? 0),
      ms(copyMs),
      ms(stepsMs),
    ];
  });
  return {
    report: { upgrades: all },
    shown: [{ head: ['release', 'size', ...KEPT, 'copy', 'steps'], rows }],
    wrong: all.flatMap(({ release, wrong }) => wrong.map((what) => `${release}: ${what}`)),
  };
}

/** Returns the names of the stored SQLite databases below the source tree. */
export function storedDatabases(tree: string): string[] {
  const folder = join(tree, FIXTURES);
  return existsSync(folder) ? readdirSync(folder).filter((name) => FIXTURE.test(name)) : [];
}

/**
 * Makes the stored database at `path`, adds entries to its ledger, migrates it, and compares it with its copy.
 * `release` is the program that wrote it, and `wrong` has a sentence for each thing that was lost.
 */
export async function upgradeStored(sql: string, path: string, entries: number) {
  const made = connectForWriting({ path, lockWaitMs: 0 }, false);
  made.exec(readFileSync(sql, 'utf8'));
  addEntries(made, entries);
  const program = 'SELECT program FROM migrations ORDER BY number DESC LIMIT 1';
  const release = String(made.prepare(program).pluck().get());
  made.close();

  const bytes = statSync(path).size;
  const started = performance.now();
  let copied = started;
  const onEvent = ({ kind }: { kind: string }): void => {
    if (kind === 'copied') copied = performance.now();
  };
  const { copy } = await migrateStore({ store: { path, lockWaitMs: 0 }, withCopy: true, onEvent });
  const stepsMs = performance.now() - copied;

  const [before, after] = [copy ?? path, path].map((one) => {
    return connectForReading({ path: one, lockWaitMs: 0 });
  }) as [Connection, Connection];
  const isLost = (table: string) =>
    hashOfRows(before, table, after) !== hashOfRows(after, table, before);
  const lost = KEPT.filter(isLost);
  const wrong = [
    ...lost.map((table) => `rows of ${table} differ`),
    ...auditLedger(after).differences,
    ...verifyIndex(after, { problemsMax: PROBLEMS_MAX }).problems.map(String),
  ];
  const rows = Object.fromEntries(KEPT.map((table) => [table, countOf(before, table)]));
  for (const db of [before, after]) db.close();
  return { release, bytes, copyMs: copied - started, stepsMs, rows, wrong };
}

/** Top-ups of one credit, one a minute, as `verbatim credit add` writes them. */
function addEntries(db: Connection, entries: number): void {
  const customer = db.prepare('SELECT id, balance FROM customers LIMIT 1').raw().get();
  const [id, balance] = customer as [number, number];
  db.prepare(
    `WITH RECURSIVE n (i) AS (SELECT 1 WHERE :entries > 0 UNION ALL SELECT i + 1 FROM n WHERE i < :entries)
     INSERT INTO ledger_entries (customer_id, kind, credits, balance, created_at)
     SELECT :id, 'topup', 1, :balance + i, 1700000000000 + 60000 * i FROM n`,
  ).run({ id, balance, entries });
  db.prepare('UPDATE customers SET balance = balance + ? WHERE id = ?').run(entries, id);
}

function countOf(db: Connection, table: string): number {
  return Number(db.prepare(`SELECT count(*) FROM ${table}`).pluck().get());
}
