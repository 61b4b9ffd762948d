/** The end of a move on PostgreSQL. */

import type { Queries } from '../../../database/postgres/postgres-database.ts';
import { auditWithin } from '../../postgres/postgres-audit.ts';
import type { AccountsSide } from './accounts-side.ts';
import { type Column, columnsOfPostgres, type MovedTable, movedTables } from './moved-tables.ts';
import type { MovedRow, MovedValue } from './row-digest.ts';

const ALL_TABLES = movedTables.join(', ');

export function createPostgresSide(
  queries: Queries,
  { batchRows }: { batchRows: number },
): AccountsSide {
  const { query } = queries;
  const eachTable = async (sqlOf: (table: string) => string): Promise<void> => {
    for (const table of movedTables) await query(sqlOf(table));
  };
  return {
    columnsOf: (table) => columnsOf(queries, table),
    async countRows(table) {
      const [row] = await query<{ rows: number }>(`SELECT count(*) AS rows FROM ${table}`);
      return row?.rows ?? 0;
    },
    read: (table) => readBatches(queries, table, batchRows),
    readLastIds: () => readLastIds(queries),
    audit: () => auditWithin(queries),
    async startWriting() {
      await query(`LOCK TABLE ${ALL_TABLES} IN ACCESS EXCLUSIVE MODE`);
      await eachTable((table) => `ALTER TABLE ${table} DISABLE TRIGGER USER`);
    },
    async clear() {
      await query(`TRUNCATE ${ALL_TABLES} RESTART IDENTITY`);
    },
    write: (table, rows) => write(queries, table, rows),
    async writeLastIds(ids) {
      for (const [table, id] of ids) {
        await query("SELECT setval(pg_get_serial_sequence($1, 'id'), $2)", [table, id]);
      }
    },
    async finishWriting() {
      await eachTable((table) => `ALTER TABLE ${table} ENABLE TRIGGER USER`);
      // Without statistics, the audit takes minutes where it takes seconds.
      await query(`ANALYZE ${ALL_TABLES}`);
    },
  };
}

function columnsOf({ query }: Queries, table: string): Promise<Column[]> {
  return query<Column>(
    `SELECT attname AS name, format_type(atttypid, NULL) AS type FROM pg_attribute
     WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped ORDER BY attnum`,
    [table],
  );
}

async function* readBatches(
  { query }: Queries,
  { name, columns, booleans }: MovedTable,
  batchRows: number,
): AsyncGenerator<MovedRow[]> {
  type Row = Record<string, MovedValue | boolean>;
  await query(`DECLARE moved NO SCROLL CURSOR FOR SELECT ${columns.join(', ')} FROM ${name}`);
  for (;;) {
    const rows = await query<Row>(`FETCH ${batchRows} FROM moved`);
    if (rows.length === 0) break;
    yield rows.map((row) =>
      columns.map((column) => (booleans.has(column) ? Number(row[column]) : row[column])),
    ) as MovedRow[];
  }
  await query('CLOSE moved');
}

/** PostgreSQL reads each value as its column says. */
async function write(
  { query }: Queries,
  { name, columns }: MovedTable,
  rows: readonly MovedRow[],
): Promise<void> {
  const extra = columnsOfPostgres[name] ?? {};
  const all = [...columns, ...Object.keys(extra)].join(', ');
  const objects = rows.map((row) => ({ ...objectOf(columns, row), ...extra }));
  await query(
    `INSERT INTO ${name} (${all}) OVERRIDING SYSTEM VALUE
     SELECT ${all} FROM json_populate_recordset(NULL::${name}, $1)`,
    [JSON.stringify(objects)],
  );
}

function objectOf(columns: readonly string[], row: MovedRow): Record<string, unknown> {
  return Object.fromEntries(columns.map((column, index) => [column, written(row[index])]));
}

function written(value: MovedValue | undefined): unknown {
  return value instanceof Uint8Array ? `\\x${Buffer.from(value).toString('hex')}` : value;
}

async function readLastIds({ query }: Queries): Promise<Map<string, number>> {
  const ids = new Map<string, number>();
  for (const table of movedTables) {
    const [row] = await query<{ last: number | null }>(
      `SELECT CASE WHEN sequence IS NULL THEN NULL ELSE pg_sequence_last_value(sequence) END AS last
       FROM (SELECT pg_get_serial_sequence($1::regclass::text, attname)::regclass AS sequence
         FROM pg_attribute WHERE attrelid = $1::regclass AND attidentity <> '') AS found`,
      [table],
    );
    if (typeof row?.last === 'number') ids.set(table, row.last);
  }
  return ids;
}
