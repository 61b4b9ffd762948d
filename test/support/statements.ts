/** Notes every statement that this process prepares, and where in src/ that is done. */
import Database from 'better-sqlite3';
import { vi } from 'vitest';
import type * as sqlModule from '../../src/database/sql/sql.ts';
import { textOnSqlite } from '../../src/database/sqlite/text-on-sqlite.ts';

export interface PreparedStatement {
  sql: string;
  /** `accounts/sql/api-keys.ts:73`: the line with `.prepare(` or `query(`. */
  place: string;
}

const prepared = new Map<string, PreparedStatement>();

/** Notes a statement at the place in src/ that the stack has. Statements of tests themselves have none. */
function note(sql: string): void {
  const place = placeOf(new Error().stack ?? '');
  if (place !== undefined) prepared.set(`${place} ${sql}`, { sql, place });
}

/**
 * Returns src/database/sql/sql.ts with statements that are noted. Work only yields statements, so when they are
 * prepared the stack no longer has the place that made them.
 */
export function notingWork(original: typeof sqlModule): typeof sqlModule {
  const query: typeof sqlModule.query = (text, values) => {
    const work = original.query(text, values);
    note(textOnSqlite(text).text);
    return work as never;
  };
  return {
    ...original,
    query,
    *queryFirst(text, values) {
      const [first] = yield* query(text, values);
      return first as never;
    },
  };
}

/** All that is prepared from now on, by whatever connection, each place with each text once. */
export function recordStatements(): ReadonlyMap<string, PreparedStatement> {
  const prepare = Database.prototype.prepare;
  vi.spyOn(Database.prototype, 'prepare').mockImplementation(function (
    this: Database.Database,
    sql: string,
  ) {
    note(sql);
    return prepare.call(this, sql) as never;
  });
  return prepared;
}

function placeOf(stack: string): string | undefined {
  const [, file, line] =
    /\/src\/((?:accounts|database|index|lanes\/records)\/[\w/-]+\.ts):(\d+):\d+/.exec(stack) ?? [];
  // The runner has no statement of its own.
  return file === undefined || file === 'database/sqlite/run-on-sqlite.ts'
    ? undefined
    : `${file}:${line}`;
}
