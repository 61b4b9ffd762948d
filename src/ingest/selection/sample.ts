/**
 * Bottom-k sampling: each record is hashed with the seed, and the records with the smallest hashes
 * are the sample, in whatever order they come. The hash depends on the record's name only, so a
 * paper and its separate abstract (Semantic Scholar) are sampled together. Pure.
 */
import { hash } from 'node:crypto';
import type { KeptRecord } from '../../identity/kept-record.ts';
import { nameKeyOf } from '../../identity/record-keys.ts';

/** A 48-bit integer. */
function sampleHash(record: KeptRecord, seed: number): number {
  return hash('sha1', `${seed} ${nameKeyOf(record)}`, 'buffer').readUIntBE(0, 6);
}

/** `threshold`: the largest hash in the sample. */
export function isSampled(record: KeptRecord, seed: number, threshold: number): boolean {
  return sampleHash(record, seed) <= threshold;
}

export interface SmallestHashes {
  add(record: KeptRecord): void;
  /** The largest hash of the sample; Infinity if there are fewer records. */
  threshold(): number;
}

/** Finds the smallest hashes, in 16 bytes of memory per sampled record. */
export function createSmallestHashes({
  records,
  seed,
}: {
  records: number;
  seed: number;
}): SmallestHashes {
  const hashes = new Float64Array(2 * records);
  let length = 0;
  /** Hashes from here on are not among the smallest. */
  let bound = Infinity;
  const shorten = (): void => {
    const sorted = hashes.subarray(0, length).sort();
    const least = sorted.filter((hash, at) => hash !== sorted[at - 1]).subarray(0, records);
    hashes.set(least);
    length = least.length;
    if (length === records) bound = hashes[length - 1] as number;
  };
  return {
    add(record) {
      const own = sampleHash(record, seed);
      if (own >= bound) return;
      hashes[length++] = own;
      if (length === hashes.length) shorten();
    },
    threshold() {
      shorten();
      return bound;
    },
  };
}
