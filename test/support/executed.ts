/** Counts what this process makes SQLite do. */
import Database from 'better-sqlite3';
import { vi } from 'vitest';

export interface Executed {
  statements: number;
  /** Those that were begun, and statements outside of one, each of which is one of its own. */
  transactions: number;
}

/** The counts of what is executed from now on. The test restores all mocks when it has finished. */
export function countExecuted(): Executed {
  const executed = { statements: 0, transactions: 0 };
  const db = new Database(':memory:');
  const prototype = Object.getPrototypeOf(db.prepare('SELECT 1')) as Database.Statement;
  db.close();
  for (const method of ['run', 'get', 'all'] as const) {
    const original = prototype[method];
    vi.spyOn(prototype, method).mockImplementation(function (
      this: Database.Statement,
      ...parameters: unknown[]
    ) {
      executed.statements++;
      if (!this.database.inTransaction) executed.transactions++;
      return original.apply(this, parameters) as never;
    });
  }
  return executed;
}
