/**
 * Looks through the records of cells with WebAssembly's vector instructions. The records are kept
 * in its memory, so that a cell that is looked at again need not be copied again.
 */
import type { Embedding } from '../types.ts';
import { codeRanges, paddedLength } from './codes.ts';
import { ensureBytes, instantiate, type WasmMemory } from './wasm.ts';

/** scan-records.wat, compiled; the test beside its name compiles it again and compares. */
export const COMPILED_BASE64 =
  'AGFzbQEAAAABEAFgC39/f399fX19f39/AX8DAgEABQMBAAEHGAIGbWVtb3J5AgALc2NhblJlY29yZHMAAArHAwHEAwQF' +
  'fwN7AX0Cf0ED/RAhESABIQsgCiEUIAEgAkEIIANBAnZqbGohDAJAA0AgCyAMTw0B/QwAAAAAAAAAAAAAAAAAAAAAIRIg' +
  'ACEOIAtBCGohDSANIANBAnZqIQ8DQCAN/QAEACEQIBIgECAR/U4gDv0ABAD9ugH9rgEhEiASIBBBAv2NASAR/U4gDv0A' +
  'BBD9ugH9rgEhEiASIBBBBP2NASAR/U4gDv0ABCD9ugH9rgEhEiASIBBBBv2NASAR/U4gDv0ABDD9ugH9rgEhEiASIBBB' +
  'CP2NASAR/U4gDv0ABED9ugH9rgEhEiASIBBBCv2NASAR/U4gDv0ABFD9ugH9rgEhEiASIBBBDP2NASAR/U4gDv0ABGD9' +
  'ugH9rgEhEiASIBBBDv2NASAR/U4gDv0ABHD9ugH9rgEhEiAOQYABaiEOIA1BEGohDSANIA9JDQALIAQgBSALKgIElCAS' +
  '/RsAIBL9GwFqIBL9GwIgEv0bA2pqsiAGk5SSIRMgCCALKAIAQQN0aiEVIBUgCTYCACAVIBM4AgQgEyAHYARAIBQgCygC' +
  'ADYCACAUIBM4AgQgFEEIaiEUCyAPIQsMAAsLIBQgCmtBA3YL';

interface Exports {
  memory: WasmMemory;
  scanRecords(
    query: number,
    records: number,
    count: number,
    length: number,
    base: number,
    scale: number,
    offset: number,
    threshold: number,
    notes: number,
    mark: number,
    kept: number,
  ): number;
}

const RECORD_HEADER_BYTES = 8;
/** A note of a score, and a kept one. */
const SCORE_BYTES = 8;
/** Components of the query in int16: with codes of 2 bits no sum overflows. */
const QUERY_MAX = 32_767;
/** A vector load may read so many bytes past the last record. */
const OVERRUN_BYTES = 16;

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
 * A scanner of cells that do not change. Items are below `itemsMax`. Records of `bytesMax` bytes at
 * most are kept; further cells are copied each time.
 */
export function createCellScanner(options: {
  dimensions: number;
  itemsMax: number;
  bytesMax: number;
}): CellScanner {
  const { memory, scanRecords } = instantiate(COMPILED_BASE64) as Exports;
  const length = paddedLength(options.dimensions);
  // The query, a note an item, what is kept of a cell, the records.
  const notesAt = 2 * length;
  const keptAt = notesAt + options.itemsMax * SCORE_BYTES;
  ensureBytes(memory, keptAt);
  const records = createRecords(memory, {
    ...{ start: keptAt, recordBytes: RECORD_HEADER_BYTES + length / 4 },
    bytesMax: options.bytesMax,
  });
  let view = new DataView(memory.buffer);
  let query = { scale: 0, offset: 0 };
  let mark = 0;
  return {
    take(vector) {
      const { components, scale, sum } = orderForLanes(vector, length);
      new Int16Array(memory.buffer).set(components);
      query = { scale, offset: codeRanges[2].offset * sum };
      mark++;
    },
    scan({ cell, cosine, threshold, records: read }, visit) {
      const { at, count } = records.place(cell, read);
      if (view.buffer !== memory.buffer) view = new DataView(memory.buffer);
      const { scale, offset } = query;
      const kept = scanRecords(
        ...([0, at, count, length, cosine, scale, offset, threshold] as const),
        ...([notesAt, mark, keptAt] as const),
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

/** The records of cells in a module's memory, from `start` on, behind room for what is kept. */
function createRecords(
  memory: WasmMemory,
  { start, recordBytes, bytesMax }: { start: number; recordBytes: number; bytesMax: number },
): { place(cell: number, read: () => Uint8Array): Place } {
  const places = new Map<number, Place>();
  let first = start;
  let end = first;
  return {
    place(cell, read) {
      const known = places.get(cell);
      if (known !== undefined) return known;
      const records = read();
      const count = Math.floor(records.length / recordBytes);
      if (start + count * SCORE_BYTES > first) {
        // A larger cell than any before: start over, with room for twice as large ones.
        places.clear();
        first = start + 2 * count * SCORE_BYTES;
        end = first;
      }
      ensureBytes(memory, end + records.length + OVERRUN_BYTES);
      new Uint8Array(memory.buffer).set(records, end);
      const place = { at: end, count };
      if (end + records.length - first <= bytesMax) {
        places.set(cell, place);
        end += records.length;
      }
      return place;
    },
  };
}

/**
 * The query as int16 in the order in which the codes of a block of 64 components come out of its
 * eight 16-bit lanes: bits 2 s to 2 s + 1 of lane l are those of component 16 (s mod 4) + 2 l, or of
 * the next one for the lane's upper byte.
 */
function orderForLanes(
  query: Embedding,
  length: number,
): { components: Int16Array; scale: number; sum: number } {
  let largest = 0;
  for (const component of query) largest = Math.max(largest, Math.abs(component));
  const scale = largest === 0 ? 1 : largest / QUERY_MAX;
  const components = new Int16Array(length);
  let sum = 0;
  for (let at = 0; at < length; at++) {
    const lane = at % 8;
    const step = (at >> 3) % 8;
    const upper = step >> 2;
    const index = at - (at % 64) + 16 * (step % 4) + 2 * lane + upper;
    components[at] = Math.round((query[index] ?? 0) / scale);
    sum += components[at] as number;
  }
  return { components, scale, sum };
}
