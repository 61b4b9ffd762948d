/** A digest of the rows of a table, in whatever order they come. */
import { hash } from 'node:crypto';

export type MovedValue = string | number | null | Uint8Array;
/** The values in the order of the columns. */
export type MovedRow = readonly MovedValue[];

export interface RowDigest {
  add(rows: readonly MovedRow[]): void;
  rows(): number;
  /** The same for the same rows, and for no others. */
  value(): string;
}

/** Digests are added up modulo this. */
const MODULUS = 1n << 128n;
const HEXADECIMAL_DIGITS = 32;

export function createRowDigest(): RowDigest {
  let rows = 0;
  let sum = 0n;
  return {
    add(batch) {
      rows += batch.length;
      for (const row of batch) {
        const digits = hash('sha256', JSON.stringify(row.map(written)), 'hex');
        sum = (sum + BigInt(`0x${digits.slice(0, HEXADECIMAL_DIGITS)}`)) % MODULUS;
      }
    },
    rows: () => rows,
    value: () => `${rows}:${sum.toString(16)}`,
  };
}

/** Bytes differ from a text of the same characters. */
function written(value: MovedValue): unknown {
  return value instanceof Uint8Array ? [Buffer.from(value).toString('hex')] : value;
}
