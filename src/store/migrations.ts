/**
 * The tables, as an append-only list of steps. Each step runs in one transaction together with the
 * row that records it; a step that has landed is never edited.
 */
import type Database from 'better-sqlite3';
import { VerbatimError } from '../errors.ts';
import { accountTables } from './schema-accounts.ts';
import { indexTables } from './schema-index.ts';

const steps: readonly { name: string; sql: string }[] = [
  { name: 'documents, full text and vectors', sql: indexTables },
  { name: 'customers, keys and ledger', sql: accountTables },
];

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
      db.pragma(`user_version = ${index + 1}`);
    }
  }).immediate();
}
