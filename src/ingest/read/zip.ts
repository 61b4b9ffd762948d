/** The files in a zip archive, by its directory. The only file that knows the library. */
import { promisify } from 'node:util';
import { type Entry, open, type ZipFile } from 'yauzl';
import { messageOf, VerbatimError } from '../../errors.ts';
import type { ArchiveMember } from './archive-member.ts';

/** Can be read in any order, until the next one is asked for. */
export async function* zipMembers(path: string): AsyncGenerator<ArchiveMember> {
  let archive: ZipFile | undefined;
  try {
    archive = await promisify<string, object, ZipFile>(open)(path, {
      lazyEntries: true,
      autoClose: false,
    });
    for (;;) {
      const entry = await nextEntry(archive);
      if (entry === undefined) return;
      const own = archive;
      if (entry.fileName.endsWith('/')) continue;
      yield { name: entry.fileName, read: () => contentOf(own, entry), canBeReadAgain: true };
    }
  } catch (error) {
    if (error instanceof VerbatimError) throw error;
    throw new VerbatimError('unreadable_input', `${path} is damaged: ${messageOf(error)}`);
  } finally {
    archive?.close();
  }
}

function nextEntry(archive: ZipFile): Promise<Entry | undefined> {
  return new Promise((resolve, reject) => {
    archive.removeAllListeners();
    archive.once('entry', resolve);
    archive.once('end', () => resolve(undefined));
    archive.once('error', reject);
    archive.readEntry();
  });
}

/** Throws where it is encrypted, damaged, or not as large as the directory says. */
async function* contentOf(archive: ZipFile, entry: Entry): AsyncGenerator<Buffer> {
  yield* await promisify(archive.openReadStream.bind(archive) as OpenReadStream)(entry);
}

type OpenReadStream = (
  entry: Entry,
  callback: (error: Error | null, stream: AsyncIterable<Buffer>) => void,
) => void;
