/** What operators read in an SQLite file. */

import type { Sql } from '../../../database/sql/sql.ts';
import type { Connection } from '../../../database/sqlite/connection.ts';
import { readOnSqlite } from '../../../database/sqlite/run-on-sqlite.ts';
import { operatorReads } from '../../sql/operator-reads.ts';
import { auditLedger } from './audit.ts';

/** What to read, named by its function, and its input. Cloned between threads. */
export interface OperatorRead {
  name: keyof typeof operatorReads | 'audit';
  input?: unknown;
}

/** Reads one moment. */
export function readAsOperator(db: Connection, { name, input }: OperatorRead): unknown {
  if (name === 'audit') return auditLedger(db);
  const read = operatorReads[name] as (input: unknown) => Sql<unknown>;
  return readOnSqlite(db, read(input));
}
