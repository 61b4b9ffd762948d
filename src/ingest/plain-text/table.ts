/**
 * Reads tables with a header row, separated by commas, semicolons, tabs, or bars, with quoted cells
 * (RFC 4180). Only this file uses the parser library, which gets one row at a time, so that a bad or
 * long row costs only itself.
 */
import { parse } from 'csv-parse/sync';
import type { FormatLimits, SkipReason } from '../read/packed-format.ts';
import { peek } from '../read/peek.ts';
import type { ByteSource } from '../read/source.ts';
import { decodeUtf8, NOT_UTF8, withoutByteOrderMark } from '../read/utf8.ts';
import { cutRows, type RowBytes } from './row-cutter.ts';

/** A row with the line where it starts, and its cells in the order of the columns. */
type Row = { line: number; raw?: string } & (
  | { cells: string[] }
  | { problem: string; reason: SkipReason }
);

export interface Table {
  /** Column names normalized by `columnName`. */
  columns: string[];
  rows: AsyncGenerator<Row>;
}

/** Enough for the header row. */
const PEEK_BYTES = 16 * 1024;

const DELIMITERS = [',', '\t', ';', '|'] as const;

/**
 * A line before the header: Excel's name of the delimiter, or how Dimensions describes its export,
 * which may be quoted and then has line breaks. Spreadsheets add delimiters at its end.
 */
const PREAMBLE =
  /^(?:"?sep=([,;|\t])"?\s*?|"About the data:(?:[^"]|"")*"[,;|\t]*|About the data:[^\n]*)\r?\n/i;

interface Header {
  /** Names as written in the table. */
  names: string[];
  columns: string[];
  delimiter: string;
  /** Whether a line stands before the header. */
  hasPreamble: boolean;
}

/** The column names in the first line of a text, and the delimiter. */
export function headerOf(text: string): Header {
  const start = withoutByteOrderMark(text).trimStart();
  const [preamble = '', named] = PREAMBLE.exec(start) ?? [];
  const hasPreamble = preamble !== '';
  const [line = ''] = start.slice(preamble.length).trimStart().split(/\r?\n/, 1);
  const candidates = (named === undefined ? DELIMITERS : [named]).map((delimiter) => {
    const names = cellsOf(line, delimiter) ?? [];
    return { names, columns: names.map(columnName), delimiter, hasPreamble };
  });
  // The delimiter with the most columns wins.
  candidates.sort((a, b) => b.columns.length - a.columns.length);
  return candidates[0] as Header;
}

/** Opens a table. */
export async function readTable(source: ByteSource, limits: FormatLimits): Promise<Table> {
  const { start, all } = await peek(source.chunks(), PEEK_BYTES);
  const { columns, delimiter, hasPreamble } = headerOf(start.toString());
  async function* rows(): AsyncGenerator<Row> {
    let rowsBefore = hasPreamble ? 2 : 1;
    for await (const row of cutRows(all, { delimiter, bytesMax: limits.lineBytesMax })) {
      if (rowsBefore === 0) yield readRow(row, { delimiter, columns: columns.length });
      else rowsBefore--;
    }
  }
  return { columns, rows: rows() };
}

/** "Publication Year" and "publication_year" are one column. */
function columnName(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
}

function readRow(row: RowBytes, shape: { delimiter: string; columns: number }): Row {
  const { line } = row;
  if ('problem' in row) return { line, problem: row.problem, reason: row.reason };
  const malformed = (problem: string): Row => ({ line, problem, reason: 'malformed' });
  const text = decodeUtf8(row.content);
  if (text === undefined) return malformed(`the row ${NOT_UTF8}`);
  const cells = cellsOf(text, shape.delimiter);
  const raw = text;
  // In some exports each row except the header ends with a separator.
  if (cells?.length === shape.columns + 1 && cells.at(-1) === '') cells.pop();
  if (cells === undefined) return { ...malformed('the quotes of the row are not in pairs'), raw };
  // Too few cells are common, because programs leave out empty ones at the end.
  if (cells.length <= shape.columns) return { line, raw, cells };
  const problem = `the row has ${cells.length} cells, there are ${shape.columns} columns`;
  return { ...malformed(problem), raw };
}

/** The cells of a row; undefined if its quotes do not match. */
function cellsOf(row: string, delimiter: string): string[] | undefined {
  // Quotes in the middle of a cell, as in 5" for inches, are kept. In a row of several lines they
  // show that a quote was left open and that the lines are separate rows.
  for (const isRelaxed of row.includes('\n') ? [false] : [false, true]) {
    try {
      const rows = parse(row, {
        delimiter,
        relax_quotes: isRelaxed,
        relax_column_count: true,
        bom: false,
        columns: false,
        skip_empty_lines: true,
        record_delimiter: ['\r\n', '\n'],
      });
      return rows.length <= 1 ? (rows[0] ?? []) : undefined;
    } catch {
      // The parser only rejects quotes.
    }
  }
  return undefined;
}
