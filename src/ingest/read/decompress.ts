/**
 * Turns the bytes of a file into text. The first bytes, not the name, show the compression (gzip,
 * bzip2, xz, zstd) and the encoding (UTF-8, UTF-16, unless one is given). Spreadsheets, Parquet files,
 * and archives are rejected with advice; archive.ts unpacks the archives that can be read.
 */
import { VerbatimError } from '../../errors.ts';
import { bunzip2 } from './bunzip2.ts';
import { gunzip } from './gunzip.ts';
import { lineFeeds } from './line-feeds.ts';
import { peek } from './peek.ts';
import { UnknownFormatError } from './unknown-format-error.ts';
import { unxz } from './unxz.ts';
import { unzstd } from './unzstd.ts';

/** Enough for the signature of a tar archive, which is not at its start. */
export const SIGNATURE_BYTES = 262;

const GZIP = Buffer.from([0x1f, 0x8b]);
/** In hexadecimal: the signature, and that of the first block or of the end. */
const BZIP2 = /^425a683[1-9](?:314159265359|177245385090)/;
const XZ = Buffer.from('\xfd7zXZ\0', 'latin1');
const ZSTD = Buffer.from([0x28, 0xb5, 0x2f, 0xfd]);
/** A zstd file may start with a skippable frame, whose first byte is one of sixteen. */
const ZSTD_SKIPPABLE = Buffer.from([0x2a, 0x4d, 0x18]);

interface Unsupported {
  what: string;
  mark: Buffer;
  at?: number;
  /** Of the files with this mark, those with such a name. */
  name?: RegExp;
  advice: string;
}

const SPREADSHEET = 'a spreadsheet';

/** What cannot be read, with advice. */
const unsupported: readonly Unsupported[] = [
  ...['PK\x03\x04', '\xd0\xcf\x11\xe0'].map((mark) => ({
    what: SPREADSHEET,
    mark: Buffer.from(mark, 'latin1'),
    name: /\.(?:xls[xmb]?|ods)$/i,
    advice: 'save it as CSV (UTF-8) and add that',
  })),
  ...['PK\x03\x04', 'PK\x05\x06'].map((mark) => ({
    what: 'a zip archive',
    mark: Buffer.from(mark, 'latin1'),
    advice: 'it is read as a file of its own only, so extract it and add the folder',
  })),
  {
    what: 'a tar archive',
    mark: Buffer.from('ustar'),
    at: 257,
    advice: 'archives are read to the second level, so extract it and add the folder',
  },
  {
    what: 'a 7z archive',
    mark: Buffer.from("7z\xbc\xaf'\x1c", 'latin1'),
    advice: 'extract it and add the folder',
  },
  {
    what: 'a Parquet file',
    mark: Buffer.from('PAR1'),
    advice: 'take the JSON Lines that the source publishes, or convert it',
  },
];

/**
 * The decompressed bytes. If the data breaks off, everything before is yielded first. Throws
 * `unreadable_input` with `path` for unsupported files.
 */
export async function* decompress(
  chunks: AsyncGenerator<Buffer>,
  path: string,
): AsyncGenerator<Buffer> {
  try {
    const { start, all } = await peek(chunks, SIGNATURE_BYTES);
    rejectUnsupported(start, path, ['a 7z archive', 'a Parquet file']);
    yield* decompressed(start, all);
  } finally {
    // Closes the file wherever reading stopped.
    await chunks.return(undefined);
  }
}

/**
 * Decompressed bytes converted to UTF-8. `encoding`: a result of `encodingNamed`; undefined: that of
 * the byte order mark, else UTF-8. Throws like `decompress`, and also for archives.
 */
export async function* decodeText(
  chunks: AsyncGenerator<Buffer>,
  { path, encoding }: { path: string; encoding: string | undefined },
): AsyncGenerator<Buffer> {
  try {
    const { start, all } = await peek(chunks, SIGNATURE_BYTES);
    rejectUnsupported(start, path);
    const own = encoding ?? encodingOf(start);
    // Tells the XML reader to ignore the encoding in the declaration.
    if (encoding !== undefined && encoding !== 'utf-8') yield Buffer.from('\u{feff}');
    yield* lineFeeds(own === 'utf-8' ? all : toUtf8(all, own));
  } finally {
    await chunks.return(undefined);
  }
}

/**
 * The kind of archive, from the start of the decompressed bytes; undefined for other files, and for
 * spreadsheets, which are zip archives of XML.
 */
export function archiveKindOf(start: Buffer, path: string): 'zip' | 'tar' | undefined {
  const kind = unsupportedKind(start, path)?.what;
  if (kind === 'a zip archive') return 'zip';
  return kind === 'a tar archive' ? 'tar' : undefined;
}

function decompressed(start: Buffer, all: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  if (startsWith(start, GZIP)) return gunzip(all);
  if (startsWith(start, XZ)) return unxz(all);
  if (BZIP2.test(start.toString('hex', 0, 10))) return bunzip2(all);
  const isSkippable = startsWith(start.subarray(1), ZSTD_SKIPPABLE) && (start[0] ?? 0) >>> 4 === 5;
  return startsWith(start, ZSTD) || isSkippable ? unzstd(all) : all;
}

function rejectUnsupported(start: Buffer, path: string, what?: readonly string[]): void {
  const kind = unsupportedKind(start, path);
  if (kind === undefined || what?.includes(kind.what) === false) return;
  const why = `it is ${kind.what}; ${kind.advice}`;
  // Folders hold spreadsheets of other things, too. The other kinds hold data for sure.
  if (kind.what === SPREADSHEET) throw new UnknownFormatError(path, 'unread_bibliography', why);
  throw new VerbatimError('unreadable_input', `cannot index ${path}: ${why}`);
}

function unsupportedKind(start: Buffer, path: string): Unsupported | undefined {
  return unsupported.find(({ mark, at = 0, name = /^/ }) => {
    return startsWith(start.subarray(at), mark) && name.test(path);
  });
}

/** From the byte order mark. That of UTF-32, which nobody writes, starts like one of UTF-16. */
function encodingOf(start: Buffer): 'utf-8' | 'utf-16le' | 'utf-16be' {
  if (startsWith(start, Buffer.from([0xfe, 0xff]))) return 'utf-16be';
  const isUtf32 = startsWith(start.subarray(2), Buffer.alloc(2));
  return startsWith(start, Buffer.from([0xff, 0xfe])) && !isUtf32 ? 'utf-16le' : 'utf-8';
}

/** Bytes that are invalid in the encoding are replaced. */
async function* toUtf8(chunks: AsyncIterable<Buffer>, encoding: string): AsyncGenerator<Buffer> {
  const decoder = new TextDecoder(encoding);
  for await (const chunk of chunks) yield Buffer.from(decoder.decode(chunk, { stream: true }));
  yield Buffer.from(decoder.decode());
}

function startsWith(content: Buffer, mark: Buffer): boolean {
  return content.subarray(0, mark.length).equals(mark);
}
