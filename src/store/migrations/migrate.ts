/**
 * Brings a file's tables up to date, one numbered step after the other. Each step runs in a
 * transaction of its own, together with the number and the row that record it. After a crash a file
 * is at the step before, and the next program that opens it goes on from there.
 */
import { VerbatimError } from '../../errors.ts';
import type { Connection } from '../database/connection.ts';
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
];

/** How long a process waits while another one converts the file: a step may take minutes. */
const CONVERSION_WAIT_MS = 60 * 60_000;

/** Runs the steps that the file has not seen. Throws `database_unusable` for a newer file. */
export function migrate(db: Connection): void {
  runSteps(db, steps);
}

/** The same for any list of steps. */
export function runSteps(db: Connection, all: readonly Step[]): void {
  const runNext = db.transaction(() => {
    // Read inside of the transaction: another process may have run a step while this one waited.
    const version = versionOf(db);
    const step = all[version];
    if (step !== undefined) runStep(db, version + 1, step);
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
  const version = versionOf(db);
  if (version > all.length) {
    throw new VerbatimError(
      'database_unusable',
      `${db.name} was written by a newer Verbatim (tables ${version}, known ${all.length})`,
    );
  }
}

function runStep(db: Connection, number: number, { name, sql, convert }: Step): void {
  db.exec(sql);
  convert?.(db);
  db.pragma(`user_version = ${number}`);
  if (number < FIRST_RECORDED) return;
  const record = db.prepare('INSERT INTO migrations (number, name, applied_at) VALUES (?, ?, ?)');
  record.run(number, name, Date.now());
}

function versionOf(db: Connection): number {
  return Number(db.pragma('user_version', { simple: true }));
}
