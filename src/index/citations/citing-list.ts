/**
 * The citing documents of a work: the differences between their ascending numbers, seven bits to a byte,
 * the lowest first. All bytes of a number but the last have the highest bit set (LEB128).
 */
import type { DocumentNumber } from '../../types.ts';

/** `documents` must ascend, and be above 0. */
export function encodeCiting(documents: Iterable<DocumentNumber>): Buffer {
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

/** Returns the documents, ascending. A famous work has 100,000, so it makes one array and no objects. */
export function decodeCiting(list: Uint8Array): Uint32Array {
  const documents = new Uint32Array(list.length);
  let [count, before, value, shift] = [0, 0, 0, 0];
  for (let at = 0; at < list.length; at++) {
    const byte = list[at] as number;
    value |= (byte & 0x7f) << shift;
    shift += 7;
    if (byte > 0x7f) continue;
    before += value;
    documents[count++] = before;
    value = 0;
    shift = 0;
  }
  return documents.subarray(0, count);
}

/** Returns the documents of ascending lists, ascending, each once. */
export function mergeCiting(lists: readonly Uint32Array[]): Uint32Array {
  const [first = new Uint32Array(0), ...rest] = lists;
  return rest.reduce(mergeTwo, first);
}

function mergeTwo(a: Uint32Array, b: Uint32Array): Uint32Array {
  const merged = new Uint32Array(a.length + b.length);
  let [count, i, j] = [0, 0, 0];
  while (i < a.length || j < b.length) {
    const [one = Infinity, other = Infinity] = [a[i], b[j]];
    merged[count++] = Math.min(one, other);
    if (one <= other) i++;
    if (other <= one) j++;
  }
  return merged.subarray(0, count);
}
