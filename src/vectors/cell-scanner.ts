/**
 * Looks through the records of cells with WebAssembly's vector instructions. The records are kept
 * in its memory, so that a cell that is looked at again need not be copied again.
 */
import type { Embedding } from '../types.ts';
import { createCellMemory, type Place, RECORDS_PER_BLOCK } from './cell-memory.ts';
import { packedBytes } from './codes.ts';
import { TABLE_BYTES, tabulate } from './query-tables.ts';
import { ensureBytes, instantiate, type WasmMemory } from './wasm.ts';

/** scan-records.wat, compiled; the test beside its name compiles it again and compares. */
export const COMPILED_BASE64 =
  'AGFzbQEAAAABFgJgBH9/f38AYAp/f39/fX19fX9/AX8DAwIAAQUDAQABBxsDBm1lbW9yeQIAB2FycmFuZ2UAAARzY2FuAAEK' +
  'vwUCqAEBB39BgAEgAkEEdGohCiADQQAgCiABQQ9qQQR2bPwLACAAIQcCQANAIAQgAU8NASAEQQ9xIQYgAyAKIARBBHZsaiEF' +
  'IAUgBkECdGohCCAIIAcoAgA2AgAgCCAHKgIEOAJAIAdBCGohByAHIAJqIQkgBUGAAWogBmohCANAIAggBy0AADoAACAIQRBq' +
  'IQggB0EBaiEHIAcgCUkNAAsgBEEBaiEEDAALCwuSBAMKfwF9BntBD/0PIRYgASEKIAIhDiAIIRMCQANAIA5BAEwNAf0MAAAA' +
  'AAAAAAAAAAAAAAAAACEY/QwAAAAAAAAAAAAAAAAAAAAAIRkgACENIApBgAFqIQsgCyADQQR0aiEMA0AgC/0ABAAhFSAN/QAE' +
  'ACAVIBb9Tv0OIA39AAQQIBVBBP2NASAW/U79Dv1uIRcgGCAX/Y4BIRggGSAXQQj9jQH9jgEhGSANQSBqIQ0gC0EQaiELIAsg' +
  'DEkNAAsgGCAZQQj9iwH9kQEhGiAaIBn9DQABEBECAxITBAUUFQYHFhchGCAaIBn9DQgJGBkKCxobDA0cHQ4PHh8hGSAJIBj9' +
  'qQH9+wH9CwQAIAkgGP2qAf37Af0LBBAgCSAZ/akB/fsB/QsEICAJIBn9qgH9+wH9CwQwQQAhDyAOQQJ0QcAAIA5BEEgbIRAD' +
  'QCAJIA9qIQsgBP0TIAogD2r9AARAIAb9EyAF/RMgC/0ABAD95gH95AH95gH95AEhGCALIBj9CwQAIBggB/0T/Ub9UwRAIA8h' +
  'ESAQIA9BEGogECAPQRBqSBshEgNAIAkgEWoqAgAhFCAUIAdgBEAgEyAKIBFqKAIANgIAIBMgFDgCBCATQQhqIRMLIBFBBGoh' +
  'ESARIBJIDQALCyAPQRBqIQ8gDyAQSA0ACyAJQcAAaiEJIA5BEGshDiAMIQoMAAsLIBMgCGtBA3YL';

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
}

/** An item and its score, as a scan hands them on. */
const KEPT_BYTES = 8;
const SCORE_BYTES = 4;
/** Keeps nothing. */
const NEVER = Number.POSITIVE_INFINITY;

/** A cell to look into. */
export interface LookedAtCell {
  cell: number;
  /** Cosine of the cell's centre with the query. */
  cosine: number;
  /** Gives the cell's records; called where they are not in memory. */
  records: () => Uint8Array;
}

export interface CellScanner {
  /** Takes the query of the scans to come. */
  take(query: Embedding): void;
  /**
   * Calls `visit` with the items whose score is not below the threshold. Returns how many items the
   * cell has. Once a cell for each query: the last scores reach into the place of the next cell's.
   */
  scan(cell: LookedAtCell, threshold: number, visit: (item: number, score: number) => void): number;
  /** The scores of items in cells that were scanned with this query; NaN for all others. */
  scoresOf(items: ArrayLike<number>): Float64Array;
  /** The score of an item of a cell, scanned or not; NaN where the cell does not have it. */
  scoreIn(cell: LookedAtCell, item: number): number;
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
  const { cells, take, scanBlocks, viewNow, scoresNow, blockScoresAt, scoresAt } =
    openMemory(options);
  let scored = 0;
  return {
    take(vector) {
      take(vector);
      scored = 0;
      cells.startQuery();
    },
    scan({ cell, cosine, records }, threshold, visit) {
      const place = cells.place(cell, records);
      const to = scoresAt + scored * SCORE_BYTES;
      cells.setScores(place, scored);
      scored += place.count;
      const kept = scanBlocks(place, { cosine, threshold, to });
      const keptAt = cells.end();
      const view = viewNow();
      for (let at = keptAt; at < keptAt + kept * KEPT_BYTES; at += KEPT_BYTES) {
        visit(view.getUint32(at, true), view.getFloat32(at + 4, true));
      }
      return place.count;
    },
    scoresOf(items) {
      const found = new Float64Array(items.length);
      const scores = scoresNow();
      for (let i = 0; i < found.length; i++) {
        const number = cells.scoreOf(items[i] as number);
        found[i] = number < 0 ? Number.NaN : (scores[number] as number);
      }
      return found;
    },
    scoreIn({ cell, cosine, records }, item) {
      const place = cells.place(cell, records);
      if (cells.placeOf(item) !== place) return Number.NaN;
      const index = cells.indexOf(item);
      const block = { at: cells.blockOf(place, index), count: RECORDS_PER_BLOCK };
      scanBlocks(block, { cosine, threshold: NEVER, to: blockScoresAt });
      const position = index % RECORDS_PER_BLOCK;
      return viewNow().getFloat32(blockScoresAt + position * SCORE_BYTES, true);
    },
    cellOf: (item) => cells.placeOf(item)?.cell,
  };
}

/**
 * The WebAssembly module and its memory: the tables, the scores of a block by itself, those of all
 * items and of a last block, the cells, and behind them what a scan keeps.
 */
function openMemory({ dimensions, itemsMax, bytesMax }: CellScannerOptions) {
  const { memory, arrange, scan } = instantiate(COMPILED_BASE64) as Exports;
  const codeBytes = packedBytes(dimensions, 2);
  const blockScoresAt = codeBytes * TABLE_BYTES;
  const scoresAt = blockScoresAt + RECORDS_PER_BLOCK * SCORE_BYTES;
  const start = scoresAt + (itemsMax + RECORDS_PER_BLOCK) * SCORE_BYTES;
  ensureBytes(memory, start);
  const cells = createCellMemory({ memory, arrange, codeBytes, start, itemsMax, bytesMax });
  let view = new DataView(memory.buffer);
  let scores = new Float32Array(memory.buffer, scoresAt, itemsMax);
  let query = { step: 0, bias: 0 };
  return {
    ...{ cells, blockScoresAt, scoresAt },
    /** Of the memory as large as it is now. */
    viewNow(): DataView {
      if (view.buffer !== memory.buffer) view = new DataView(memory.buffer);
      return view;
    },
    /** The scores of all items, in the memory as it is now. */
    scoresNow(): Float32Array {
      if (scores.buffer !== memory.buffer) {
        scores = new Float32Array(memory.buffer, scoresAt, itemsMax);
      }
      return scores;
    },
    take(vector: Embedding): void {
      const { tables, ...rest } = tabulate(vector, codeBytes);
      new Uint8Array(memory.buffer).set(tables);
      query = rest;
    },
    /** Scans so many records from a block on. Returns how many are kept, behind the cells. */
    scanBlocks(
      { at, count }: Pick<Place, 'at' | 'count'>,
      { cosine, threshold, to }: { cosine: number; threshold: number; to: number },
    ): number {
      ensureBytes(memory, cells.end() + count * KEPT_BYTES);
      const { step, bias } = query;
      return scan(0, at, count, codeBytes, cosine, step, bias, threshold, cells.end(), to);
    },
  };
}
