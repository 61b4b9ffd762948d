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

/** Selects when the last build ended, or began if it has not ended, on either database. */
export const LAST_BUILD_SQL = `
  SELECT coalesce(ended_at, started_at) AS at FROM index_builds
  WHERE number = (SELECT max(number) FROM index_builds)`;

/** Selects the last builds, the latest first, on either database. */
export function buildsSql(most: number): string {
  return `SELECT number, started_at AS "startedAt", ended_at AS "endedAt", outcome, report
    FROM index_builds ORDER BY number DESC LIMIT ${most}`;
}

export function buildsIn<Report>(rows: readonly unknown[]): StoredBuild<Report>[] {
  const builds = rows as readonly StoredBuild<string>[];
  return builds.map((row) => ({ ...row, report: JSON.parse(row.report) }));
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

/** Returns a function that reads when the last build ended; undefined if there was none. */
export function createLastBuildReader(db: Connection): () => number | undefined {
  const read = db.prepare(LAST_BUILD_SQL).pluck();
  return () => read.get() as number | undefined;
}

export function readBuilds<Report>(db: Connection, most: number): StoredBuild<Report>[] {
  return buildsIn(db.prepare(buildsSql(most)).all());
}
