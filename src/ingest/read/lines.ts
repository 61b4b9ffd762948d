/** Splits bytes into lines of UTF-8. Bad lines are reported, not thrown. */
import type { SkipReason } from './packed-format.ts';
import { decodeUtf8, NOT_UTF8, withoutByteOrderMark } from './utf8.ts';

export type Line = { number: number } & (
  | { text: string }
  | { problem: string; reason: SkipReason }
);

const NEWLINE = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/**
 * The lines of a file, numbered from 1, without line ends and without blank lines. Holds at most
 * `lineBytesMax` of a line.
 */
export async function* splitLines(
  chunks: AsyncIterable<Buffer>,
  lineBytesMax: number,
): AsyncGenerator<Line> {
  let parts: Buffer[] = [];
  let bytes = 0;
  let number = 1;
  const take = (part: Buffer): void => {
    bytes += part.length;
    if (bytes <= lineBytesMax) parts.push(part);
    else parts = [];
  };
  const finish = (): Line | undefined => {
    const line = decodeLine(Buffer.concat(parts), { number, bytes, lineBytesMax });
    parts = [];
    bytes = 0;
    number++;
    return line;
  };
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      take(chunk.subarray(start, end));
      const line = finish();
      if (line !== undefined) yield line;
      start = end + 1;
    }
    take(chunk.subarray(start));
  }
  const last = finish();
  if (last !== undefined) yield last;
}

function decodeLine(
  content: Buffer,
  { number, bytes, lineBytesMax }: { number: number; bytes: number; lineBytesMax: number },
): Line | undefined {
  if (bytes > lineBytesMax) {
    const problem = `the line has ${bytes} bytes, at most ${lineBytesMax} are read`;
    return { number, problem, reason: 'too_long' };
  }
  const end = content.at(-1) === CARRIAGE_RETURN ? content.length - 1 : content.length;
  const decoded = decodeUtf8(content.subarray(0, end));
  if (decoded === undefined) {
    return { number, problem: `the line ${NOT_UTF8}`, reason: 'malformed' };
  }
  const text = number === 1 ? withoutByteOrderMark(decoded) : decoded;
  return text.trim() === '' ? undefined : { number, text };
}
