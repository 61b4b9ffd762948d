/** Lists the files in a zip archive from its directory. Only this file uses the library. */
import { promisify } from 'node:util';
import { type Entry, getFileNameLowLevel, open, type ZipFile } from 'yauzl';
import { messageOf, VerbatimError } from '../../errors.ts';
import type { ArchiveMember } from './archive-member.ts';

/** The members in directory order. Each one can be read until the next one is requested. */
export async function* zipMembers(path: string): AsyncGenerator<ArchiveMember> {
  let archive: ZipFile | undefined;
  try {
    archive = await promisify<string, object, ZipFile>(open)(path, {
      lazyEntries: true,
      autoClose: false,
      // The library rejects an archive for a single name such as `../a`. Nothing is extracted here,
      // so any name will do.
      decodeStrings: false,
    });
    for (;;) {
      const entry = await nextEntry(archive);
      if (entry === undefined) return;
      const own = archive;
      const name = nameOf(entry);
      if (name.endsWith('/')) continue;
      const read = (): AsyncGenerator<Buffer> => contentOf(own, entry, `${path}!${name}`);
      yield { name, read, canBeReadAgain: true };
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

function nameOf({ generalPurposeBitFlag, fileNameRaw, extraFields }: Entry): string {
  return getFileNameLowLevel(generalPurposeBitFlag, fileNameRaw, extraFields, false);
}

/** Throws if the file is encrypted, damaged, or not as large as the directory says. */
async function* contentOf(archive: ZipFile, entry: Entry, path: string): AsyncGenerator<Buffer> {
  if (entry.isEncrypted()) {
    const advice = 'decrypt it, or extract the archive and add the folder';
    throw new VerbatimError('unreadable_input', `${path} is encrypted; ${advice}`);
  }
  yield* await promisify(archive.openReadStream.bind(archive) as OpenReadStream)(entry);
}

type OpenReadStream = (
  entry: Entry,
  callback: (error: Error | null, stream: AsyncIterable<Buffer>) => void,
) => void;
