/**
 * Looks through the records of cells with WebAssembly's vector instructions. The records are kept
 * in its memory, so that a cell that is looked at again need not be copied again.
 */
import type { Embedding } from '../types.ts';
import { COMPONENTS_PER_BLOCK, codeRanges, packedBytes } from './codes.ts';
import { ensureBytes, instantiate, type WasmMemory } from './wasm.ts';

/** scan-records.wat, compiled; the test beside its name compiles it again and compares. */
export const COMPILED_BASE64 =
  'AGFzbQEAAAABGAJgBH9/f38AYAx/f39/fX19fX9/f38BfwMDAgABBQMBAAEHGwMGbWVtb3J5AgAHYXJyYW5nZQAABHNjYW4A' +
  'AQqwBQKoAQEHf0GAASACQQR0aiEKIANBACAKIAFBD2pBBHZs/AsAIAAhBwJAA0AgBCABTw0BIARBD3EhBiADIAogBEEEdmxq' +
  'IQUgBSAGQQJ0aiEIIAggBygCADYCACAIIAcqAgQ4AkAgB0EIaiEHIAcgAmohCSAFQYABaiAGaiEIA0AgCCAHLQAAOgAAIAhB' +
  'EGohCCAHQQFqIQcgByAJSQ0ACyAEQQFqIQQMAAsLC4MEAwl/AX0Ge0EP/Q8hFyABIQwgAiEQIAohEwJAA0AgEEEATA0B/QwA' +
  'AAAAAAAAAAAAAAAAAAAAIRn9DAAAAAAAAAAAAAAAAAAAAAAhGiAAIQ8gDEGAAWohDSANIANBBHRqIQ4DQCAN/QAEACEWIA/9' +
  'AAQAIBYgF/1O/Q4gD/0ABBAgFkEE/Y0BIBf9Tv0O/W4hGCAZIBj9jgEhGSAaIBhBCP2NAf2OASEaIA9BIGohDyANQRBqIQ0g' +
  'DSAOSQ0ACyAZIBpBCP2LAf2RASEbIBsgGv0NAAEQEQIDEhMEBRQVBgcWFyEZIBsgGv0NCAkYGQoLGhsMDRwdDg8eHyEaIAsg' +
  'Gf2pAf37Af0LBAAgCyAZ/aoB/fsB/QsEECALIBr9qQH9+wH9CwQgIAsgGv2qAf37Af0LBDBBACERA0AgCyARaiAE/RMgDCAR' +
  'av0ABEAgBv0TIAX9EyALIBFq/QAEAP3mAf3kAf3mAf3kAf0LBAAgEUEQaiERIBFBwABJDQALQQAhESAQQQJ0QcAAIBBBEEgb' +
  'IRIDQCAMIBFqKAIAIQ0gCyARaioCACEVIAggDUEDdGohFCAUIAk2AgAgFCAVOAIEIBUgB2AEQCATIA02AgAgEyAVOAIEIBNB' +
  'CGohEwsgEUEEaiERIBEgEkkNAAsgEEEQayEQIA4hDAwACwsgEyAKa0EDdgs=';

interface Exports {
  memory: WasmMemory;
  arrange(records: number, count: number, codeBytes: number, blocks: number): void;
  scan(
    tables: number,
    blocks: number,
    count: number,
    codeBytes: number,
    base: number,
    step: number,
    bias: number,
    threshold: number,
    notes: number,
    mark: number,
    kept: number,
    scores: number,
  ): number;
}

const RECORD_HEADER_BYTES = 8;
/** A note of a score, and a kept one. */
const SCORE_BYTES = 8;
/** Records that are scored at a time, and what stands in front of their codes: see the .wat. */
const RECORDS_PER_BLOCK = 16;
const BLOCK_HEADER_BYTES = RECORDS_PER_BLOCK * 8;
/** Looked-up values of a byte of codes: 16 for each half. */
const TABLE_BYTES = 32;

/** What a cell is scanned with. */
export interface ScannedCell {
  cell: number;
  /** Cosine of the cell's centre with the query. */
  cosine: number;
  /** Items below it are only noted. */
  threshold: number;
  /** Gives the cell's records; called where they are not in memory. */
  records: () => Uint8Array;
}

export interface CellScanner {
  /** Takes the query of the scans to come. */
  take(query: Embedding): void;
  /** Calls `visit` with the items whose score is not below the threshold. Returns their number. */
  scan(cell: ScannedCell, visit: (item: number, score: number) => void): number;
  /** The scores of items in cells that were scanned with this query; `otherwise` for all others. */
  scoresOf(items: readonly number[], otherwise: number): Float64Array;
}

/**
 * A scanner of cells that do not change. Items are below `itemsMax`. Cells of `bytesMax` bytes at
 * most are kept; further ones are copied each time.
 */
export function createCellScanner(options: {
  dimensions: number;
  itemsMax: number;
  bytesMax: number;
}): CellScanner {
  const { memory, ...wasm } = instantiate(COMPILED_BASE64) as Exports;
  const codeBytes = packedBytes(options.dimensions, 2);
  // The tables, the scores of a block, a note an item, what is kept of a cell, the cells.
  const scoresAt = codeBytes * TABLE_BYTES;
  const notesAt = scoresAt + RECORDS_PER_BLOCK * 4;
  const keptAt = notesAt + options.itemsMax * SCORE_BYTES;
  ensureBytes(memory, keptAt);
  const cells = createCells({ memory, arrange: wasm.arrange }, { ...options, codeBytes, keptAt });
  let view = new DataView(memory.buffer);
  let query = { step: 0, bias: 0 };
  let mark = 0;
  return {
    take(vector) {
      const { tables, step, bias } = tabulate(vector, codeBytes);
      new Uint8Array(memory.buffer).set(tables);
      query = { step, bias };
      mark++;
    },
    scan({ cell, cosine, threshold, records }, visit) {
      const { at, count } = cells.place(cell, records);
      if (view.buffer !== memory.buffer) view = new DataView(memory.buffer);
      const kept = wasm.scan(
        ...([0, at, count, codeBytes, cosine, query.step, query.bias, threshold] as const),
        ...([notesAt, mark, keptAt, scoresAt] as const),
      );
      for (let i = 0; i < kept; i++) {
        const keptOne = keptAt + i * SCORE_BYTES;
        visit(view.getUint32(keptOne, true), view.getFloat32(keptOne + 4, true));
      }
      return count;
    },
    scoresOf(items, otherwise) {
      const scores = new Float64Array(items.length);
      for (let i = 0; i < scores.length; i++) {
        const item = items[i] as number;
        const note = notesAt + item * SCORE_BYTES;
        const isNoted = item < options.itemsMax && view.getUint32(note, true) === mark;
        scores[i] = isNoted ? view.getFloat32(note + 4, true) : otherwise;
      }
      return scores;
    },
  };
}

interface Place {
  at: number;
  count: number;
}

/** The cells in a module's memory, from `keptAt` on, behind room for what is kept of one. */
function createCells(
  { memory, arrange }: Pick<Exports, 'memory' | 'arrange'>,
  { codeBytes, keptAt, bytesMax }: { codeBytes: number; keptAt: number; bytesMax: number },
): { place(cell: number, read: () => Uint8Array): Place } {
  const recordBytes = RECORD_HEADER_BYTES + codeBytes;
  const blockBytes = BLOCK_HEADER_BYTES + RECORDS_PER_BLOCK * codeBytes;
  const places = new Map<number, Place>();
  let first = keptAt;
  let end = first;
  return {
    place(cell, read) {
      const known = places.get(cell);
      if (known !== undefined) return known;
      const records = read();
      const count = Math.floor(records.length / recordBytes);
      if (keptAt + count * SCORE_BYTES > first) {
        // A larger cell than any before: start over, with room for twice as large ones.
        places.clear();
        first = keptAt + 2 * count * SCORE_BYTES;
        end = first;
      }
      const place = { at: end, count };
      const endNow = end + Math.ceil(count / RECORDS_PER_BLOCK) * blockBytes;
      ensureBytes(memory, endNow + records.length);
      new Uint8Array(memory.buffer).set(records, endNow);
      arrange(endNow, count, codeBytes, place.at);
      if (endNow - first <= bytesMax) {
        places.set(cell, place);
        end = endNow;
      }
      return place;
    },
  };
}

/** A value of a table has 7 bits, so that two of them fit in 8; all of them fit in 16. */
const VALUE_MAX = 127;
const SUM_MAX = 65_000;

/**
 * What each half byte of codes adds to the product with the query, less the least that it can add,
 * in whole steps. The product is the sum of what was looked up, times `step`, plus `bias`.
 */
function tabulate(
  query: Embedding,
  codeBytes: number,
): { tables: Uint8Array; step: number; bias: number } {
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
