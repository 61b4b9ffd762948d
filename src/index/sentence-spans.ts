/**
 * The stored offsets of sentences: little-endian uint32 pairs, start and end in UTF-16 units, and a
 * CRC-32 of them. Documents of earlier versions have none until they are written again.
 */
import { crc32 } from 'node:zlib';
import type { SentenceSpan } from '../types.ts';

const SPAN_BYTES = 8;
const CHECKSUM_BYTES = 4;

export function encodeSpans(spans: readonly SentenceSpan[]): Buffer {
  const blob = Buffer.alloc(spans.length * SPAN_BYTES + CHECKSUM_BYTES);
  for (const [index, span] of spans.entries()) {
    blob.writeUInt32LE(span.start, index * SPAN_BYTES);
    blob.writeUInt32LE(span.end, index * SPAN_BYTES + 4);
  }
  const end = blob.length - CHECKSUM_BYTES;
  blob.writeUInt32LE(crc32(blob.subarray(0, end)), end);
  return blob;
}

/** Takes what is stored for sound: `decodeSoundSpans` does not. */
export function decodeSpans(blob: Buffer): SentenceSpan[] {
  const spans: SentenceSpan[] = [];
  for (let at = 0; at + SPAN_BYTES <= blob.length; at += SPAN_BYTES) {
    spans.push({ start: blob.readUInt32LE(at), end: blob.readUInt32LE(at + 4) });
  }
  return spans;
}

/**
 * Returns undefined if the spans are damaged: they do not match their checksum, or do not follow each
 * other within a text of this length.
 */
export function decodeSoundSpans(blob: Buffer, textLength: number): SentenceSpan[] | undefined {
  const rest = blob.length % SPAN_BYTES;
  if (rest !== 0 && rest !== CHECKSUM_BYTES) return undefined;
  const end = blob.length - rest;
  if (rest !== 0 && blob.readUInt32LE(end) !== crc32(blob.subarray(0, end))) return undefined;
  const spans = decodeSpans(blob);
  let last = 0;
  for (const span of spans) {
    if (span.start < last || span.end <= span.start) return undefined;
    last = span.end;
  }
  return last > textLength ? undefined : spans;
}
