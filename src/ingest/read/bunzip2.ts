/** Decompresses bzip2 as far as it goes. The only file that knows the library. */
import unbzip2 from 'unbzip2-stream';

/**
 * The library decompresses up to a megabyte of blocks in one go, each at most 46 MB large however
 * small it is itself. What is not a bomb stays far below this.
 */
const WAITING_BYTES_MAX = 128 * 1024 * 1024;

/** The content of all streams. Throws where it breaks off, is damaged, or grows beyond any text. */
export async function* bunzip2(compressed: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const ready: Buffer[] = [];
  let bytes = 0;
  let failure: Error | undefined;
  const decompress = unbzip2();
  decompress.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > WAITING_BYTES_MAX) throw new Error('its bzip2 blocks grow beyond any text');
    ready.push(chunk);
  });
  decompress.on('error', (error: Error) => {
    failure ??= new Error(reasonOf(error));
  });
  const take = (): Buffer[] => {
    bytes = 0;
    return ready.splice(0);
  };
  for await (const chunk of compressed) {
    decompress.write(chunk);
    yield* take();
    if (failure !== undefined) throw failure;
  }
  decompress.end();
  yield* take();
  if (failure !== undefined) throw failure;
}

/** On damaged data, and at an end that comes too soon, it throws whatever it stumbled over. */
function reasonOf({ message }: Error): string {
  if (/ended prematurely|undefined/.test(message)) return 'unexpected end of file';
  return /beyond any text/.test(message) ? message : 'its bzip2 data are damaged';
}
