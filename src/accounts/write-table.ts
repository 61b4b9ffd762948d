/** Writes tables to download: as CSV (RFC 4180) that spreadsheets open as it is, and as JSON. */
import { setImmediate as nextTurn } from 'node:timers/promises';

export type TableFormat = 'csv' | 'json';

/** What a row has in a column; null: nothing. */
export type Cell = string | number | boolean | Date | null | readonly string[];

/** A column: its heading, and what it has of a row. JSON has the heading in camel case, without brackets. */
export type Column<Row> = readonly [heading: string, value: (row: Row) => Cell];

export interface Table {
  /** The name of its file, without an ending. */
  name: string;
  /** Yields the file in pieces. Other requests run in between. */
  write(format: TableFormat): AsyncGenerator<string>;
}

/** Some rows, and where the next ones begin; undefined: these are the last. */
interface Rows<Row> {
  rows: readonly Row[];
  next?: number | undefined;
}

/** Returns a table that is read when it is written, part by part. Rows added in the meantime may be missing. */
export function tableOf<Row>(
  name: string,
  columns: readonly Column<Row>[],
  read: (start: number | undefined) => Rows<Row> | Promise<Rows<Row>>,
): Table {
  return {
    name,
    async *write(format) {
      const writer = format === 'csv' ? csvWriter(columns) : jsonWriter(columns);
      yield writer.head;
      let start: number | undefined;
      do {
        const { rows, next } = await read(start);
        yield writer.lines(rows);
        start = next;
        await nextTurn();
      } while (start !== undefined);
      yield writer.end;
    },
  };
}

interface Writer<Row> {
  head: string;
  lines: (rows: readonly Row[]) => string;
  end: string;
}

/** Tells spreadsheets that the file is UTF-8. Without it, some take it for another encoding. */
const BYTE_ORDER_MARK = '\uFEFF';

function csvWriter<Row>(columns: readonly Column<Row>[]): Writer<Row> {
  const lineOf = (cells: readonly Cell[]): string => `${cells.map(csvCell).join(',')}\r\n`;
  return {
    head: BYTE_ORDER_MARK + lineOf(columns.map(([heading]) => heading)),
    lines: (rows) => rows.map((row) => lineOf(columns.map(([, value]) => value(row)))).join(''),
    end: '',
  };
}

/**
 * Prefixes text that a spreadsheet would run as a formula with an apostrophe. Numbers are ours and
 * stay numbers. Times have a form that spreadsheets recognize, such as `2026-03-14 09:30:00`.
 */
function csvCell(value: Cell): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (value instanceof Date) return value.toISOString().slice(0, 19).replace('T', ' ');
  const plain = typeof value === 'string' ? value : value.join(',');
  const text = /^[=+\-@\t\r\n]/.test(plain) ? `'${plain}` : plain;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function jsonWriter<Row>(columns: readonly Column<Row>[]): Writer<Row> {
  const fields = columns.map(([heading, value]) => [jsonName(heading), value] as const);
  let before = '\n';
  return {
    head: '[',
    lines: (rows) => {
      const objects = rows.map((row) =>
        JSON.stringify(Object.fromEntries(fields.map(([name, value]) => [name, value(row)]))),
      );
      const text = objects.length === 0 ? '' : before + objects.join(',\n');
      if (objects.length > 0) before = ',\n';
      return text;
    },
    end: '\n]\n',
  };
}

function jsonName(heading: string): string {
  const words = heading.replace(/ \(.*\)/, '').toLowerCase();
  return words.replace(/ (.)/g, (_, letter: string) => letter.toUpperCase());
}
