/** Lookup tables of a query's products with 2-bit codes, for the scan of inverted lists. */
import type { Embedding } from '../types.ts';
import { COMPONENTS_PER_BLOCK, codeRanges } from './quantization.ts';

/** Table bytes for one byte of codes: 16 values for each half byte. */
export const TABLE_BYTES = 32;

/** Values have 7 bits so that the sum of two fits in 8 bits; the sum of all fits in 16. */
const VALUE_MAX = 127;
const SUM_MAX = 65_000;

export interface QueryTables {
  tables: Uint8Array;
  step: number;
  bias: number;
}

/**
 * Tabulates what each half byte of codes contributes to the product with the query, less the least
 * that it can contribute, in whole steps. A product is `step` · the sum of the values + `bias`.
 */
export function tabulate(query: Embedding, codeBytes: number): QueryTables {
  const pairs = codeBytes * 2;
  // Byte 16 b + n of the codes holds components 64 b + n, + 16, + 32 and + 48: see quantization.ts.
  const firstOf = (pair: number): number => {
    const byte = pair >> 1;
    return (byte >> 4) * COMPONENTS_PER_BLOCK + (byte & 15) + (pair & 1) * 32;
  };
  const { most, offset } = codeRanges[2];
  let widest = 0;
  let all = 0;
  for (let pair = 0; pair < pairs; pair++) {
    const width =
      most * (Math.abs(query[firstOf(pair)] ?? 0) + Math.abs(query[firstOf(pair) + 16] ?? 0));
    widest = Math.max(widest, width);
    all += width;
  }
  const step = Math.max(widest / VALUE_MAX, all / SUM_MAX) || 1;
  const tables = new Uint8Array(codeBytes * TABLE_BYTES);
  for (let pair = 0; pair < pairs; pair++) {
    const low = query[firstOf(pair)] ?? 0;
    const high = query[firstOf(pair) + 16] ?? 0;
    const least = offset * (Math.abs(low) + Math.abs(high));
    for (let code = 0; code < 16; code++) {
      const product = low * ((code & 3) - offset) + high * ((code >> 2) - offset);
      tables[pair * 16 + code] = Math.round((product + least) / step);
    }
  }
  return { tables, step, bias: -all / 2 };
}
