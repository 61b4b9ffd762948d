/** Updates of the index that operators started on their pages, in the file of the server. */
import type { Connection } from '../../database/sqlite/connection.ts';

export type UpdateOutcome = 'done' | 'stopped' | 'failed';

export interface IndexUpdate {
  id: number;
  /** Within the folder for updates; '' for all of it. */
  path: string;
  /** Who started it. */
  actor: string;
  startedAt: number;
  /** Null while it runs. If the server ends meanwhile, the next start goes on with it. */
  endedAt: number | null;
  outcome: UpdateOutcome | null;
  /** Why it failed. */
  message: string | null;
}

export interface UpdateToAdd {
  path: string;
  actor: string;
  now: number;
  /** The updates that are kept, with this one. */
  updatesMax: number;
}

export interface UpdateEnd {
  id: number;
  outcome: UpdateOutcome;
  message: string | null;
  now: number;
}

export interface UpdateStore {
  add(input: UpdateToAdd): Promise<number>;
  end(input: UpdateEnd): Promise<void>;
  /** Lists updates, latest first. */
  list(limit: number): IndexUpdate[];
}

/** Adds an update that begins. Returns its id. */
export function addIndexUpdate(
  db: Connection,
  { path, actor, now, updatesMax }: UpdateToAdd,
): number {
  const { lastInsertRowid } = db
    .prepare('INSERT INTO index_updates (path, actor, started_at) VALUES (?, ?, ?)')
    .run(path, actor, now);
  const id = Number(lastInsertRowid);
  db.prepare('DELETE FROM index_updates WHERE id <= ?').run(id - updatesMax);
  return id;
}

export function endIndexUpdate(db: Connection, { id, outcome, message, now }: UpdateEnd): void {
  db.prepare('UPDATE index_updates SET ended_at = ?, outcome = ?, message = ? WHERE id = ?').run(
    ...[now, outcome, message, id],
  );
}

/** Lists updates, latest first. */
export function listIndexUpdates(db: Connection, limit: number): IndexUpdate[] {
  return db
    .prepare(
      `SELECT id, path, actor, started_at AS startedAt, ended_at AS endedAt, outcome, message
       FROM index_updates ORDER BY id DESC LIMIT ?`,
    )
    .all(limit) as IndexUpdate[];
}
