/**
 * An input as a stream of its content: a file, a pipe, or standard input. Counts the bytes that
 * were taken as they are on disk, for progress.
 */
import { closeSync, createReadStream, openSync, readSync, statSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { setImmediate as yieldToEvents } from 'node:timers/promises';
import { VerbatimError } from '../../errors.ts';
import { decodeText, decompress } from './decompress.ts';
import { systemReason } from './system-reason.ts';

export interface ByteSource {
  path: string;
  /** Size on disk; 0 where it is not known. */
  bytes: number;
  /** When the file was last changed, in milliseconds since 1970; 0 where there is no file. */
  modifiedAt: number;
  /** Bytes taken from disk so far. */
  bytesRead(): number;
  /** The decompressed content. Iterating throws `unreadable_input` where the file breaks off. */
  chunks(): AsyncGenerator<Buffer>;
}

/** One whose bytes may be those of an archive. */
export interface BinarySource extends ByteSource {
  /** Of its text, as `encodingNamed` gives it; undefined: its start tells. */
  encoding: string | undefined;
  /** The bytes, decompressed but not decoded. Throws as `chunks` does. */
  decompressed(): AsyncGenerator<Buffer>;
}

/** The path that stands for standard input. */
export const STANDARD_INPUT = '-';

/** Small enough that even a gzip bomb, a thousand times as large inside, stays below 100 MB. */
const READ_BYTES = 64 * 1024;

/** Enough for the first records of any format, or for the first fields of a longer record. */
export const HEAD_BYTES = 64 * 1024;

/** Of what can be read only once: enough to be read again after it was recognized. */
const KEPT_BYTES_MAX = 1024 * 1024;

export interface OpenOptions {
  /** Of its text, as `encodingNamed` gives it; undefined: its start tells. */
  encoding?: string | undefined;
  standardInput?: Readable;
}

/** Opens an input. Throws `unreadable_input` where there is none, or none that may be read. */
export async function openSource(
  path: string,
  { encoding, standardInput = process.stdin }: OpenOptions = {},
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
    return sourceOf({ path, encoding, bytes, modifiedAt, read });
  } catch (error) {
    throw new VerbatimError('unreadable_input', `cannot read ${path}: ${systemReason(error)}`);
  }
}

interface Opened extends Pick<ByteSource, 'path' | 'bytes' | 'modifiedAt'> {
  /** The bytes as they are on disk, from the start. */
  read: () => AsyncGenerator<Buffer>;
  encoding: string | undefined;
}

/** A source of bytes that `read` hands on from their start, each time that it is called. */
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
 * The content of a short file; undefined for a longer one. Fails where the file cannot be read, so
 * also for a folder. It reads on this thread: opening, reading and closing on others would wait
 * four times, which takes much longer than reading so little.
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

/** Reads a stream that has no way back: its start is kept until the second reading. */
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
