/**
 * An input file as a stream of bytes: plain or gzip, told apart by the first bytes and not by the
 * name. Counts the bytes taken from disk, for progress.
 */
import { createReadStream, type ReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { createGunzip } from 'node:zlib';
import { messageOf, VerbatimError } from '../errors.ts';

export interface ByteSource {
  path: string;
  /** Size on disk. */
  bytes: number;
  /** Bytes taken from disk so far. */
  bytesRead(): number;
  /** The decompressed content. Iterating throws `unreadable_input` where the file breaks off. */
  chunks(): AsyncGenerator<Buffer>;
}

const GZIP_MAGIC = [0x1f, 0x8b] as const;
/** Small enough that even a gzip bomb, a thousand times as large inside, stays below 100 MB. */
const READ_BYTES = 64 * 1024;

/** Opens a file. Throws `unreadable_input` where there is none, or none that may be read. */
export async function openSource(path: string): Promise<ByteSource> {
  let bytes: number;
  let isGzip: boolean;
  try {
    bytes = (await stat(path)).size;
    isGzip = await startsWithGzipMagic(path);
  } catch (error) {
    throw new VerbatimError('unreadable_input', `cannot read ${path}: ${messageOf(error)}`);
  }
  let file: ReadStream | undefined;
  return {
    ...{ path, bytes },
    bytesRead: () => file?.bytesRead ?? 0,
    async *chunks() {
      file = createReadStream(path, { highWaterMark: READ_BYTES });
      try {
        yield* isGzip ? gunzip(file) : (file as AsyncIterable<Buffer>);
      } catch (error) {
        throw new VerbatimError('unreadable_input', `${path} breaks off: ${messageOf(error)}`);
      } finally {
        file.destroy();
      }
    },
  };
}

/**
 * Hands on all that can be decompressed, and only then throws: a stream that fails drops what it
 * has not yet handed on, so it is not asked to hold anything.
 */
async function* gunzip(compressed: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const ready: Buffer[] = [];
  const inflate = createGunzip({ chunkSize: READ_BYTES });
  // Set once, when the stream is over: then no write is ever called back.
  let over: { failure: Error | undefined } | undefined;
  let settle: () => void = () => {};
  const finish = (failure?: Error): void => {
    over ??= { failure };
    settle();
  };
  inflate.on('data', (chunk: Buffer) => ready.push(chunk));
  inflate.once('end', () => finish());
  inflate.once('error', finish);
  for await (const chunk of compressed) {
    await new Promise<void>((resolve) => {
      settle = resolve;
      inflate.write(chunk, () => resolve());
    });
    yield* ready.splice(0);
    if (over !== undefined) break;
  }
  if (over === undefined) {
    await new Promise<void>((resolve) => {
      settle = resolve;
      inflate.end();
    });
    yield* ready.splice(0);
  }
  if (over?.failure !== undefined) throw over.failure;
}

async function startsWithGzipMagic(path: string): Promise<boolean> {
  const file = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(2), 0, 2, 0);
    return bytesRead === 2 && buffer[0] === GZIP_MAGIC[0] && buffer[1] === GZIP_MAGIC[1];
  } finally {
    await file.close();
  }
}
