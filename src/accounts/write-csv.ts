/** Writes CSV files (RFC 4180) that spreadsheets open as they are. Pure. */

/** Tells spreadsheets that the file is UTF-8. Without it, some take it for another encoding. */
const BYTE_ORDER_MARK = '\uFEFF';

/** A column: its heading, and what it has of a row. */
export type CsvColumn<Row> = readonly [heading: string, value: (row: Row) => string | number];

/** Returns the beginning of a file, with the headings. */
export function csvHead<Row>(columns: readonly CsvColumn<Row>[]): string {
  return BYTE_ORDER_MARK + lineOf(columns.map(([heading]) => heading));
}

/** Returns the lines of some rows. */
export function csvLines<Row>(columns: readonly CsvColumn<Row>[], rows: readonly Row[]): string {
  return rows.map((row) => lineOf(columns.map(([, value]) => value(row)))).join('');
}

/** Returns a time in UTC in a form that spreadsheets recognize, such as `2026-03-14 09:30:00`. */
export function csvTime(time: number): string {
  return new Date(time).toISOString().slice(0, 19).replace('T', ' ');
}

function lineOf(fields: readonly (string | number)[]): string {
  return `${fields.map(fieldOf).join(',')}\r\n`;
}

/**
 * Prefixes text that a spreadsheet would run as a formula with an apostrophe. Numbers are ours and
 * stay numbers.
 */
function fieldOf(value: string | number): string {
  if (typeof value === 'number') return String(value);
  const text = /^[=+\-@\t\r\n]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
