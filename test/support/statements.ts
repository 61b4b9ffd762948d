/** Notes every statement that this process prepares, and where in src/ that is done. */
import Database from 'better-sqlite3';
import { vi } from 'vitest';

export interface PreparedStatement {
  sql: string;
  /** `accounts/sql/api-keys.ts:73`: the line with `.prepare(`. */
  place: string;
}

/** All that is prepared from now on, by whatever connection, each place with each text once. */
export function recordStatements(): ReadonlyMap<string, PreparedStatement> {
  const prepared = new Map<string, PreparedStatement>();
  const prepare = Database.prototype.prepare;
  vi.spyOn(Database.prototype, 'prepare').mockImplementation(function (
    this: Database.Database,
    sql: string,
  ) {
    const place = placeOf(new Error().stack ?? '');
    // Statements of tests themselves have none.
    if (place !== undefined) prepared.set(`${place} ${sql}`, { sql, place });
    return prepare.call(this, sql) as never;
  });
  return prepared;
}

function placeOf(stack: string): string | undefined {
  const [, file, line] =
    /\/src\/((?:accounts|database|index|lanes\/records)\/[\w/-]+\.ts):(\d+):\d+/.exec(stack) ?? [];
  return file === undefined ? undefined : `${file}:${line}`;
}
