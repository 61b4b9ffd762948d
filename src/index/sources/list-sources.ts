/** Lists sources, on either database. */
import { query, type Sql } from '../../database/sql/sql.ts';

/** A stored source, beside what the caller knows of its settings. */
export interface StoredSource {
  name: string;
  /** Milliseconds since 1970. */
  addedAt: number;
  /** As it was saved; null: nothing was fetched. */
  position: unknown;
  state: unknown;
  /** Whether a process runs it now. */
  isRunning: boolean;
}

/** Returns them with their settings. The caller knows what was stored. */
export function* listSources<Source extends StoredSource>(now = Date.now()): Sql<Source[]> {
  const rows = yield* query<Record<'settings' | 'state', string> & SourceRow>(
    `SELECT name, settings, added_at AS "addedAt", position, state, owned_until AS "ownedUntil"
     FROM sources ORDER BY added_at, name`,
  );
  return rows.map(({ settings, position, state, ownedUntil, ...row }) => ({
    ...row,
    ...JSON.parse(settings),
    position: position === null ? null : JSON.parse(position),
    state: JSON.parse(state),
    isRunning: ownedUntil > now,
  }));
}

interface SourceRow {
  name: string;
  addedAt: number;
  position: string | null;
  ownedUntil: number;
}
