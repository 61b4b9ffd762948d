/** Prints JSON for programs, or text and tables for people. */
import { formatNumber } from '../../text/format-number.ts';

export function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

export function printJson(value: unknown): void {
  print(JSON.stringify(value));
}

/** Makes text from files safe for a terminal: control characters become code points. */
export function printable(text: string): string {
  return text.replace(/\p{Cc}/gu, (character) => {
    return `\\u{${character.charCodeAt(0).toString(16)}}`;
  });
}

export type Cell = string | number;

/** Prints columns as wide as their widest cell, with numbers aligned right; `(none)` without rows. */
export function printTable(headings: readonly string[], rows: readonly (readonly Cell[])[]): void {
  if (rows.length === 0) {
    print('(none)');
    return;
  }
  const texts = rows.map((row) => row.map((cell) => formatCell(cell)));
  const widths = headings.map((heading, column) =>
    Math.max(heading.length, ...texts.map((row) => row[column]?.length ?? 0)),
  );
  const line = (cells: readonly string[], isNumber: (column: number) => boolean): string =>
    cells
      .map((cell, column) => {
        const width = widths[column] ?? 0;
        return isNumber(column) ? cell.padStart(width) : cell.padEnd(width);
      })
      .join('  ')
      .trimEnd();
  const isNumber = (column: number): boolean => typeof rows[0]?.[column] === 'number';
  print(line(headings, isNumber));
  for (const row of texts) print(line(row, isNumber));
}

/** 1 as `1 entry`, 2 as `2 entries`. */
export function formatCounted(value: number, one: string, many: string): string {
  return `${formatNumber(value)} ${value === 1 ? one : many}`;
}

/** Describes counts: `3 too long, 1 malformed`. */
export function describeCounts(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .map(([what, count]) => `${formatNumber(count)} ${what.replaceAll('_', ' ')}`)
    .join(', ');
}

/** Values that `describeMostFrequent` shows. */
const VALUES_SHOWN_MAX = 10;

/** Describes values with their counts, the most frequent first: `en 12, de 3, and 4 more`. */
export function describeMostFrequent(
  counts: readonly (readonly [value: string, count: number])[],
): string {
  const shown = counts.slice(0, VALUES_SHOWN_MAX);
  const texts = shown.map(([value, count]) => `${value} ${formatNumber(count)}`);
  const further = counts.length - shown.length;
  return [...texts, ...(further > 0 ? [`and ${further} more`] : [])].join(', ');
}

/** A time as `2026-11-21 09:30:00` in UTC; '' for null. */
export function formatTime(time: number | null): string {
  return time === null ? '' : new Date(time).toISOString().slice(0, 19).replace('T', ' ');
}

function formatCell(cell: Cell): string {
  return typeof cell === 'number' ? formatNumber(cell) : cell;
}

/** Returns lines of two columns: what, and how or which. */
export function formatSteps(rows: readonly (readonly [what: string, how: string])[]): string {
  const width = Math.max(...rows.map(([what]) => what.length));
  return rows.map(([what, how]) => `  ${what.padEnd(width)}  ${how}`).join('\n');
}
