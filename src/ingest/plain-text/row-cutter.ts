/** Cuts a table into rows at line ends outside quotes. */
import type { SkipReason } from '../read/packed-format.ts';

/** A row with the line where it starts. */
export type RowBytes = { line: number } & (
  | { content: Buffer }
  | { problem: string; reason: SkipReason }
);

const [QUOTE, NEWLINE, CARRIAGE_RETURN] = [0x22, 0x0a, 0x0d];

/**
 * The rows without line ends and without blank rows. Holds at most `bytesMax` of a row. A quote
 * counts only at the start of a cell; elsewhere, as in 5", it is an inch.
 */
export async function* cutRows(
  chunks: AsyncIterable<Buffer>,
  { delimiter, bytesMax }: { delimiter: string; bytesMax: number },
): AsyncGenerator<RowBytes> {
  const separator = delimiter.charCodeAt(0);
  let [parts, bytes]: [Buffer[], number] = [[], 0];
  let [line, rowLine] = [1, 1];
  let [isInQuotes, isAtCellStart] = [false, true];
  const take = (part: Buffer): void => {
    bytes += part.length;
    if (bytes <= bytesMax) parts.push(part);
    else parts = [];
  };
  const finish = (): RowBytes | undefined => {
    const row = rowOf(Buffer.concat(parts), { line: rowLine, bytes, bytesMax });
    [parts, bytes, rowLine] = [[], 0, line];
    return row;
  };
  for await (const chunk of chunks) {
    let start = 0;
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at];
      if (byte === NEWLINE) line++;
      if (byte === QUOTE && (isInQuotes || isAtCellStart)) isInQuotes = !isInQuotes;
      else if (byte === NEWLINE && !isInQuotes) {
        take(chunk.subarray(start, at));
        start = at + 1;
        const row = finish();
        if (row !== undefined) yield row;
      }
      // Two quotes within a quoted cell stand for one.
      isAtCellStart = byte === separator || byte === NEWLINE || (byte === QUOTE && !isInQuotes);
    }
    take(chunk.subarray(start));
  }
  const last = finish();
  if (last !== undefined) yield last;
}

function rowOf(
  content: Buffer,
  { line, bytes, bytesMax }: { line: number; bytes: number; bytesMax: number },
): RowBytes | undefined {
  if (bytes > bytesMax) {
    const problem = `the row has ${bytes} bytes, at most ${bytesMax} are read`;
    return { line, problem, reason: 'too_long' };
  }
  const end = content.at(-1) === CARRIAGE_RETURN ? content.length - 1 : content.length;
  const isBlank = content.toString('latin1', 0, end).trim() === '';
  return isBlank ? undefined : { line, content: content.subarray(0, end) };
}
