/**
 * Decompresses xz as far as it goes. The only file that knows the library, which has one context
 * for all that is decompressed: xz within xz would wait for itself, and is refused.
 */
import { ReadableStream } from 'node:stream/web';

/** The end of a stream and the start of the next; the library would drop all but the first. */
const NEXT_STREAM = Buffer.from('YZ\xfd7zXZ\0', 'latin1');

/** More than it hands on between two blocks of a sound file. */
const EMPTY_MAX = 1000;

let isInUse = false;

/** The content. Throws where it breaks off, is damaged, or is in another xz file. */
export async function* unxz(compressed: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  // CommonJS: in the bundle only its default export has the names.
  const { XzReadableStream } = (await import('xz-decompress')).default;
  if (isInUse) throw new Error('xz within xz is not read');
  isInUse = true;
  // Checksums and filters that are seldom used are unknown to the library.
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
  let [isDone, emptyInARow] = [false, 0];
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) break;
      // Behind the end of what breaks off it hands on nothing, again and again.
      emptyInARow = value.length > 0 ? 0 : emptyInARow + 1;
      if (emptyInARow > EMPTY_MAX) throw new Error(failure);
      if (value.length > 0) yield Buffer.from(value.buffer, value.byteOffset, value.length);
    }
    isDone = true;
  } catch {
    isDone = emptyInARow <= EMPTY_MAX;
    throw new Error(failure);
  } finally {
    // Frees the library's memory where reading stopped before the end.
    if (!isDone) await reader.cancel().catch(() => {});
    isInUse = false;
  }
}
