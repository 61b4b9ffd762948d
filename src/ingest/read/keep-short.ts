/** Reads a short file once: its start tells the format, then it tells whether the file is the same. */
import { HEAD_BYTES } from './head.ts';
import type { ByteSource } from './source.ts';

/**
 * The same source. Content that is no longer than a head is kept once it has been read to its end,
 * so that the head and the entries come from one reading.
 */
export function keepShort(source: ByteSource): ByteSource {
  let kept: readonly Buffer[] | undefined;
  return {
    ...source,
    async *chunks() {
      if (kept !== undefined) {
        yield* kept;
        return;
      }
      const parts: Buffer[] = [];
      let bytes = 0;
      for await (const chunk of source.chunks()) {
        bytes += chunk.length;
        if (bytes <= HEAD_BYTES) parts.push(chunk);
        yield chunk;
      }
      if (bytes <= HEAD_BYTES) kept = parts;
    },
  };
}
