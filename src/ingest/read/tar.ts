/** Reads the files in a tar archive sequentially. Only this file uses the library. */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { extract } from 'tar-stream';
import { messageOf, VerbatimError } from '../../errors.ts';
import type { ArchiveMember } from './archive-member.ts';

/** Each member must be read before the next one is requested. The rest of it is then skipped. */
export async function* tarMembers(
  chunks: AsyncGenerator<Buffer>,
  path: string,
): AsyncGenerator<ArchiveMember> {
  const archive = extract();
  const reading = pipeline(Readable.from(chunks, { objectMode: true, highWaterMark: 1 }), archive);
  // The iteration reports the failure. Until then it must not count as unhandled.
  reading.catch(() => {});
  try {
    for await (const entry of archive) {
      const { name, type } = entry.header;
      if (type === 'file' || type === 'contiguous-file') {
        yield { name, read: () => contentOf(entry), canBeReadAgain: false };
      }
      entry.resume();
    }
    await reading;
  } catch (error) {
    if (error instanceof VerbatimError) throw error;
    throw new VerbatimError('unreadable_input', `${path} breaks off: ${messageOf(error)}`);
  } finally {
    archive.destroy();
  }
}

/** Stays open if reading stops early, because the archive continues after it. */
async function* contentOf(entry: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const iterator = entry[Symbol.asyncIterator]();
  for (;;) {
    const { value, done } = await iterator.next();
    if (done) return;
    yield value;
  }
}
