/**
 * Writes a zip archive while its files are read (APPNOTE 6.3.9, deflate, sizes behind the data), so that
 * no file must be known before it is sent. No file, and no archive, reaches 4 GiB: that would need
 * Zip64.
 */
import { once } from 'node:events';
import { crc32, createDeflateRaw } from 'node:zlib';

export interface ZippedFile {
  /** ASCII, with `/` between folders. */
  name: string;
  pieces: AsyncIterable<string> | Iterable<string>;
}

interface Entry {
  name: Buffer;
  offset: number;
  crc: number;
  packed: number;
  size: number;
}

const BYTES_MAX = 0xffff_ffff;
const VERSION = 20;
/** The sizes follow the data, and names are UTF-8. */
const FLAGS = 0x0808;
const DEFLATE = 8;

/** Yields the archive. Throws if it reaches 4 GiB. */
export async function* zipArchive(
  files: Iterable<ZippedFile>,
  modifiedAt: number,
): AsyncGenerator<Buffer> {
  const entries: Entry[] = [];
  const when = dosTime(modifiedAt);
  let offset = 0;
  const counted = (bytes: Buffer): Buffer => {
    offset += bytes.length;
    if (offset > BYTES_MAX) throw new Error('the archive is too large');
    return bytes;
  };
  for (const { name, pieces } of files) {
    const entry: Entry = { name: Buffer.from(name), offset, crc: 0, packed: 0, size: 0 };
    yield counted(Buffer.concat([localHeader(entry, when), entry.name]));
    for await (const chunk of deflated(pieces, entry)) yield counted(chunk);
    yield counted(descriptor(entry));
    entries.push(entry);
  }
  const directoryOffset = offset;
  for (const entry of entries) {
    yield counted(Buffer.concat([directoryHeader(entry, when), entry.name]));
  }
  yield endOfDirectory(entries.length, offset - directoryOffset, directoryOffset);
}

/** Compresses pieces, and notes their checksum and sizes. */
async function* deflated(pieces: ZippedFile['pieces'], entry: Entry): AsyncGenerator<Buffer> {
  const deflate = createDeflateRaw();
  const writing = (async () => {
    for await (const piece of pieces) {
      const bytes = Buffer.from(piece);
      entry.crc = crc32(bytes, entry.crc);
      entry.size += bytes.length;
      if (!deflate.write(bytes)) {
        await Promise.race([once(deflate, 'drain'), once(deflate, 'close')]);
      }
      if (deflate.destroyed) return;
    }
    deflate.end();
  })();
  // A source that fails ends the reading below.
  writing.catch((error: Error) => deflate.destroy(error));
  for await (const chunk of deflate) {
    entry.packed += (chunk as Buffer).length;
    yield chunk as Buffer;
  }
  await writing;
}

function localHeader(entry: Entry, when: number): Buffer {
  const header = Buffer.alloc(30);
  header.writeUInt32LE(0x04034b50, 0);
  // The checksum and the sizes follow the data.
  writeFacts(header, { ...entry, crc: 0, packed: 0, size: 0 }, { at: 4, when });
  return header;
}

function descriptor({ crc, packed, size }: Entry): Buffer {
  const bytes = Buffer.alloc(16);
  bytes.writeUInt32LE(0x08074b50, 0);
  bytes.writeUInt32LE(crc, 4);
  bytes.writeUInt32LE(packed, 8);
  bytes.writeUInt32LE(size, 12);
  return bytes;
}

function directoryHeader(entry: Entry, when: number): Buffer {
  const header = Buffer.alloc(46);
  header.writeUInt32LE(0x02014b50, 0);
  header.writeUInt16LE(VERSION, 4);
  writeFacts(header, entry, { at: 6, when });
  header.writeUInt32LE(entry.offset, 42);
  return header;
}

/** Writes what both headers of a file say in the same order, from a byte on. */
function writeFacts(
  header: Buffer,
  { name, crc, packed, size }: Entry,
  { at, when }: { at: number; when: number },
): void {
  header.writeUInt16LE(VERSION, at);
  header.writeUInt16LE(FLAGS, at + 2);
  header.writeUInt16LE(DEFLATE, at + 4);
  header.writeUInt32LE(when, at + 6);
  header.writeUInt32LE(crc, at + 10);
  header.writeUInt32LE(packed, at + 14);
  header.writeUInt32LE(size, at + 18);
  header.writeUInt16LE(name.length, at + 22);
}

function endOfDirectory(count: number, bytes: number, offset: number): Buffer {
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(count, 8);
  end.writeUInt16LE(count, 10);
  end.writeUInt32LE(bytes, 12);
  end.writeUInt32LE(offset, 16);
  return end;
}

/** Returns a time in UTC as zip has it, in steps of two seconds since 1980. */
function dosTime(time: number): number {
  const at = new Date(time);
  const day = ((at.getUTCFullYear() - 1980) << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate();
  const second = (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1);
  return ((day << 16) | second) >>> 0;
}
