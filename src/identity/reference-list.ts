/**
 * The reference list of a record: the keys of the works that it cites, as hashes of 48 bits. In bytes:
 *
 *   uint16 works with one key | their keys | for each other work: uint8 keys | its keys
 *
 * All numbers are little-endian.
 */
import { keysOfCitedWork } from './cited-work-keys.ts';
import type { KeptRecord } from './kept-record.ts';
import { hashKey } from './record-keys.ts';

/** The hash of a key of a cited work, as `hashKey` makes it. */
export type WorkKey = number;

const KEY_BYTES = 6;

/** Returns the list of a record. Null if it cites nothing, or has a part that has no references. */
export function encodeReferences({
  part,
  references,
}: Pick<KeptRecord, 'part' | 'references'>): Buffer | null {
  if (part !== 'record' && part !== 'references') return null;
  if (references === undefined || references.length === 0) return null;
  const works = references.map((work) => keysOfCitedWork(work).map(hashKey));
  const single = works.filter(({ length }) => length === 1);
  const others = works.filter(({ length }) => length > 1);
  const keys = works.reduce((sum, { length }) => sum + length, 0);
  const blob = Buffer.alloc(2 + others.length + KEY_BYTES * keys);
  let at = blob.writeUInt16LE(single.length, 0);
  for (const [key] of single as [WorkKey][]) at = blob.writeIntLE(key, at, KEY_BYTES);
  for (const work of others) {
    at = blob.writeUInt8(work.length, at);
    for (const key of work) at = blob.writeIntLE(key, at, KEY_BYTES);
  }
  return blob;
}

/** Returns the keys of each work. Throws a RangeError if the list ends early. */
export function decodeReferences(blob: Buffer | null): WorkKey[][] {
  if (blob === null) return [];
  const works: WorkKey[][] = [];
  let at = 2;
  const read = (count: number): void => {
    const keys = Array.from({ length: count }, (_, place) =>
      blob.readIntLE(at + place * KEY_BYTES, KEY_BYTES),
    );
    works.push(keys);
    at += count * KEY_BYTES;
  };
  for (let left = blob.readUInt16LE(0); left > 0; left--) read(1);
  while (at < blob.length) {
    const count = blob.readUInt8(at++);
    read(count);
  }
  return works;
}

/** Returns the keys of all works of such lists, each once. */
export function keysInReferences(lists: readonly (Buffer | null)[]): Set<WorkKey> {
  return new Set(lists.flatMap((list) => decodeReferences(list).flat()));
}
