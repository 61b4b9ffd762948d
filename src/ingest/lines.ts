/** Splits bytes into lines of UTF-8. A line that is too long or no UTF-8 is told, not thrown. */

export type Line = { number: number } & ({ text: string } | { problem: string });

const NEWLINE = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const BYTE_ORDER_MARK = '\u{feff}';

/**
 * The lines of a file, numbered from 1, without their ends, blank ones left out. Never holds more
 * than `lineBytesMax` of one line.
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
    return { number, problem: `the line has ${bytes} bytes, at most ${lineBytesMax} are read` };
  }
  const end = content.at(-1) === CARRIAGE_RETURN ? content.length - 1 : content.length;
  try {
    let text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(
      content.subarray(0, end),
    );
    if (number === 1 && text.startsWith(BYTE_ORDER_MARK)) text = text.slice(1);
    return text.trim() === '' ? undefined : { number, text };
  } catch {
    return { number, problem: 'the line is not valid UTF-8' };
  }
}
