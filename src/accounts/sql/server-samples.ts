/** The numbers of a server over time, in its own file, so that its charts survive a restart. */
import type { Connection } from '../../database/sqlite/connection.ts';

export interface StoredSample {
  /** Milliseconds since 1970. */
  endedAt: number;
  /** JSON. Its reader must expect what another version wrote. */
  numbers: string;
}

export interface SampleStore {
  /** Stores a sample, and deletes those that ended before `before`. */
  add(sample: StoredSample & { before: number }): Promise<void>;
  /** Lists the samples that ended at `since` or later, oldest first. */
  list(since: number): StoredSample[];
}

/** Stores a sample, and deletes those that ended before `before`. */
export function addServerSample(
  db: Connection,
  { endedAt, numbers, before }: StoredSample & { before: number },
): void {
  db.prepare('INSERT OR REPLACE INTO server_samples (ended_at, numbers) VALUES (?, ?)').run(
    ...[endedAt, numbers],
  );
  db.prepare('DELETE FROM server_samples WHERE ended_at < ?').run(before);
}

/** Lists the samples that ended at `since` or later, oldest first. */
export function listServerSamples(db: Connection, since: number): StoredSample[] {
  return db
    .prepare(
      `SELECT ended_at AS endedAt, numbers FROM server_samples
       WHERE ended_at >= ? ORDER BY ended_at`,
    )
    .all(since) as StoredSample[];
}
