/**
 * Decompresses zstd (RFC 8878) as far as it goes. Only this file uses the library. The library gets
 * the blocks of a frame one by one. A block decompresses to at most 128 KB, and the size of the
 * window is checked before it is allocated, so memory is bounded. Checksums are ignored, because the
 * library does not check them.
 */
import { Decompress } from 'fzstd';

const FRAME_MAGIC = 0xfd2fb528;
/** Skippable frames: any of 16 numbers. */
const SKIPPABLE_MAGIC = 0x184d2a50;
const BLOCK_BYTES_MAX = 128 * 1024;
/** The limit of the zstd program without further options. */
const WINDOW_BYTES_MAX = 128 * 1024 * 1024;

/** The content of all frames. Throws if the data breaks off or is damaged. */
export async function* unzstd(compressed: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const reader = createReader(compressed);
  while (!(await reader.isAtEnd())) {
    const magic = (await reader.take(4)).readUInt32LE();
    if ((magic & 0xfffffff0) >>> 0 === SKIPPABLE_MAGIC) {
      await reader.skip((await reader.take(4)).readUInt32LE());
    } else if (magic === FRAME_MAGIC) {
      yield* readFrame(reader);
    } else {
      throw new Error('there is no zstd frame where one should start');
    }
  }
}

async function* readFrame(reader: Reader): AsyncGenerator<Buffer> {
  const ready: Buffer[] = [];
  const decompress = new Decompress((data) => {
    ready.push(Buffer.from(data.buffer, data.byteOffset, data.length));
  });
  const { header, hasChecksum } = await readHeader(reader);
  pushInto(decompress, header, false);
  for (let isLast = false; !isLast; ) {
    const blockHeader = await reader.take(3);
    const bits = blockHeader.readUIntLE(0, 3);
    isLast = (bits & 1) === 1;
    const size = bits >>> 3;
    if (size > BLOCK_BYTES_MAX) throw new Error(`a zstd block of ${size} bytes`);
    // A block of type 1 is one repeated byte.
    const block = await reader.take(((bits >>> 1) & 3) === 1 ? 1 : size);
    pushInto(decompress, Buffer.concat([blockHeader, block]), false);
    yield* ready.splice(0);
  }
  pushInto(decompress, hasChecksum ? await reader.take(4) : Buffer.alloc(0), true);
  yield* ready.splice(0);
}

/** The magic number and header of a frame. Throws if its window is too large. */
async function readHeader(reader: Reader): Promise<{ header: Buffer; hasChecksum: boolean }> {
  const magic = Buffer.alloc(4);
  magic.writeUInt32LE(FRAME_MAGIC);
  const descriptor = await reader.take(1);
  const flags = descriptor.readUInt8();
  const isSingleSegment = (flags & 0x20) !== 0;
  const dictionaryBytes = [0, 1, 2, 4][flags & 3] as number;
  const sizeBytes = [isSingleSegment ? 1 : 0, 2, 4, 8][flags >>> 6] as number;
  const rest = await reader.take((isSingleSegment ? 0 : 1) + dictionaryBytes + sizeBytes);
  const windowBytes = isSingleSegment
    ? Number(BigInt(`0x${Buffer.from(rest.subarray(-sizeBytes)).reverse().toString('hex')}`))
    : windowBytesOf(rest.readUInt8());
  if (windowBytes > WINDOW_BYTES_MAX) {
    throw new Error(
      `its zstd window has ${windowBytes} bytes, at most ${WINDOW_BYTES_MAX} are read`,
    );
  }
  return { header: Buffer.concat([magic, descriptor, rest]), hasChecksum: (flags & 4) !== 0 };
}

/** An exponent in five bits and eighths in three (RFC 8878, 3.1.1.1.2). */
function windowBytesOf(descriptor: number): number {
  const base = 2 ** (10 + (descriptor >>> 3));
  return base + (base / 8) * (descriptor & 7);
}

function pushInto(decompress: Decompress, data: Buffer, isFinal: boolean): void {
  try {
    decompress.push(data, isFinal);
  } catch {
    // On damaged data the library throws whatever its arrays throw.
    throw new Error('its zstd data are damaged');
  }
}

interface Reader {
  isAtEnd(): Promise<boolean>;
  /** The next bytes. Throws if there are too few. */
  take(bytes: number): Promise<Buffer>;
  skip(bytes: number): Promise<void>;
}

function createReader(chunks: AsyncIterable<Buffer>): Reader {
  const iterator = chunks[Symbol.asyncIterator]();
  let held: Buffer = Buffer.alloc(0);
  const readMore = async (): Promise<boolean> => {
    const { value, done } = await iterator.next();
    if (!done) held = held.length === 0 ? value : Buffer.concat([held, value]);
    return !done;
  };
  const readOn = async (): Promise<void> => {
    if (!(await readMore())) throw new Error('unexpected end of file');
  };
  return {
    async isAtEnd() {
      while (held.length === 0) if (!(await readMore())) return true;
      return false;
    },
    async take(bytes) {
      while (held.length < bytes) await readOn();
      const taken = held.subarray(0, bytes);
      held = held.subarray(bytes);
      return taken;
    },
    async skip(bytes) {
      let left = bytes;
      while (held.length < left) {
        left -= held.length;
        held = Buffer.alloc(0);
        await readOn();
      }
      held = held.subarray(left);
    },
  };
}
