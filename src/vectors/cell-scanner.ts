/**
 * Looks through the records of cells with WebAssembly's vector instructions. The records are kept
 * in its memory, so that a cell that is looked at again need not be copied again.
 */
import type { Embedding } from '../types.ts';
import { createCellMemory, type Place, RECORDS_PER_BLOCK } from './cell-memory.ts';
import { packedBytes } from './codes.ts';
import { TABLE_BYTES, tabulate } from './query-tables.ts';
import { ensureBytes, instantiate, viewsOf, type WasmMemory } from './wasm.ts';

/** scan-records.wat, compiled; the test beside its name compiles it again and compares. */
export const COMPILED_BASE64 =
  'AGFzbQEAAAABLQRgBH9/f38AYAp/f39/fX19fX9/AX9gCX9/f39/f31/fwF/YAd/f39/fX1/AAMFBAABAgMFAwEAAQczBQZt' +
  'ZW1vcnkCAAdhcnJhbmdlAAAEc2NhbgABBmxvb2tVcAACDHNjb3JlUmVjb3JkcwADCoUIBKgBAQd/QYABIAJBBHRqIQogA0EA' +
  'IAogAUEPakEEdmz8CwAgACEHAkADQCAEIAFPDQEgBEEPcSEGIAMgCiAEQQR2bGohBSAFIAZBAnRqIQggCCAHKAIANgIAIAgg' +
  'ByoCBDgCQCAHQQhqIQcgByACaiEJIAVBgAFqIAZqIQgDQCAIIActAAA6AAAgCEEQaiEIIAdBAWohByAHIAlJDQALIARBAWoh' +
  'BAwACwsLkgQDCn8BfQZ7QQ/9DyEWIAEhCiACIQ4gCCETAkADQCAOQQBMDQH9DAAAAAAAAAAAAAAAAAAAAAAhGP0MAAAAAAAA' +
  'AAAAAAAAAAAAACEZIAAhDSAKQYABaiELIAsgA0EEdGohDANAIAv9AAQAIRUgDf0ABAAgFSAW/U79DiAN/QAEECAVQQT9jQEg' +
  'Fv1O/Q79biEXIBggF/2OASEYIBkgF0EI/Y0B/Y4BIRkgDUEgaiENIAtBEGohCyALIAxJDQALIBggGUEI/YsB/ZEBIRogGiAZ' +
  '/Q0AARARAgMSEwQFFBUGBxYXIRggGiAZ/Q0ICRgZCgsaGwwNHB0ODx4fIRkgCSAY/akB/fsB/QsEACAJIBj9qgH9+wH9CwQQ' +
  'IAkgGf2pAf37Af0LBCAgCSAZ/aoB/fsB/QsEMEEAIQ8gDkECdEHAACAOQRBIGyEQA0AgCSAPaiELIAT9EyAKIA9q/QAEQCAG' +
  '/RMgBf0TIAv9AAQA/eYB/eQB/eYB/eQBIRggCyAY/QsEACAYIAf9E/1G/VMEQCAPIREgECAPQRBqIBAgD0EQakgbIRIDQCAJ' +
  'IBFqKgIAIRQgFCAHYARAIBMgCiARaigCADYCACATIBQ4AgQgE0EIaiETCyARQQRqIREgESASSA0ACwsgD0EQaiEPIA8gEEgN' +
  'AAsgCUHAAGohCSAOQRBrIQ4gDCEKDAALCyATIAhrQQN2C5kBAQV/IAghDQJAA0AgCSABTw0BIAAoAgAhCkEAIQsgCiACSQRA' +
  'IAMgCkECdGooAgAhCwsgBCALQQx2QQJ0aigCACALQf8fcWohDCAMQQBIBEAgByAGOAIAIA0gCTYCACANQQRqIQ0FIAcgBSAM' +
  'QQJ0aioCADgCAAsgAEEEaiEAIAdBBGohByAJQQFqIQkMAAsLIA0gCGtBAnYLqQEBB38CQANAIAJFDQEgASgCACEIIAEoAgQh' +
  'ByAIIAdqIQkgCSADQQR0aiEKIAAhC0EAIQ0DQCAJLQCAASEMIA0gCyAMQQ9xai0AACALIAxBBHZqLQAQamohDSALQSBqIQsg' +
  'CUEQaiEJIAkgCkkNAAsgBiABKgIIIAggB0ECdGoqAkAgBSAEIA2zlJKUkjgCACABQQxqIQEgBkEEaiEGIAJBAWshAgwACwsL';

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
    kept: number,
    scores: number,
  ): number;
  lookUp(
    items: number,
    count: number,
    itemsMax: number,
    places: number,
    starts: number,
    scores: number,
    otherwise: number,
    out: number,
    unknown: number,
  ): number;
  scoreRecords(
    tables: number,
    records: number,
    count: number,
    codeBytes: number,
    step: number,
    bias: number,
    out: number,
  ): void;
}

const WORD_BYTES = 4;
/** An item and its score, as a scan hands them on. */
const KEPT_WORDS = 2;
/** A block, a lane and a base, as `scoreRecords` takes them. */
const RECORD_WORDS = 3;

/** A cell to look into. */
export interface LookedAtCell {
  cell: number;
  /** Cosine of the cell's centre with the query. */
  cosine: number;
  /** Gives the cell's records; called where they are not in memory. */
  records: () => Uint8Array;
}

/** The scores of items, in their order. */
export interface LookedUpScores {
  scores: Float32Array;
  /** The positions of the items in cells that were not scanned. */
  unknown: Uint32Array;
}

export interface CellScanner {
  /** Takes the query of the scans to come. */
  take(query: Embedding): void;
  /**
   * Calls `visit` with the items whose score is not below the threshold. Returns how many items the
   * cell has. Once a cell for each query: the last scores reach into the place of the next cell's.
   */
  scan(cell: LookedAtCell, threshold: number, visit: (item: number, score: number) => void): number;
  /** The scores of items in cells that were scanned with this query; `otherwise` for all others. */
  scoresOf(items: ArrayLike<number>, otherwise: number): LookedUpScores;
  /**
   * The scores of items whether their cells were scanned or not; `cellOf` tells each one's cell. NaN
   * where that does not have it.
   */
  scoresIn(items: readonly number[], cellOf: (item: number) => LookedAtCell): Float32Array;
  /** The cell of an item, undefined where it has not been looked into yet. */
  cellOf(item: number): number | undefined;
}

export interface CellScannerOptions {
  dimensions: number;
  /** Items are below it. */
  itemsMax: number;
  /** Bytes of cells that are kept; further ones are copied for each query. */
  bytesMax: number;
}

/** A scanner of cells that do not change. */
export function createCellScanner(options: CellScannerOptions): CellScanner {
  const module = openModule(options);
  const { cells } = module;
  let scored = 0;
  return {
    take(vector) {
      module.take(vector);
      scored = 0;
      cells.startQuery();
    },
    scan({ cell, cosine, records }, threshold, visit) {
      const place = cells.place(cell, records);
      cells.setScores(place, scored);
      module.scan(place, { cosine, threshold, to: scored }, visit);
      scored += place.count;
      return place.count;
    },
    scoresOf: module.lookUp,
    scoresIn(items, cellOf) {
      const records: ScoredRecord[] = [];
      const positions: number[] = [];
      for (const [position, item] of items.entries()) {
        const { cell, cosine, records: read } = cellOf(item);
        const place = cells.place(cell, read);
        if (cells.placeOf(item) !== place) continue;
        const index = cells.indexOf(item);
        const lane = index % RECORDS_PER_BLOCK;
        records.push({ block: cells.blockOf(place, index), lane, cosine });
        positions.push(position);
      }
      const known = module.scoreRecords(records);
      const scores = new Float32Array(items.length).fill(Number.NaN);
      for (const [at, position] of positions.entries()) scores[position] = known[at] as number;
      return scores;
    },
    cellOf: (item) => cells.placeOf(item)?.cell,
  };
}

/** A record by itself. */
interface ScoredRecord {
  block: number;
  lane: number;
  /** Cosine of its cell's centre with the query. */
  cosine: number;
}

/**
 * The WebAssembly module and its memory: the tables, the scores of all items and of a last block, the
 * cells, and behind them what goes into a call and comes out of it.
 */
function openModule({ dimensions, itemsMax, bytesMax }: CellScannerOptions) {
  const exports = instantiate(COMPILED_BASE64) as Exports;
  const { memory, arrange } = exports;
  const codeBytes = packedBytes(dimensions, 2);
  const scoresAt = codeBytes * TABLE_BYTES;
  const start = scoresAt + (itemsMax + RECORDS_PER_BLOCK) * WORD_BYTES;
  const cells = createCellMemory({ memory, arrange, codeBytes, start, itemsMax, bytesMax });
  const viewsNow = viewsOf(memory, (buffer) => ({
    bytes: new Uint8Array(buffer),
    words: new Uint32Array(buffer),
    floats: new Float32Array(buffer),
  }));
  let query = { step: 0, bias: 0 };
  /** So many words behind the cells, from this one on. */
  const reserve = (words: number): number => {
    const from = Math.ceil(cells.end() / WORD_BYTES);
    ensureBytes(memory, (from + words) * WORD_BYTES);
    return from;
  };
  return {
    cells,
    take(vector: Embedding): void {
      const { tables, ...rest } = tabulate(vector, codeBytes);
      viewsNow().bytes.set(tables);
      query = rest;
    },
    /** The scores go to the `to`th one and those behind it. */
    scan(
      { at, count }: Place,
      { cosine, threshold, to }: { cosine: number; threshold: number; to: number },
      visit: (item: number, score: number) => void,
    ): void {
      const from = reserve(count * KEPT_WORDS);
      const { step, bias } = query;
      const kept = exports.scan(
        ...([0, at, count, codeBytes, cosine, step, bias, threshold] as const),
        ...([from * WORD_BYTES, scoresAt + to * WORD_BYTES] as const),
      );
      const { words, floats } = viewsNow();
      for (let at = from; at < from + kept * KEPT_WORDS; at += KEPT_WORDS) {
        visit(words[at] as number, floats[at + 1] as number);
      }
    },
    /** See CellScanner. */
    lookUp(items: ArrayLike<number>, otherwise: number): LookedUpScores {
      const count = items.length;
      const from = reserve(3 * count);
      const { words, floats } = viewsNow();
      words.set(items, from);
      const unknown = exports.lookUp(
        ...([from * WORD_BYTES, count, itemsMax, cells.placesAt, cells.startsAt] as const),
        ...([scoresAt, otherwise] as const),
        ...([(from + count) * WORD_BYTES, (from + 2 * count) * WORD_BYTES] as const),
      );
      return {
        scores: floats.slice(from + count, from + 2 * count),
        unknown: words.slice(from + 2 * count, from + 2 * count + unknown),
      };
    },
    /** Valid until the next call. */
    scoreRecords(records: readonly ScoredRecord[]): Float32Array {
      const { length } = records;
      const from = reserve((RECORD_WORDS + 1) * length);
      const { words, floats } = viewsNow();
      let at = from;
      for (const { block, lane, cosine } of records) {
        words[at] = block;
        words[at + 1] = lane;
        floats[at + 2] = cosine;
        at += RECORD_WORDS;
      }
      const { step, bias } = query;
      exports.scoreRecords(
        ...([0, from * WORD_BYTES, length, codeBytes, step, bias, at * WORD_BYTES] as const),
      );
      return floats.subarray(at, at + length);
    },
  };
}
