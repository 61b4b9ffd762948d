/** Converts the line ends of old Macs, which are carriage returns alone. */
import { peek } from './peek.ts';

/** Enough for the first lines of any table or record. */
const PEEK_BYTES = 16 * 1024;

const [LINE_FEED, CARRIAGE_RETURN] = [0x0a, 0x0d];

/** UTF-8 content. If its start has only carriage returns, all of them become line feeds. */
export async function* lineFeeds(chunks: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  const { start, all } = await peek(chunks, PEEK_BYTES);
  if (start.includes(LINE_FEED) || !hasLines(start)) {
    yield* all;
    return;
  }
  for await (const chunk of all) {
    const changed = Buffer.from(chunk);
    for (let at = changed.indexOf(CARRIAGE_RETURN); at !== -1; ) {
      changed[at] = LINE_FEED;
      at = changed.indexOf(CARRIAGE_RETURN, at + 1);
    }
    yield changed;
  }
}

/** Whether a carriage return is followed by anything but a line feed. */
function hasLines(start: Buffer): boolean {
  const at = start.indexOf(CARRIAGE_RETURN);
  return at !== -1 && at < start.length - 1;
}
