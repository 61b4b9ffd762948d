/** What a move reads and writes at either end, within a transaction that has begun there. */
import type { AuditReport } from '../../sql/kept-audits.ts';
import type { Column, MovedTable } from './moved-tables.ts';
import type { MovedRow } from './row-digest.ts';

export interface AccountsSide {
  columnsOf(table: string): Promise<Column[]>;
  countRows(table: string): Promise<number>;
  /** The rows in batches, in any order. */
  read(table: MovedTable): AsyncIterable<MovedRow[]>;
  /** The last ids that were assigned, by table, also those of rows that were deleted. */
  readLastIds(): Promise<Map<string, number>>;
  audit(): Promise<AuditReport>;
  /** Locks the tables and suspends their triggers, until `finishWriting`. */
  startWriting(): Promise<void>;
  /** Deletes all rows. Only between the two. */
  clear(): Promise<void>;
  write(table: MovedTable, rows: readonly MovedRow[]): Promise<void>;
  writeLastIds(ids: ReadonlyMap<string, number>): Promise<void>;
  finishWriting(): Promise<void>;
}
