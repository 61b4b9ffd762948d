/** Checks a backup: SQLite's own check of the file, the text of documents, and the audit of its ledger. */
import { statSync } from 'node:fs';
import { auditLedger, readLedgerEnd } from '../../accounts/sqlite/ledger/audit.ts';
import {
  assertMigratable,
  TABLES_VERSION,
  versionOf,
} from '../../database/migrations/migrate-file.ts';
import { connectForReading } from '../../database/sqlite/connect.ts';
import type { Connection } from '../../database/sqlite/connection.ts';
import { namingFault } from '../../database/sqlite/faults.ts';
import { integrityProblems } from '../../database/sqlite/integrity.ts';
import { damagedDocuments } from '../../index/verify/damaged-documents.ts';

const DOCUMENTS_NAMED_MAX = 100;

export interface BackupCheck {
  bytes: number;
  /** The version of the tables. */
  tables: number;
  /** Entries of the ledger; null if the tables are of an older version, which nobody can audit. */
  entries: number | null;
  /** When the last entry was written, in milliseconds since 1970; null without entries. */
  ledgerEndsAt: number | null;
  /** One sentence per problem; empty if the file is sound. */
  problems: string[];
}

/**
 * Reads the whole file, which it does not change. Throws `database_unusable` for a file that is no
 * database of Verbatim, or one of a version that is too new or too old.
 */
export function checkBackup(path: string): BackupCheck {
  const db = connectForReading({ path, lockWaitMs: 0 });
  try {
    assertMigratable(db);
    const tables = versionOf(db);
    const problems = integrityProblems(db);
    const isCurrent = tables === TABLES_VERSION;
    const audited = isCurrent && problems.length === 0 ? audit(db) : undefined;
    return {
      bytes: statSync(path).size,
      tables,
      entries: audited?.entries ?? null,
      ledgerEndsAt: audited?.ledgerEndsAt ?? null,
      problems: [...problems, ...(audited?.differences ?? []), ...(audited?.damaged ?? [])],
    };
  } catch (error) {
    throw namingFault(error, path);
  } finally {
    db.close();
  }
}

function audit(db: Connection) {
  const { entries, differences } = auditLedger(db);
  return { entries, differences, ledgerEndsAt: readLedgerEnd(db), damaged: documentProblems(db) };
}

/** One sentence for each document that searches would leave out, up to `DOCUMENTS_NAMED_MAX`. */
function documentProblems(db: Connection): string[] {
  const problems: string[] = [];
  for (const document of damagedDocuments(db)) {
    if (problems.length === DOCUMENTS_NAMED_MAX) return [...problems, 'and more documents'];
    problems.push(`document ${document} of the index is not what was written`);
  }
  return problems;
}
