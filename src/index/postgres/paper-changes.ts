/** The rows of what happened to papers: see `index/records/paper-changes.ts`. */
import type { Queries } from '../../database/postgres/postgres-database.ts';
import { type PaperChange, SEQUENCES_PER_MS } from '../records/paper-changes.ts';
import { toJson } from './rows.ts';

/**
 * Writes each change in place of the paper's last one. The transaction has locked the facts, so changes are
 * committed in the order of their sequences, and a reader that has seen one has seen all before it.
 */
export async function writePaperChanges(
  { query }: Queries,
  changes: Iterable<PaperChange>,
): Promise<void> {
  const rows = [...changes].map(({ id, isNew, reason }) => ({ id, is_new: isNew, reason }));
  if (rows.length === 0) return;
  await query(
    `INSERT INTO paper_changes (sequence, id, added, reason)
     SELECT first + place, id, CASE WHEN is_new THEN first + place ELSE 0 END, reason
     FROM (SELECT greatest($1::bigint, coalesce(max(sequence), 0)) AS first FROM paper_changes) AS l,
       ROWS FROM (json_to_recordset($2::json) AS (id text, is_new boolean, reason text))
         WITH ORDINALITY AS c (id, is_new, reason, place)
     ON CONFLICT (id) DO UPDATE SET sequence = excluded.sequence,
       added = greatest(paper_changes.added, excluded.added), reason = excluded.reason`,
    [Date.now() * SEQUENCES_PER_MS, toJson(rows)],
  );
}
