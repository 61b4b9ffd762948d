/**
 * zstd files for tests. Node of every supported version lacks a compressor, so most are written
 * here, of blocks that are raw or one byte repeated (RFC 8878); COMPRESSED comes from the zstd
 * program and has blocks of the other kind.
 */

const MAGIC = [0x28, 0xb5, 0x2f, 0xfd];
const BLOCK_BYTES_MAX = 128 * 1024;

interface FrameOptions {
  /** Its exponent, above 10, in five bits, then eighths in three. */
  windowDescriptor?: number;
  hasChecksum?: boolean;
}

/** A frame of raw blocks; the checksum is any four bytes, as nobody checks it. */
export function rawFrame(content: Buffer | string, options: FrameOptions = {}): Buffer {
  const bytes = Buffer.from(content);
  const blocks: Buffer[] = [];
  for (let at = 0; at < bytes.length || at === 0; at += BLOCK_BYTES_MAX) {
    const part = bytes.subarray(at, at + BLOCK_BYTES_MAX);
    const isLast = at + BLOCK_BYTES_MAX >= bytes.length;
    blocks.push(blockHeader({ type: 0, size: part.length, isLast }), part);
  }
  return frame(blocks, options);
}

/** A frame that holds so many bytes, each block of them told in four bytes. */
export function repeatedFrame(blocks: number, options: FrameOptions = {}): Buffer {
  const parts = Array.from({ length: blocks }, (_, index) => [
    blockHeader({ type: 1, size: BLOCK_BYTES_MAX, isLast: index === blocks - 1 }),
    Buffer.from('a'),
  ]);
  return frame(parts.flat(), options);
}

/** A frame that is passed over. */
export function skippableFrame(content: Buffer | string): Buffer {
  const bytes = Buffer.from(content);
  const size = Buffer.alloc(4);
  size.writeUInt32LE(bytes.length);
  return Buffer.concat([Buffer.from([0x53, 0x2a, 0x4d, 0x18]), size, bytes]);
}

function frame(blocks: Buffer[], options: FrameOptions): Buffer {
  const { windowDescriptor = 0x38, hasChecksum = false } = options;
  const header = Buffer.from([...MAGIC, hasChecksum ? 4 : 0, windowDescriptor]);
  return Buffer.concat([header, ...blocks, Buffer.alloc(hasChecksum ? 4 : 0)]);
}

function blockHeader(block: { type: number; size: number; isLast: boolean }): Buffer {
  const header = Buffer.alloc(3);
  header.writeUIntLE((block.size << 3) | (block.type << 1) | (block.isLast ? 1 : 0), 0, 3);
  return header;
}

/** What COMPRESSED holds: lines that are alike but not the same. */
export const COMPRESSED_TEXT = Array.from(
  { length: 400 },
  (_, i) => `${i} the sea ${i % 2 === 1 ? 'rises' : 'falls'}\n`,
).join('');

/** As `zstd -19` writes it, with a checksum. */
export const COMPRESSED = Buffer.from(
  [
    'KLUv/WSyGh0OAPbsURWwpZIOIDSwAVaScgjZe2+ZtkQcHAhXAEQARQDu7u7urqqqqqpqMBgMBoPBYDA4xhhjjDGGEE',
    'IIIYQQVVVVVVVERERERDMzMzMzIiIiIiLbtm3b//+rquoQRSN74MDgQAABBw4GDCgAQFBgcEBgEKAAQQi7u7u7ezgc',
    'DofD4XA4PBwOh8PhcDgcCoVCoVAoFAqFZVmWZVmWZUmSJEmSJEmS4ziO4ziO4yiKoiiKoiiKc84555xzHgsLCwsLCw',
    'sLCxuPx+PxeDwej8VisVgsFovF4rqu67qu67qmaZqmaZqm6Xme53me53mWZVmWZVmW5b333nvvvf//////DWNjY2Nj',
    'Y2NjY2NiYmJiYmJiYmJitVqtVqvVarUajUaj0Wg0Go02m81ms9lsNpvJZDKZTCaTyWTbtm3btm3be++99957zjnnnH',
    'POhYGPqBEA9Y19A6ErSeFmEawQnODHde68e/eVNs1ykw1AAIECCRRIoEACBRIokECBBAok0Jtio7WPRrNPRrEPRq/P',
    'JapVrSq1KlWlVqWq1KpUlVqVqlKrUpWpRbF+K5rql6JQvxNl+pUo0q61tbW1tWvDGox0VQ/gVwGyXrxb',
  ].join(''),
  'base64',
);
