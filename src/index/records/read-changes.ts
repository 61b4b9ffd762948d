/** Reads what happened to papers, on either database. */
import { query, queryFirst, type Sql } from '../../database/sql/sql.ts';
import type { ChangesPage, Sequence, StoredChange } from './paper-changes.ts';

/** Returns at most so many changes after one. */
export function* readChanges(after: Sequence, most: number): Sql<Omit<ChangesPage, 'index'>> {
  const newest = yield* queryFirst<{ last: Sequence }>(
    'SELECT coalesce(max(sequence), 0) AS last FROM paper_changes',
  );
  const changes = yield* query<StoredChange>(
    `SELECT sequence, id, added, reason FROM paper_changes WHERE sequence > $1
     ORDER BY sequence LIMIT $2`,
    [after, most],
  );
  return { last: newest?.last ?? 0, changes };
}
