/**
 * The text in a stream of bytes, told by its first bytes and not by a name: plain, gzip or zstd, in
 * UTF-8 or UTF-16. Archives and files of tables are refused with what to do about them.
 */
import { VerbatimError } from '../../errors.ts';
import { gunzip } from './gunzip.ts';
import { peek } from './peek.ts';
import { unzstd } from './unzstd.ts';

/** Enough for the mark of a tar archive, which is not at its start. */
const MARK_BYTES = 262;

const GZIP = Buffer.from([0x1f, 0x8b]);
const ZSTD = Buffer.from([0x28, 0xb5, 0x2f, 0xfd]);
/** A zstd file may start with a frame to skip; its first byte is one of sixteen. */
const ZSTD_SKIPPABLE = Buffer.from([0x2a, 0x4d, 0x18]);

/** What cannot be read, and how it can be. */
const refused: readonly { what: string; mark: Buffer; at?: number; advice: string }[] = [
  ...['PK\x03\x04', 'PK\x05\x06'].map((mark) => ({
    ...{ what: 'a zip archive', mark: Buffer.from(mark, 'latin1') },
    advice: 'extract it, or pipe its files: unzip -p FILE | verbatim index add -',
  })),
  {
    ...{ what: 'a tar archive', mark: Buffer.from('ustar'), at: 257 },
    advice: 'extract it and add the folder',
  },
  {
    ...{ what: 'compressed with xz', mark: Buffer.from('\xfd7zXZ\0', 'latin1') },
    advice: 'pipe it: xz -dc FILE | verbatim index add -',
  },
  {
    ...{ what: 'compressed with bzip2', mark: Buffer.from('BZh') },
    advice: 'pipe it: bzip2 -dc FILE | verbatim index add -',
  },
  {
    ...{ what: 'a 7z archive', mark: Buffer.from("7z\xbc\xaf'\x1c", 'latin1') },
    advice: 'extract it and add the folder',
  },
  {
    ...{ what: 'a Parquet file', mark: Buffer.from('PAR1') },
    advice: 'take the JSON Lines that the source publishes, or convert it',
  },
];

/**
 * The content, as UTF-8. Where it breaks off, what came before is handed on first. Throws
 * `unreadable_input` naming `path` for what is refused.
 */
export async function* decompress(
  chunks: AsyncGenerator<Buffer>,
  path: string,
): AsyncGenerator<Buffer> {
  try {
    const outer = await peek(chunks, MARK_BYTES);
    refuse(outer.start, path);
    const inner = await peek(unpacked(outer.start, outer.all), MARK_BYTES);
    refuse(inner.start, path);
    const encoding = encodingOf(inner.start);
    yield* encoding === 'utf-8' ? inner.all : toUtf8(inner.all, encoding);
  } finally {
    // Closes the file, wherever reading stopped.
    await chunks.return(undefined);
  }
}

function unpacked(start: Buffer, all: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  if (startsWith(start, GZIP)) return gunzip(all);
  const isSkippable = startsWith(start.subarray(1), ZSTD_SKIPPABLE) && (start[0] ?? 0) >>> 4 === 5;
  return startsWith(start, ZSTD) || isSkippable ? unzstd(all) : all;
}

function refuse(start: Buffer, path: string): void {
  const kind = refused.find(({ mark, at = 0 }) => startsWith(start.subarray(at), mark));
  if (kind === undefined) return;
  const message = `cannot index ${path}: it is ${kind.what}; ${kind.advice}`;
  throw new VerbatimError('unreadable_input', message);
}

/** By the byte order mark; that of UTF-32 starts like one of UTF-16, and nobody writes it. */
function encodingOf(start: Buffer): 'utf-8' | 'utf-16le' | 'utf-16be' {
  if (startsWith(start, Buffer.from([0xfe, 0xff]))) return 'utf-16be';
  const isUtf32 = startsWith(start.subarray(2), Buffer.alloc(2));
  return startsWith(start, Buffer.from([0xff, 0xfe])) && !isUtf32 ? 'utf-16le' : 'utf-8';
}

/** Bytes that are no UTF-16 are replaced. */
async function* toUtf8(
  chunks: AsyncIterable<Buffer>,
  encoding: 'utf-16le' | 'utf-16be',
): AsyncGenerator<Buffer> {
  const decoder = new TextDecoder(encoding);
  for await (const chunk of chunks) yield Buffer.from(decoder.decode(chunk, { stream: true }));
  yield Buffer.from(decoder.decode());
}

function startsWith(content: Buffer, mark: Buffer): boolean {
  return content.subarray(0, mark.length).equals(mark);
}
