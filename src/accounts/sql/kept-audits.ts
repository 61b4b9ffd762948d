/** Audits that operators started on their pages, with what they found. */
import { query, type Sql, takeLock } from '../../database/sql/sql.ts';

/** What an audit finds. */
export interface AuditReport {
  customers: number;
  entries: number;
  /** Credits held for searches in flight. */
  held: number;
  /** One sentence per difference; empty if everything adds up. */
  differences: string[];
}

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

/** Any number that nothing else uses. */
const AUDITS_LOCK = 1_618_034;

/** Keeps what an audit found, in place of the oldest one beyond a maximum. */
export function* keepAudit(audit: AuditToKeep): Sql<void> {
  const { startedAt, endedAt, actor, report, auditsMax, differencesMax } = audit;
  const { customers, entries, held, differences } = report;
  // Of two at once, the second one sees what the first one kept.
  yield* takeLock(AUDITS_LOCK);
  yield* query(
    `INSERT INTO ledger_audits
       (started_at, ended_at, actor, customers, entries, held, difference_count, differences)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [
      ...[startedAt, endedAt, actor, customers, entries, held, differences.length],
      JSON.stringify(differences.slice(0, differencesMax)),
    ],
  );
  yield* query(
    `DELETE FROM ledger_audits WHERE id NOT IN
       (SELECT id FROM ledger_audits ORDER BY id DESC LIMIT $1)`,
    [auditsMax],
  );
}

/** Lists the audits that were kept, latest first. */
export function* listKeptAudits({ limit }: { limit: number }): Sql<KeptAudit[]> {
  const rows = yield* query<Omit<KeptAudit, 'differences'> & { differences: string }>(
    `SELECT started_at AS "startedAt", ended_at AS "endedAt", actor, customers, entries, held,
       difference_count AS "differenceCount", differences
     FROM ledger_audits ORDER BY id DESC LIMIT $1`,
    [limit],
  );
  return rows.map(({ differences, ...audit }) => ({
    ...audit,
    differences: JSON.parse(differences) as string[],
  }));
}
