/** Reports of `index add`, kept in the index: what each run read and its outcome. */
import type { Connection } from '../../database/sqlite/connection.ts';

export type BuildOutcome = 'done' | 'interrupted' | 'failed';

/** `Report` is the caller's: any type that JSON can hold. */
export interface StoredBuild<Report> {
  number: number;
  /** Milliseconds since 1970. */
  startedAt: number;
  /** Null while it runs, or if it was killed. */
  endedAt: number | null;
  outcome: BuildOutcome | null;
  report: Report;
}

/** Records the start of a build. Returns a function that records its end. */
export function startBuild<Report>(
  db: Connection,
  report: Report,
): (outcome: BuildOutcome, report: Report) => void {
  const { lastInsertRowid } = db
    .prepare('INSERT INTO index_builds (started_at, report) VALUES (?, ?)')
    .run(Date.now(), JSON.stringify(report));
  const end = db.prepare(
    'UPDATE index_builds SET ended_at = ?, outcome = ?, report = ? WHERE number = ?',
  );
  return (outcome, last) => {
    end.run(Date.now(), outcome, JSON.stringify(last), lastInsertRowid);
  };
}

/**
 * Returns a function that reads when the last build ended, or began if it has not ended, in
 * milliseconds since 1970; undefined if there was none.
 */
export function createLastBuildReader(db: Connection): () => number | undefined {
  const read = db
    .prepare(
      `SELECT coalesce(ended_at, started_at) FROM index_builds
       WHERE number = (SELECT max(number) FROM index_builds)`,
    )
    .pluck();
  return () => read.get() as number | undefined;
}

/** Returns the last builds, the latest first. */
export function readBuilds<Report>(db: Connection, most: number): StoredBuild<Report>[] {
  const rows = db
    .prepare(
      `SELECT number, started_at AS startedAt, ended_at AS endedAt, outcome, report
       FROM index_builds ORDER BY number DESC LIMIT ?`,
    )
    .all(most) as (StoredBuild<Report> & { report: string })[];
  return rows.map((row) => ({ ...row, report: JSON.parse(row.report) }));
}
