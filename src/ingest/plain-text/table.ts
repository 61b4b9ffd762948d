/**
 * Tables with a line of column names: comma-, semicolon- or tab-separated, cells in quotes where
 * they hold separators or line breaks (RFC 4180). The only file that knows the parser, which is
 * given one row at a time: a row that is bad, or too long, costs only itself.
 */
import { parse } from 'csv-parse/sync';
import type { FormatLimits, SkipReason } from '../read/format.ts';
import { peek } from '../read/peek.ts';
import type { ByteSource } from '../read/source.ts';
import { decodeUtf8, NOT_UTF8, withoutByteOrderMark } from '../read/utf8.ts';
import { cutRows, type RowBytes } from './row-cutter.ts';

/** A row by the line where it starts, its cells in the order of the columns. */
type Row = { line: number; raw?: string } & (
  | { cells: string[] }
  | { problem: string; reason: SkipReason }
);

export interface Table {
  /** Names of columns, as normalized by `columnName`. */
  columns: string[];
  rows: AsyncGenerator<Row>;
}

/** Enough for the line of column names. */
const PEEK_BYTES = 16 * 1024;

const DELIMITERS = [',', '\t', ';', '|'] as const;

interface Header {
  /** As they stand in the table. */
  names: string[];
  columns: string[];
  delimiter: string;
}

/** The names of the columns in the first line of a text, and what separates them. */
export function headerOf(text: string): Header {
  const [line = ''] = withoutByteOrderMark(text).trimStart().split(/\r?\n/, 1);
  const candidates = DELIMITERS.map((delimiter) => {
    const names = cellsOf(line, delimiter) ?? [];
    return { names, columns: names.map(columnName), delimiter };
  });
  // The one that makes the most columns.
  candidates.sort((a, b) => b.columns.length - a.columns.length);
  return candidates[0] as Header;
}

/** Opens a table. */
export async function readTable(source: ByteSource, limits: FormatLimits): Promise<Table> {
  const { start, all } = await peek(source.chunks(), PEEK_BYTES);
  const { columns, delimiter } = headerOf(start.toString());
  async function* rows(): AsyncGenerator<Row> {
    let isHeader = true;
    for await (const row of cutRows(all, { delimiter, bytesMax: limits.lineBytesMax })) {
      if (!isHeader) yield readRow(row, { delimiter, columns: columns.length });
      isHeader = false;
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
  // Each row of some exports ends with a separator, the line of names does not.
  if (cells?.length === shape.columns + 1 && cells.at(-1) === '') cells.pop();
  if (cells === undefined) return { ...malformed('the quotes of the row are not in pairs'), raw };
  // Too few are common: programs leave out empty cells at the end.
  if (cells.length <= shape.columns) return { line, raw, cells };
  const problem = `the row has ${cells.length} cells, there are ${shape.columns} columns`;
  return { ...malformed(problem), raw };
}

/** The cells of one row, undefined where its quotes are not as they should be. */
function cellsOf(row: string, delimiter: string): string[] | undefined {
  // Quotes in the middle of a cell, as in 5" for inches, are taken as they are; but in a row of
  // several lines they show that a quote was left open, and the lines are rows of their own.
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
      // What it complains of, if anything, are quotes.
    }
  }
  return undefined;
}
