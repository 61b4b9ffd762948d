/**
 * A sample of records, the same whatever the order of files and records. Each record has a mark, a
 * number by chance that its name and the seed decide; the sample is the records with the least
 * marks. So what says two things of one paper, as papers and abstracts of Semantic Scholar do, is
 * in the sample together. Pure.
 */
import { hash } from 'node:crypto';
import type { KeptRecord } from '../../identity/kept-record.ts';
import { nameKeyOf } from '../../identity/record-keys.ts';

/** A whole number of 48 bits. */
function sampleHash(record: KeptRecord, seed: number): number {
  return hash('sha1', `${seed} ${nameKeyOf(record)}`, 'buffer').readUIntBE(0, 6);
}

/** `mark`: the greatest that is in the sample. */
export function isSampled(record: KeptRecord, seed: number, mark: number): boolean {
  return sampleHash(record, seed) <= mark;
}

export interface SmallestHashes {
  add(record: KeptRecord): void;
  /** The greatest mark of the sample; infinite where there are fewer records. */
  threshold(): number;
}

/** Finds the least marks, in 16 bytes of memory for each of the sample's records. */
export function createSmallestHashes({
  records,
  seed,
}: {
  records: number;
  seed: number;
}): SmallestHashes {
  const marks = new Float64Array(2 * records);
  let length = 0;
  /** Marks above it are not among the least. */
  let bound = Infinity;
  const shorten = (): void => {
    const sorted = marks.subarray(0, length).sort();
    const least = sorted.filter((mark, at) => mark !== sorted[at - 1]).subarray(0, records);
    marks.set(least);
    length = least.length;
    if (length === records) bound = marks[length - 1] as number;
  };
  return {
    add(record) {
      const mark = sampleHash(record, seed);
      if (mark >= bound) return;
      marks[length++] = mark;
      if (length === marks.length) shorten();
    },
    threshold() {
      shorten();
      return bound;
    },
  };
}
