/** Lists sources, on either database. */
import { query, type Sql } from '../../database/sql/sql.ts';
import type { AnySource } from '../ports/source-store.ts';

export function* listSources<Source extends AnySource>(now: number): Sql<Source[]> {
  const rows = yield* query<Record<'name' | 'settings' | 'state', string> & SourceRow>(
    `SELECT name, settings, added_at AS "addedAt", position, state, owned_until AS "ownedUntil"
     FROM sources ORDER BY added_at, name`,
  );
  return rows.map(({ settings, position, state, ownedUntil, ...row }) => ({
    ...row,
    settings: JSON.parse(settings),
    position: position === null ? null : JSON.parse(position),
    state: JSON.parse(state),
    isRunning: ownedUntil > now,
  })) as unknown as Source[];
}

interface SourceRow {
  addedAt: number;
  position: string | null;
  ownedUntil: number;
}
