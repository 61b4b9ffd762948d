/** Audits that operators started on their pages, with what they found, on PostgreSQL. */

import type { Database, Queries } from '../../database/postgres/postgres-database.ts';
import {
  type AuditToKeep,
  type KeptAudit,
  type KeptAuditRow,
  readKeptAudit,
} from '../sql/kept-audits.ts';

/** Keeps an audit, and deletes the oldest ones beyond the maximum. */
export function keepAudit(database: Database, audit: AuditToKeep): Promise<void> {
  const { startedAt, endedAt, actor, report, auditsMax, differencesMax } = audit;
  const { customers, entries, held, differences } = report;
  return database.transaction(async ({ query }) => {
    // Of two at once, the second one sees what the first one kept.
    await query('LOCK TABLE ledger_audits IN EXCLUSIVE MODE');
    await query(
      `INSERT INTO ledger_audits
         (started_at, ended_at, actor, customers, entries, held, difference_count, differences)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
      [
        ...[startedAt, endedAt, actor, customers, entries, held, differences.length],
        JSON.stringify(differences.slice(0, differencesMax)),
      ],
    );
    await query(
      `DELETE FROM ledger_audits WHERE id NOT IN
         (SELECT id FROM ledger_audits ORDER BY id DESC LIMIT $1)`,
      [auditsMax],
    );
  });
}

/** Lists audits, latest first. */
export async function listKeptAudits(
  { query }: Queries,
  { limit }: { limit: number },
): Promise<KeptAudit[]> {
  const rows = await query<KeptAuditRow>(
    `SELECT started_at AS "startedAt", ended_at AS "endedAt", actor, customers, entries, held,
       difference_count AS "differenceCount", differences
     FROM ledger_audits ORDER BY id DESC LIMIT $1`,
    [limit],
  );
  return rows.map(readKeptAudit);
}
