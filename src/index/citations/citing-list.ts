/**
 * The citing documents of a work: the differences between their ascending numbers, seven bits to a byte,
 * the lowest first. All bytes of a number but the last have the highest bit set (LEB128).
 */
import type { DocumentNumber } from '../../types.ts';

/** `documents` must ascend, and be above 0. */
export function encodeCiting(documents: readonly DocumentNumber[]): Buffer {
  const bytes: number[] = [];
  let before = 0;
  for (const document of documents) {
    let left = document - before;
    for (; left > 0x7f; left >>>= 7) bytes.push((left & 0x7f) | 0x80);
    bytes.push(left);
    before = document;
  }
  return Buffer.from(bytes);
}

export function decodeCiting(list: Buffer): DocumentNumber[] {
  const documents: DocumentNumber[] = [];
  let [before, value, shift] = [0, 0, 0];
  for (let at = 0; at < list.length; at++) {
    const byte = list[at] as number;
    value |= (byte & 0x7f) << shift;
    shift += 7;
    if (byte > 0x7f) continue;
    before += value;
    documents.push(before);
    [value, shift] = [0, 0];
  }
  return documents;
}
