/** Audits that operators started on their pages, with what they found. */
import type { Connection } from '../../database/sqlite/connection.ts';
import type { AuditReport } from './audit.ts';

/** An audit that ended. */
export interface KeptAudit {
  startedAt: number;
  endedAt: number;
  /** Who started it. */
  actor: string;
  customers: number;
  entries: number;
  held: number;
  /** How many differences it found. */
  differenceCount: number;
  /** The first of them. */
  differences: string[];
}

export interface AuditToKeep {
  startedAt: number;
  endedAt: number;
  actor: string;
  report: AuditReport;
  /** The audits that are kept, with this one. */
  auditsMax: number;
  /** The differences that are kept of each. */
  differencesMax: number;
}

/** Keeps an audit, and deletes the oldest ones beyond the maximum. */
export function keepAudit(db: Connection, audit: AuditToKeep): void {
  const { startedAt, endedAt, actor, report, auditsMax, differencesMax } = audit;
  const { customers, entries, held, differences } = report;
  db.prepare(
    `INSERT INTO ledger_audits
       (started_at, ended_at, actor, customers, entries, held, difference_count, differences)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  ).run(
    ...[startedAt, endedAt, actor, customers, entries, held, differences.length],
    JSON.stringify(differences.slice(0, differencesMax)),
  );
  db.prepare(
    `DELETE FROM ledger_audits WHERE id NOT IN
       (SELECT id FROM ledger_audits ORDER BY id DESC LIMIT ?)`,
  ).run(auditsMax);
}

/** Lists audits, latest first. */
export function listKeptAudits(db: Connection, { limit }: { limit: number }): KeptAudit[] {
  const rows = db
    .prepare(
      `SELECT started_at AS startedAt, ended_at AS endedAt, actor, customers, entries, held,
         difference_count AS differenceCount, differences
       FROM ledger_audits ORDER BY id DESC LIMIT ?`,
    )
    .all(limit) as KeptAuditRow[];
  return rows.map(readKeptAudit);
}

/** An audit as both databases have it. */
export type KeptAuditRow = Omit<KeptAudit, 'differences'> & { differences: string };

export function readKeptAudit({ differences, ...audit }: KeptAuditRow): KeptAudit {
  return { ...audit, differences: JSON.parse(differences) as string[] };
}
