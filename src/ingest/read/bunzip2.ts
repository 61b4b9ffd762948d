/**
 * Decompresses bzip2 as far as it goes. The only file that knows the library, and only its parts:
 * the whole keeps each byte of a block as a number, so that a bomb of 1 kB takes gigabytes.
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

/** Asks for the next bytes when it needs them, and fails where there are none. */
const bitReader: (nextBytes: () => Buffer | undefined) => BitReader = bitIterator;

const bzip2: {
  /** Reads the header of a stream: how large its blocks are, in 100 kB. */
  header(bits: BitReader): number;
  /** Reads a block, and gives the checksum of the stream so far; null at its end. */
  decompress(
    bits: BitReader,
    put: (byte: number) => void,
    room: Int32Array,
    size: number,
    checksum: number,
  ): number | null;
} = parts;

/** A block is at most 46 MB large, however small it is itself. */
const PIECE_BYTES = 256 * 1024;

/** More than the largest block takes on disk, above what its level says. */
const MARGIN_BYTES = 25_000;

/** The content of all streams. Throws where it breaks off or is damaged. */
export async function* bunzip2(compressed: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const waiting: Buffer[] = [];
  let bytes = 0;
  let bits: BitReader | undefined;
  // Of the stream: its blocks in 100 kB, and its checksum so far; both undefined between two.
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

/** The next block; at the end of the stream there is none, and its checksum is null. */
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

/** On damaged data, and at an end that comes too soon, it throws whatever it stumbled over. */
function reasonOf({ message }: Error): string {
  return /undefined/.test(message) ? 'unexpected end of file' : 'its bzip2 data are damaged';
}
