/**
 * Decompresses bzip2 as far as it goes. Only this file uses the library, and only its parts: the
 * whole library stores each byte of a block as a number, so a bomb of 1 kB would take gigabytes.
 */
import { setImmediate as yieldToEvents } from 'node:timers/promises';
// @ts-expect-error There are no types of the library's parts.
import bitIterator from 'unbzip2-stream/lib/bit_iterator.js';
// @ts-expect-error As above.
import parts from 'unbzip2-stream/lib/bzip2.js';

interface BitReader {
  (bits: number | null): number;
  bytesRead: number;
}

/** Requests the next bytes when it needs them, and fails if there are none. */
const bitReader: (nextBytes: () => Buffer | undefined) => BitReader = bitIterator;

const bzip2: {
  /** Reads the header of a stream: the size of its blocks, in units of 100 kB. */
  header(bits: BitReader): number;
  /** Reads a block. Returns the checksum of the stream so far, or null at its end. */
  decompress(
    bits: BitReader,
    put: (byte: number) => void,
    room: Int32Array,
    size: number,
    checksum: number,
  ): number | null;
} = parts;

/** A block decompresses to at most 46 MB, however small it is. */
const PIECE_BYTES = 256 * 1024;

/** Overhead of the largest compressed block over the size that its level states. */
const MARGIN_BYTES = 25_000;

/** The content of all streams. Throws if the data breaks off or is damaged. */
export async function* bunzip2(compressed: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const waiting: Buffer[] = [];
  let bytes = 0;
  let bits: BitReader | undefined;
  // Block size in 100 kB and checksum of the current stream; undefined between streams.
  let stream: { level: number; checksum: number } | undefined;

  function next(): Buffer[] {
    try {
      bits ??= bitReader(() => waiting.shift());
      if (stream === undefined) {
        stream = { level: bzip2.header(bits), checksum: 0 };
        return [];
      }
      const { pieces, checksum } = block(bits, stream);
      stream = checksum === null ? undefined : { ...stream, checksum };
      return pieces;
    } catch (error) {
      throw new Error(reasonOf(error as Error));
    }
  }

  for await (const chunk of compressed) {
    waiting.push(chunk);
    bytes += chunk.length;
    // The library cannot wait for more within a block.
    while (bytes - (bits?.bytesRead ?? 0) >= MARGIN_BYTES + 100_000 * (stream?.level ?? 0)) {
      yield* next();
      await yieldToEvents();
    }
  }
  while (bytes > (bits?.bytesRead ?? 0)) {
    yield* next();
    await yieldToEvents();
  }
  if (stream !== undefined) throw new Error('unexpected end of file');
}

/** The next block. At the end of the stream it is empty, and the checksum is null. */
function block(
  bits: BitReader,
  { level, checksum }: { level: number; checksum: number },
): { pieces: Buffer[]; checksum: number | null } {
  const pieces: Buffer[] = [];
  let piece = Buffer.alloc(0);
  let used = 0;
  const put = (byte: number): void => {
    if (used === piece.length) {
      piece = Buffer.allocUnsafe(PIECE_BYTES);
      pieces.push(piece);
      used = 0;
    }
    piece[used++] = byte;
  };
  const size = 100_000 * level;
  const after = bzip2.decompress(bits, put, new Int32Array(size), size, checksum);
  if (pieces.length > 0) pieces.push((pieces.pop() as Buffer).subarray(0, used));
  return { pieces, checksum: after };
}

/** On damaged or truncated data the library throws whatever it stumbled over. */
function reasonOf({ message }: Error): string {
  return /undefined/.test(message) ? 'unexpected end of file' : 'its bzip2 data are damaged';
}
