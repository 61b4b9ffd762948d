/** Reports of `index add`, kept in the index: what each run read and what came of it. */
import type { Connection } from '../../database/connection.ts';

export type BuildOutcome = 'done' | 'interrupted' | 'failed';

/** `Report` is the caller's: whatever JSON can hold. */
export interface StoredBuild<Report> {
  number: number;
  /** Milliseconds since 1970. */
  startedAt: number;
  /** Null while it runs, and where it was ended by force. */
  endedAt: number | null;
  outcome: BuildOutcome | null;
  report: Report;
}

/** Notes that a build has begun; the function that it returns notes its end. */
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

/** The last builds, the latest first. */
export function readBuilds<Report>(db: Connection, most: number): StoredBuild<Report>[] {
  const rows = db
    .prepare(
      `SELECT number, started_at AS startedAt, ended_at AS endedAt, outcome, report
       FROM index_builds ORDER BY number DESC LIMIT ?`,
    )
    .all(most) as (StoredBuild<Report> & { report: string })[];
  return rows.map((row) => ({ ...row, report: JSON.parse(row.report) }));
}
