/**
 * Makes the tables of a new file from the schema, and brings those of an older one up to date, one
 * numbered step after the other. Each step runs in a transaction of its own, together with the number
 * and the row that record it. After a crash a file is at the step before, and the next migration goes
 * on from there.
 */
import { VerbatimError } from '../../errors.ts';
import { version as program } from '../../settings/version.ts';
import { OLDEST_PROGRAM, olderTables } from '../schema/older-tables.ts';
import { readSchema } from '../schema/read-schema.ts';
import type { Connection } from '../sqlite/connection.ts';
import { listsAndCentroids } from './38-lists-and-centroids.ts';
import { paperChanges } from './39-paper-changes.ts';
import { sources } from './40-sources.ts';
import { requests } from './41-requests.ts';
import { moneyDays } from './42-money-days.ts';
import { operatorTools } from './43-operator-tools.ts';
import { unconfirmedCustomers } from './44-unconfirmed-customers.ts';
import { accountProfiles } from './45-account-profiles.ts';
import { citations } from './46-citations.ts';
import { citationCounts } from './47-citation-counts.ts';
import { authorKeys } from './48-author-keys.ts';

export interface Step {
  name: string;
  sql: string;
  /** Functions that only the SQL of the step calls, by their names. */
  functions?: Readonly<Record<string, (text: string) => string>>;
}

/** The version of the tables that the first step starts from: those of `OLDEST_PROGRAM`. */
export const OLDEST_VERSION = 37;

/** By their number. New ones come last, and change the schema, too. A step that has landed never changes. */
export const steps: readonly Step[] = [
  listsAndCentroids,
  paperChanges,
  sources,
  requests,
  moneyDays,
  operatorTools,
  unconfirmedCustomers,
  accountProfiles,
  citations,
  citationCounts,
  authorKeys,
];

/** The version of the tables of this program: the number of the last step. */
export const TABLES_VERSION = OLDEST_VERSION + steps.length;

/** The files of the schema. */
const SUBJECTS = ['database', 'index', 'lanes', 'accounts', 'ledger', 'payments'];

/** How long a process waits while another one converts the file: a step may take minutes. */
const CONVERSION_WAIT_MS = 60 * 60_000;

/** Called before each step with its number and its name. */
export type OnStep = (number: number, name: string) => void;

/** Makes all tables in an empty file, in one transaction: no other process sees some of them. */
export function createTables(db: Connection): void {
  const create = db.transaction(() => {
    // Read inside of the transaction: another process may have made them while this one waited.
    if (versionOf(db) > 0) return;
    runStep(db, TABLES_VERSION, { name: 'all tables', sql: readSchema('sqlite', SUBJECTS) });
  });
  create.immediate();
}

/** Runs the steps that the file has not seen. Throws `database_unusable` for a file that is too new. */
export function migrate(db: Connection, onStep?: OnStep): void {
  runSteps(db, steps, onStep);
}

/** The same for any list of steps after `OLDEST_VERSION`, which the file has. */
export function runSteps(db: Connection, all: readonly Step[], onStep: OnStep = () => {}): void {
  const newest = OLDEST_VERSION + all.length;
  const runUnlessRun = db.transaction((number: number, step: Step) => {
    // Read inside of the transaction: another process may have run the step while this one waited.
    if (versionOf(db) >= number) return;
    onStep(number, step.name);
    runStep(db, number, step);
  });
  if (versionOf(db) < newest) {
    const lockWaitMs = db.pragma('busy_timeout', { simple: true });
    db.pragma(`busy_timeout = ${CONVERSION_WAIT_MS}`);
    try {
      for (const [index, step] of all.entries()) {
        runUnlessRun.immediate(OLDEST_VERSION + 1 + index, step);
      }
    } finally {
      db.pragma(`busy_timeout = ${lockWaitMs}`);
    }
  }
  if (versionOf(db) > newest) throw newerDatabase(db);
}

/** Returns the number of the last step that the file has seen; 0 for a file without tables. */
export function versionOf(db: Connection): number {
  return Number(db.pragma('user_version', { simple: true }));
}

/** Returns whether the file has no tables at all: it was just created. */
export function isEmpty(db: Connection): boolean {
  return versionOf(db) === 0 && db.prepare('SELECT 1 FROM sqlite_schema').get() === undefined;
}

/**
 * Throws unless the file has exactly the tables of this program: `migration_needed` for an older
 * file, and otherwise as `assertMigratable` does.
 */
export function assertCurrent(db: Connection): void {
  assertMigratable(db);
  const version = versionOf(db);
  if (version === TABLES_VERSION) return;
  throw new VerbatimError(
    'migration_needed',
    `${db.name} was written by an older Verbatim (tables ${version}, this version has ` +
      `${TABLES_VERSION}); run: verbatim migrate --db ${db.name}`,
  );
}

/**
 * Throws `database_unusable` if the file is newer than this program, older than its steps, of another
 * program, or a copy of an index without accounts.
 */
export function assertMigratable(db: Connection): void {
  const version = versionOf(db);
  if (version > TABLES_VERSION) throw newerDatabase(db);
  assertHasIndex(db);
  if (version < OLDEST_VERSION) throw olderDatabase(db);
  if (hasTable(db, 'customers')) return;
  throw new VerbatimError(
    'database_unusable',
    `${db.name} is a copy of an index without accounts; name its folder with --read-only-index`,
  );
}

/**
 * Throws unless the file is a copy of an index with the tables of this program: `migration_needed` if
 * another version published it, `database_unusable` if it is something else.
 */
export function assertCurrentIndex(db: Connection): void {
  assertHasIndex(db);
  const version = versionOf(db);
  if (version === TABLES_VERSION) return;
  const age = version > TABLES_VERSION ? 'a newer' : 'an older';
  throw new VerbatimError(
    'migration_needed',
    `${db.name} was published by ${age} Verbatim (tables ${version}, this version has ` +
      `${TABLES_VERSION}); publish it again with this version, or use the version that published it`,
  );
}

function assertHasIndex(db: Connection): void {
  if (hasTable(db, 'documents')) return;
  const what = isEmpty(db) ? 'has no tables' : 'is a database of another program';
  throw new VerbatimError('database_unusable', `${db.name} ${what}`);
}

function hasTable(db: Connection, name: string): boolean {
  const find = "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?";
  return db.prepare(find).get(name) !== undefined;
}

function olderDatabase(db: Connection): VerbatimError {
  return olderTables(
    `${db.name} has tables of version ${versionOf(db)}`,
    `run: verbatim migrate --db ${db.name} (of Verbatim ${OLDEST_PROGRAM})`,
  );
}

function newerDatabase(db: Connection): VerbatimError {
  const writer = programOf(db);
  if (writer === program) {
    return new VerbatimError(
      'database_unusable',
      `${db.name} was written by another build of Verbatim ${program} (tables ${versionOf(db)}); ` +
        `this one knows ${TABLES_VERSION}: use that build or a newer one`,
    );
  }
  const message =
    writer === undefined
      ? `${db.name} was written by a newer Verbatim (tables ${versionOf(db)}); this is ${program}, ` +
        `which knows ${TABLES_VERSION}: use the version that wrote it`
      : `${db.name} was written by Verbatim ${writer}; this is ${program}: use that version or a ` +
        'newer one';
  return new VerbatimError('database_unusable', message);
}

/** Returns the version of the program that ran the last step; undefined if it is not recorded. */
function programOf(db: Connection): string | undefined {
  if (!hasTable(db, 'migrations')) return undefined;
  const last = 'SELECT program FROM migrations ORDER BY number DESC LIMIT 1';
  const found = db.prepare(last).pluck().get();
  return typeof found === 'string' ? found : undefined;
}

function runStep(db: Connection, number: number, { name, sql, functions = {} }: Step): void {
  for (const [called, work] of Object.entries(functions)) db.function(called, work);
  db.exec(sql);
  db.pragma(`user_version = ${number}`);
  const insert = 'INSERT INTO migrations (number, name, applied_at, program) VALUES (?, ?, ?, ?)';
  db.prepare(insert).run(number, name, Date.now(), program);
}
