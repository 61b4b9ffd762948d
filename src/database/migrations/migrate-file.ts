/**
 * Brings a file's tables up to date, one numbered step after the other. Each step runs in a
 * transaction of its own, together with the number and the row that record it. After a crash a file
 * is at the step before, and the next migration goes on from there.
 */
import { VerbatimError } from '../../errors.ts';
import { version as program } from '../../settings/version.ts';
import type { Connection } from '../sqlite/connection.ts';
import { documentsAndFullText } from './01-documents-and-full-text.ts';
import { customersKeysAndLedger } from './02-customers-keys-and-ledger.ts';
import { termsAndInvertedLists } from './03-terms-and-inverted-lists.ts';
import { laneResponses } from './04-lane-responses.ts';
import { payments } from './05-payments.ts';
import { sessionsAndDailyUsage } from './06-sessions-and-daily-usage.ts';
import { sourceRecords } from './07-source-records.ts';
import { buildCheckpoints } from './08-build-checkpoints.ts';
import { postings } from './09-postings.ts';
import { knownBrowsers } from './10-known-browsers.ts';
import { laneChoices } from './11-lane-choices.ts';
import { laneState } from './12-lane-state.ts';
import { FIRST_RECORDED, recordOfMigrations } from './13-record-of-migrations.ts';
import { FIRST_WITH_PROGRAM, programOfMigrations } from './14-program-of-migrations.ts';
import { titleIndexAndNotices } from './15-title-index-and-notices.ts';
import { storedAnswers } from './16-stored-answers.ts';
import { facetsAndDetails } from './17-facets-and-details.ts';
import { grantsOfClients } from './18-grants-of-clients.ts';
import { activity } from './19-activity.ts';
import { expiryAndRotationOfKeys } from './20-expiry-and-rotation-of-keys.ts';
import { measuresOfAnswers } from './21-measures-of-answers.ts';
import { groupsOfCentroids } from './22-groups-of-centroids.ts';
import { samplesOfTheServer } from './23-samples-of-the-server.ts';
import { secondFactors } from './24-second-factors.ts';
import { members } from './25-members.ts';
import { trailOfOperators } from './26-trail-of-operators.ts';
import { singleRefunds } from './27-single-refunds.ts';
import { billingNotices } from './28-billing-notices.ts';
import { placeOfAccounts } from './29-place-of-accounts.ts';
import { automaticTopUps } from './30-automatic-top-ups.ts';
import { buyers } from './31-buyers.ts';
import { operators } from './32-operators.ts';
import { keptAudits } from './33-kept-audits.ts';
import { outcomesOfSearches } from './34-outcomes-of-searches.ts';
import { updatesOfTheIndex } from './35-updates-of-the-index.ts';
import { formsOfKeys } from './36-forms-of-keys.ts';
import { languagesAndFields } from './37-languages-and-fields.ts';
import type { Step } from './step.ts';

/** All steps. Step n is at n - 1; new ones come last. */
export const steps: readonly Step[] = [
  documentsAndFullText,
  customersKeysAndLedger,
  termsAndInvertedLists,
  laneResponses,
  payments,
  sessionsAndDailyUsage,
  sourceRecords,
  buildCheckpoints,
  postings,
  knownBrowsers,
  laneChoices,
  laneState,
  recordOfMigrations,
  programOfMigrations,
  titleIndexAndNotices,
  storedAnswers,
  facetsAndDetails,
  grantsOfClients,
  activity,
  expiryAndRotationOfKeys,
  measuresOfAnswers,
  groupsOfCentroids,
  samplesOfTheServer,
  secondFactors,
  members,
  trailOfOperators,
  singleRefunds,
  billingNotices,
  placeOfAccounts,
  automaticTopUps,
  buyers,
  operators,
  keptAudits,
  outcomesOfSearches,
  updatesOfTheIndex,
  formsOfKeys,
  languagesAndFields,
];

/** The step that made the tables of accounts. */
const FIRST_WITH_CUSTOMERS = 2;

/** How long a process waits while another one converts the file: a step may take minutes. */
const CONVERSION_WAIT_MS = 60 * 60_000;

/** Called before each step with its number, from 1, and its name. */
export type OnStep = (number: number, name: string) => void;

/** Makes all tables in an empty file, in one transaction: no other process sees some of them. */
export function createTables(db: Connection): void {
  const create = db.transaction(() => {
    // Read inside of the transaction: another process may have made them while this one waited.
    if (versionOf(db) > 0) return;
    for (const [index, step] of steps.entries()) runStep(db, index + 1, step);
  });
  create.immediate();
}

/** Runs the steps that the file has not seen. Throws `database_unusable` for a newer file. */
export function migrate(db: Connection, onStep?: OnStep): void {
  runSteps(db, steps, onStep);
}

/** The same for any list of steps. */
export function runSteps(db: Connection, all: readonly Step[], onStep: OnStep = () => {}): void {
  const runNext = db.transaction(() => {
    // Read inside of the transaction: another process may have run a step while this one waited.
    const version = versionOf(db);
    const step = all[version];
    if (step === undefined) return;
    onStep(version + 1, step.name);
    runStep(db, version + 1, step);
  });
  if (versionOf(db) < all.length) {
    const lockWaitMs = db.pragma('busy_timeout', { simple: true });
    db.pragma(`busy_timeout = ${CONVERSION_WAIT_MS}`);
    try {
      while (versionOf(db) < all.length) runNext.immediate();
    } finally {
      db.pragma(`busy_timeout = ${lockWaitMs}`);
    }
  }
  if (versionOf(db) > all.length) throw newerDatabase(db);
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
 * file, `database_unusable` for a newer one and for a database of another program.
 */
export function assertCurrent(db: Connection): void {
  assertMigratable(db);
  const version = versionOf(db);
  if (version === steps.length) return;
  throw new VerbatimError(
    'migration_needed',
    `${db.name} was written by an older Verbatim (tables ${version}, this version has ` +
      `${steps.length}); run: verbatim migrate --db ${db.name}`,
  );
}

/**
 * Throws `database_unusable` if the file is newer than this program, of another program, or a copy
 * of an index without accounts.
 */
export function assertMigratable(db: Connection): void {
  const version = versionOf(db);
  if (version > steps.length) throw newerDatabase(db);
  assertHasIndex(db);
  if (version < FIRST_WITH_CUSTOMERS || hasTable(db, 'customers')) return;
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
  if (version === steps.length) return;
  const age = version > steps.length ? 'a newer' : 'an older';
  throw new VerbatimError(
    'migration_needed',
    `${db.name} was published by ${age} Verbatim (tables ${version}, this version has ` +
      `${steps.length}); publish it again with this version, or use the version that published it`,
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

function newerDatabase(db: Connection): VerbatimError {
  const writer = programOf(db);
  if (writer === program) {
    return new VerbatimError(
      'database_unusable',
      `${db.name} was written by another build of Verbatim ${program} (tables ${versionOf(db)}); ` +
        `this one knows ${steps.length}: use that build or a newer one`,
    );
  }
  const message =
    writer === undefined
      ? `${db.name} was written by a newer Verbatim (tables ${versionOf(db)}); this is ${program}, ` +
        `which knows ${steps.length}: use the version that wrote it`
      : `${db.name} was written by Verbatim ${writer}; this is ${program}: use that version or a ` +
        'newer one';
  return new VerbatimError('database_unusable', message);
}

/** Returns the version of the program that ran the last step; undefined if it is not recorded. */
function programOf(db: Connection): string | undefined {
  const column = "SELECT 1 FROM pragma_table_info('migrations') WHERE name = 'program'";
  if (db.prepare(column).get() === undefined) return undefined;
  const last = 'SELECT program FROM migrations ORDER BY number DESC LIMIT 1';
  const found = db.prepare(last).pluck().get();
  return typeof found === 'string' ? found : undefined;
}

function runStep(db: Connection, number: number, { name, sql, convert }: Step): void {
  db.exec(sql);
  convert?.(db);
  db.pragma(`user_version = ${number}`);
  if (number < FIRST_RECORDED) return;
  const insert = 'INSERT INTO migrations (number, name, applied_at) VALUES (?, ?, ?)';
  db.prepare(insert).run(number, name, Date.now());
  if (number < FIRST_WITH_PROGRAM) return;
  db.prepare('UPDATE migrations SET program = ? WHERE number = ?').run(program, number);
}
