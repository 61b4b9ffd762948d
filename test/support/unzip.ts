/** Reads a zip archive whole, and checks its sums, with the reader that `index add` uses. */
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { crc32 } from 'node:zlib';
import { expect } from 'vitest';
import { type Entry, fromBuffer, type ZipFile } from 'yauzl';

const open = promisify<Buffer, { lazyEntries: boolean }, ZipFile>(fromBuffer);

/** The files of an archive, by name, in their order. */
export async function unzip(archive: Buffer): Promise<Map<string, string>> {
  const zip = await open(archive, { lazyEntries: true });
  const files = new Map<string, string>();
  const read = async (entry: Entry): Promise<void> => {
    const content = await buffer(await zip.openReadStreamPromise(entry));
    expect(crc32(content)).toBe(entry.crc32);
    files.set(entry.fileName, content.toString('utf8'));
    zip.readEntry();
  };
  await new Promise<void>((resolve, reject) => {
    zip.on('entry', (entry: Entry) => void read(entry).catch(reject));
    zip.on('end', resolve);
    zip.on('error', reject);
    zip.readEntry();
  });
  return files;
}
