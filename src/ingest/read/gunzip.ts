/** Decompresses gzip as far as it goes. */
import { createGunzip } from 'node:zlib';

const CHUNK_BYTES = 64 * 1024;

/**
 * The content of all members. Hands on all that can be decompressed, and only then throws: a stream
 * that fails drops what it has not yet handed on, so it is not asked to hold anything.
 */
export async function* gunzip(compressed: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const ready: Buffer[] = [];
  const inflate = createGunzip({ chunkSize: CHUNK_BYTES });
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
