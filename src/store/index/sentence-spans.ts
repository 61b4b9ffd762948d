/** The stored offsets of sentences: little-endian uint32 pairs, start and end in UTF-16 units. */
import type { SentenceSpan } from '../../types.ts';

const SPAN_BYTES = 8;

export function encodeSpans(spans: readonly SentenceSpan[]): Buffer {
  const blob = Buffer.alloc(spans.length * SPAN_BYTES);
  for (const [index, span] of spans.entries()) {
    blob.writeUInt32LE(span.start, index * SPAN_BYTES);
    blob.writeUInt32LE(span.end, index * SPAN_BYTES + 4);
  }
  return blob;
}

export function decodeSpans(blob: Buffer): SentenceSpan[] {
  const spans: SentenceSpan[] = [];
  for (let at = 0; at + SPAN_BYTES <= blob.length; at += SPAN_BYTES) {
    spans.push({ start: blob.readUInt32LE(at), end: blob.readUInt32LE(at + 4) });
  }
  return spans;
}
