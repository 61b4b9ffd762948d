/**
 * Decompresses xz as far as it goes. Only this file uses the library. The library has a single
 * context, so xz within xz would wait for itself and is rejected.
 */
import { ReadableStream } from 'node:stream/web';

/** The end of one stream and the start of the next. The library would drop all but the first. */
const NEXT_STREAM = Buffer.from('YZ\xfd7zXZ\0', 'latin1');

/** More empty chunks in a row than the library yields for an intact file. */
const EMPTY_MAX = 1000;

let isInUse = false;

/** The content. Throws if it breaks off, is damaged, or is within another xz file. */
export async function* unxz(compressed: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  // A CommonJS module: in the bundle, only the default export has the names.
  const { XzReadableStream } = (await import('xz-decompress')).default;
  if (isInUse) throw new Error('xz within xz is not read');
  isInUse = true;
  // The library does not know some rarely used checksums and filters.
  let failure = 'its xz data are damaged, or of a rare kind: see what xz -t FILE says';
  let tail: Buffer = Buffer.alloc(0);
  const input = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { value, done } = await compressed.next();
      if (done) {
        failure = 'unexpected end of file';
        controller.close();
      } else if (Buffer.concat([tail, value]).includes(NEXT_STREAM)) {
        failure = 'it has several xz streams; make one of them: xz -dc FILE | xz';
        controller.error(new Error(failure));
      } else {
        tail = Buffer.from(value.subarray(1 - NEXT_STREAM.length));
        controller.enqueue(value);
      }
    },
  });
  const reader = new XzReadableStream(input as never).getReader();
  let [isDone, consecutiveEmpty] = [false, 0];
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) break;
      // After truncated data the library yields empty chunks forever.
      consecutiveEmpty = value.length > 0 ? 0 : consecutiveEmpty + 1;
      if (consecutiveEmpty > EMPTY_MAX) throw new Error(failure);
      if (value.length > 0) yield Buffer.from(value.buffer, value.byteOffset, value.length);
    }
    isDone = true;
  } catch {
    isDone = consecutiveEmpty <= EMPTY_MAX;
    throw new Error(failure);
  } finally {
    // Frees the memory of the library if reading stopped early.
    if (!isDone) await reader.cancel().catch(() => {});
    isInUse = false;
  }
}
