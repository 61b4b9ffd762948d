/** Decompresses gzip as far as it goes. */
import { createGunzip } from 'node:zlib';

const CHUNK_BYTES = 64 * 1024;

/**
 * The content of all members. Yields everything that can be decompressed before it throws. A failing
 * stream drops buffered output, so the stream never has to buffer any.
 */
export async function* gunzip(compressed: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const ready: Buffer[] = [];
  const inflate = createGunzip({ chunkSize: CHUNK_BYTES });
  // Set when the stream is over. After that, writes never call back.
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
