/** The end of a move in an SQLite file. */

import type { Connection } from '../../../database/sqlite/connection.ts';
import { auditLedger } from '../../sqlite/ledger/audit.ts';
import type { AccountsSide } from './accounts-side.ts';
import { type Column, type MovedTable, movedTables } from './moved-tables.ts';
import type { MovedRow, MovedValue } from './row-digest.ts';

export interface BatchLimits {
  /** Rows of a batch. */
  batchRows: number;
  /** Characters and bytes of a batch, of which a single row may have more. */
  batchBytes: number;
}

interface Trigger {
  name: string;
  sql: string;
}

export function createSqliteSide(db: Connection, limits: BatchLimits): AccountsSide {
  let suspended: Trigger[] = [];
  return {
    columnsOf: async (table) =>
      db
        .prepare('SELECT name, lower(type) AS type FROM pragma_table_info(?)')
        .all(table) as Column[],
    countRows: async (table) => Number(db.prepare(`SELECT count(*) FROM ${table}`).pluck().get()),
    read: (table) => readBatches(db, table, limits),
    readLastIds: async () => readLastIds(db),
    audit: async () => auditLedger(db),
    async startWriting() {
      suspended = triggersOf(db);
      for (const { name } of suspended) db.exec(`DROP TRIGGER ${name}`);
    },
    async clear() {
      for (const table of movedTables.toReversed()) db.exec(`DELETE FROM ${table}`);
    },
    async write({ name, columns }, rows) {
      const values = columns.map(() => '?').join(', ');
      const insert = db.prepare(`INSERT INTO ${name} (${columns.join(', ')}) VALUES (${values})`);
      for (const row of rows) insert.run(...row);
    },
    async writeLastIds(ids) {
      const counted = tablesWithIds(db);
      for (const [table, id] of ids) if (counted.has(table)) writeLastId(db, table, id);
    },
    async finishWriting() {
      for (const { sql } of suspended) db.exec(sql);
      suspended = [];
    },
  };
}

/** The iterator reads as it goes, so only a batch is in memory. */
async function* readBatches(
  db: Connection,
  { name, columns }: MovedTable,
  { batchRows, batchBytes }: BatchLimits,
): AsyncGenerator<MovedRow[]> {
  const select = db.prepare(`SELECT ${columns.join(', ')} FROM ${name}`).raw();
  let batch: MovedRow[] = [];
  let bytes = 0;
  for (const row of select.iterate() as IterableIterator<MovedValue[]>) {
    batch.push(row);
    for (const value of row) bytes += sizeOf(value);
    if (batch.length < batchRows && bytes < batchBytes) continue;
    yield batch;
    batch = [];
    bytes = 0;
  }
  if (batch.length > 0) yield batch;
}

function sizeOf(value: MovedValue): number {
  return typeof value === 'string' || value instanceof Uint8Array ? value.length : 1;
}

function triggersOf(db: Connection): Trigger[] {
  const moved = new Set<string>(movedTables);
  const all = db
    .prepare("SELECT name, tbl_name AS owner, sql FROM sqlite_schema WHERE type = 'trigger'")
    .all() as (Trigger & { owner: string })[];
  return all.filter(({ owner }) => moved.has(owner));
}

/** Tables whose ids are never assigned again. */
function tablesWithIds(db: Connection): Set<string> {
  const find = "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql LIKE '%AUTOINCREMENT%'";
  return new Set(db.prepare(find).pluck().all() as string[]);
}

function readLastIds(db: Connection): Map<string, number> {
  const rows = db.prepare('SELECT name, seq FROM sqlite_sequence').raw().all();
  const ids = new Map(rows as [string, number][]);
  const moved: readonly string[] = movedTables;
  return new Map([...ids].filter(([table, id]) => moved.includes(table) && id > 0));
}

function writeLastId(db: Connection, table: string, id: number): void {
  db.prepare('DELETE FROM sqlite_sequence WHERE name = ?').run(table);
  db.prepare('INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)').run(table, id);
}
