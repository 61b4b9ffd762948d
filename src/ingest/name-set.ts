/**
 * The names of records, as the hashes of their keys, in 8 bytes each: a file may have more records than a
 * Set can hold. Equal hashes are rare, and only keep a record that could go.
 */
import { hashKey, type NamedRecord, nameKeyOf } from '../identity/record-keys.ts';

export interface NameSet {
  add(record: NamedRecord): void;
  has(record: NamedRecord): boolean;
}

const CAPACITY_FIRST = 1024;

export function createNameSet(): NameSet {
  let keys = new Float64Array(CAPACITY_FIRST);
  let size = 0;
  let sorted = 0;
  const sort = (): void => {
    if (sorted < size) keys.subarray(0, size).sort();
    sorted = size;
  };
  return {
    add(record) {
      if (size === keys.length) {
        const larger = new Float64Array(2 * size);
        larger.set(keys);
        keys = larger;
      }
      keys[size++] = listKeyOf(record);
    },
    has(record) {
      sort();
      const key = listKeyOf(record);
      let [from, to] = [0, size];
      while (from < to) {
        const middle = (from + to) >>> 1;
        if ((keys[middle] as number) < key) from = middle + 1;
        else to = middle;
      }
      return from < size && keys[from] === key;
    },
  };
}

/** The key by which a record is noted as listed. */
export function listKeyOf(record: NamedRecord): number {
  return hashKey(nameKeyOf(record));
}
