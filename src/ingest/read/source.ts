/** Opens a file, a pipe, or standard input as a stream, and counts the bytes read for progress. */
import { closeSync, createReadStream, openSync, readSync, statSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { setImmediate as yieldToEvents } from 'node:timers/promises';
import { VerbatimError } from '../../errors.ts';
import { decodeText, decompress } from './decompress.ts';
import { systemReason } from './system-reason.ts';

export interface ByteSource {
  path: string;
  /** Size on disk; 0 if not known. */
  bytes: number;
  /** Time of the last change, in milliseconds since 1970; 0 if there is no file. */
  modifiedAt: number;
  /** Bytes read from disk so far. */
  bytesRead(): number;
  /** The decompressed text as UTF-8. Throws `unreadable_input` if the file breaks off. */
  chunks(): AsyncGenerator<Buffer>;
}

/** A source that also provides its decompressed bytes, which may be an archive. */
export interface BinarySource extends ByteSource {
  /** Encoding of the text, from `encodingNamed`; undefined: detected. */
  encoding: string | undefined;
  /** The bytes, decompressed but not decoded. Throws like `chunks`. */
  decompressed(): AsyncGenerator<Buffer>;
}

/** The path that stands for standard input. */
export const STANDARD_INPUT = '-';

/** Small enough that even a gzip bomb, which grows a thousandfold, stays below 100 MB. */
const READ_BYTES = 64 * 1024;

/** Enough for the first records of any format, or for the first fields of a longer record. */
export const HEAD_BYTES = 64 * 1024;

/** Start of a pipe that is kept, so that it can be read again after it was recognized. */
const KEPT_BYTES_MAX = 1024 * 1024;

export interface OpenOptions {
  /** Encoding of the text, from `encodingNamed`; undefined: detected. */
  encoding?: string | undefined;
  standardInput?: Readable;
  /** What the source is called; absent: its path. */
  shownAs?: string | undefined;
}

/** Opens an input. Throws `unreadable_input` if it is missing or unreadable. */
export async function openSource(
  path: string,
  { encoding, standardInput = process.stdin, shownAs = path }: OpenOptions = {},
): Promise<BinarySource> {
  if (path === STANDARD_INPUT) {
    const read = singlePass(standardInput);
    return sourceOf({ path: 'standard input', encoding, bytes: 0, modifiedAt: 0, read });
  }
  try {
    const status = statSync(path);
    if (!status.isFile() && !status.isDirectory()) {
      const pipe = createReadStream(path, { highWaterMark: READ_BYTES });
      return sourceOf({ path, encoding, bytes: 0, modifiedAt: 0, read: singlePass(pipe) });
    }
    const short = readIfShort(path);
    await yieldToEvents();
    const { size: bytes, mtimeMs: modifiedAt } = status;
    const read = (): AsyncGenerator<Buffer> => (short ? inMemory(short) : readLongFile(path));
    return sourceOf({ path: shownAs, encoding, bytes, modifiedAt, read });
  } catch (error) {
    throw new VerbatimError('unreadable_input', `cannot read ${shownAs}: ${systemReason(error)}`);
  }
}

interface Opened extends Pick<ByteSource, 'path' | 'bytes' | 'modifiedAt'> {
  /** The bytes on disk, from the start. */
  read: () => AsyncGenerator<Buffer>;
  encoding: string | undefined;
}

/** Creates a source. Each call of `read` yields its bytes from the start. */
export function sourceOf({ path, encoding, bytes, modifiedAt, read }: Opened): BinarySource {
  let bytesRead = 0;
  async function* counted(): AsyncGenerator<Buffer> {
    bytesRead = 0;
    for await (const chunk of read()) {
      bytesRead += chunk.length;
      yield chunk;
    }
  }
  async function* checked(chunks: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
    try {
      yield* chunks;
    } catch (error) {
      if (error instanceof VerbatimError) throw error;
      throw new VerbatimError('unreadable_input', `${path} breaks off: ${systemReason(error)}`);
    }
  }
  const decompressed = (): AsyncGenerator<Buffer> => checked(decompress(counted(), path));
  return {
    path,
    encoding,
    bytes,
    modifiedAt,
    bytesRead: () => bytesRead,
    decompressed,
    chunks: keepIfShort(() => checked(decodeText(decompressed(), { path, encoding }))),
  };
}

/**
 * Keeps content of at most one head once it has been read to the end. The format, the checkpoint
 * and the entries then come from one decompression.
 */
function keepIfShort(read: () => AsyncGenerator<Buffer>): () => AsyncGenerator<Buffer> {
  let kept: readonly Buffer[] | undefined;
  return async function* chunks() {
    if (kept !== undefined) {
      yield* kept;
      return;
    }
    const parts: Buffer[] = [];
    let bytes = 0;
    for await (const chunk of read()) {
      bytes += chunk.length;
      if (bytes <= HEAD_BYTES) parts.push(chunk);
      yield chunk;
    }
    if (bytes <= HEAD_BYTES) kept = parts;
  };
}

async function* readLongFile(path: string): AsyncGenerator<Buffer> {
  yield* createReadStream(path, { highWaterMark: READ_BYTES });
}

/**
 * The content of a short file; undefined for a longer one. Throws if the file cannot be read, or is
 * a folder. Reads on this thread: using other threads would wait four times, for the stat, open,
 * read, and close of a few bytes.
 */
function readIfShort(path: string): Buffer | undefined {
  const file = openSync(path, 'r');
  try {
    const content = Buffer.alloc(READ_BYTES + 1);
    let bytes = 0;
    for (;;) {
      const read = readSync(file, content, bytes, content.length - bytes, null);
      bytes += read;
      if (read === 0) return Buffer.from(content.subarray(0, bytes));
      if (bytes === content.length) return undefined;
    }
  } finally {
    closeSync(file);
  }
}

async function* inMemory(content: Buffer): AsyncGenerator<Buffer> {
  if (content.length > 0) yield content;
}

/** Reads a stream that cannot be rewound. Its start is kept for a second reading. */
export function singlePass(stream: AsyncIterable<Buffer>): () => AsyncGenerator<Buffer> {
  let iterator: AsyncIterator<Buffer> | undefined;
  let kept: Buffer[] = [];
  let bytes = 0;
  return async function* read() {
    iterator ??= stream[Symbol.asyncIterator]();
    if (bytes > KEPT_BYTES_MAX) throw new Error('it can be read only once');
    yield* kept;
    for (;;) {
      const { value, done } = await iterator.next();
      if (done) return;
      bytes += value.length;
      if (bytes <= KEPT_BYTES_MAX) kept.push(value);
      else kept = [];
      yield value;
    }
  };
}
