/** The tables that a scan of cells looks a query's products up in. */
import type { Embedding } from '../types.ts';
import { COMPONENTS_PER_BLOCK, codeRanges } from './codes.ts';

/** Looked-up values of a byte of codes: 16 for each half. */
export const TABLE_BYTES = 32;

/** A value of a table has 7 bits, so that two of them fit in 8; all of them fit in 16. */
const VALUE_MAX = 127;
const SUM_MAX = 65_000;

export interface QueryTables {
  tables: Uint8Array;
  step: number;
  bias: number;
}

/**
 * What each half byte of codes adds to the product with the query, less the least that it can add,
 * in whole steps. The product is the sum of what was looked up, times `step`, plus `bias`.
 */
export function tabulate(query: Embedding, codeBytes: number): QueryTables {
  const pairs = codeBytes * 2;
  // Byte 16 b + n of the codes holds components 64 b + n, + 16, + 32 and + 48: see codes.ts.
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
