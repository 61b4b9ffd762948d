/**
 * The tables, as an append-only list of steps. Each step runs in one transaction together with the
 * row that records it; a step that has landed is never edited.
 */
import type Database from 'better-sqlite3';
import { VerbatimError } from '../../errors.ts';
import { accountTables } from './schema-accounts.ts';
import { checkpointTables } from './schema-checkpoints.ts';
import { dashboardTables } from './schema-dashboard.ts';
import { firstIndexTables, rankedIndexTables } from './schema-index.ts';
import { knownBrowserTables } from './schema-known-browsers.ts';
import { laneChoiceTables } from './schema-lane-choices.ts';
import { laneRecordTables, laneTables } from './schema-lanes.ts';
import { paymentTables } from './schema-payments.ts';
import { postingsTables } from './schema-postings.ts';
import { recordTables } from './schema-records.ts';
import { upgradeIndex } from './upgrade-index.ts';
import { upgradeRecords } from './upgrade-records.ts';

const steps: readonly Step[] = [
  { name: 'documents, full text and vectors', sql: firstIndexTables },
  { name: 'customers, keys and ledger', sql: accountTables },
  { name: 'terms and cells', sql: rankedIndexTables, fill: upgradeIndex },
  { name: 'answers of fallback lanes', sql: laneTables },
  { name: 'payments', sql: paymentTables },
  { name: 'passwords, sessions and usage by day', sql: dashboardTables },
  { name: 'records of sources', sql: recordTables, fill: upgradeRecords },
  { name: 'checkpoints of builds', sql: checkpointTables },
  { name: 'postings', sql: postingsTables },
  { name: 'known browsers', sql: knownBrowserTables },
  { name: 'lanes that customers allow', sql: laneChoiceTables },
  { name: 'records of the providers of lanes', sql: laneRecordTables },
];

interface Step {
  name: string;
  sql: string;
  /** Brings what was stored before into the new tables. */
  fill?: (db: Database.Database) => void;
}

/** Runs the steps that the file has not seen. Throws `database_unusable` for a newer file. */
export function migrate(db: Database.Database): void {
  const version = (): number => Number(db.pragma('user_version', { simple: true }));
  if (version() === steps.length) return;
  if (version() > steps.length) {
    throw new VerbatimError(
      'database_unusable',
      `${db.name} was written by a newer Verbatim (tables ${version()}, known ${steps.length})`,
    );
  }
  // Immediate: of two processes that start together, the second waits and finds nothing to do.
  db.transaction(() => {
    for (const [index, step] of steps.entries()) {
      if (index < version()) continue;
      db.exec(step.sql);
      step.fill?.(db);
      db.pragma(`user_version = ${index + 1}`);
    }
  }).immediate();
}
