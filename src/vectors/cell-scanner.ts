/**
 * Looks through the records of cells with WebAssembly's vector instructions. The records are kept
 * in its memory, so that a cell that is looked at again need not be copied again.
 */
import type { Embedding } from '../types.ts';
import { RECORDS_PER_BLOCK } from './cell-memory.ts';
import type { NearCell } from './centres.ts';
import {
  type LookedUpScores,
  lookUpScores,
  openScanModule,
  type ScanModuleOptions,
  scanCell,
  scoreRecords,
  takeQuery,
} from './scan-module.ts';

export interface CellScannerOptions extends ScanModuleOptions {
  /** Gives the records of a cell; called where they are not in memory. */
  recordsOf: (cell: number) => Uint8Array;
}

/** Where items are that may not have been looked into yet. */
export interface CellsOfItems {
  cellOf(item: number): number;
  /** Cosine of a cell's centre with the query. */
  cosineOf(cell: number): number;
}

export interface CellScanner {
  /** Takes the query of the scans to come. */
  take(query: Embedding): void;
  /**
   * Calls `visit` with the items whose score is not below the threshold. Returns how many items the
   * cell has. Once a cell for each query: the last scores reach into the place of the next cell's.
   */
  scan(cell: NearCell, threshold: number, visit: (item: number, score: number) => void): number;
  /** The scores of items in cells that were scanned with this query; `otherwise` for all others. */
  scoresOf(items: ArrayLike<number>, otherwise: number): LookedUpScores;
  /**
   * The scores of items whether their cells were scanned or not; NaN where the cell that is told does
   * not have the item.
   */
  scoresIn(items: readonly number[], cells: CellsOfItems): Float32Array;
  /** The cell of an item, undefined where it has not been looked into yet. */
  cellOf(item: number): number | undefined;
}

/** A scanner of cells that do not change. */
export function createCellScanner({ recordsOf, ...options }: CellScannerOptions): CellScanner {
  const module = openScanModule(options);
  const { cells } = module;
  let scored = 0;
  return {
    take(vector) {
      takeQuery(module, vector);
      scored = 0;
      cells.startQuery();
    },
    scan({ cell, cosine }, threshold, visit) {
      const place = cells.place(cell, recordsOf);
      cells.setScores(place, scored);
      scanCell(module, place, { cosine, threshold, to: scored }, visit);
      scored += place.count;
      return place.count;
    },
    scoresOf: (items, otherwise) => lookUpScores(module, items, otherwise),
    scoresIn(items, { cellOf, cosineOf }) {
      const blocks = new Uint32Array(items.length);
      const lanes = new Uint32Array(items.length);
      const cosines = new Float32Array(items.length).fill(Number.NaN);
      for (let i = 0; i < items.length; i++) {
        const item = items[i] as number;
        const cell = cellOf(item);
        const place = cells.place(cell, recordsOf);
        if (cells.placeOf(item) !== place) continue;
        const index = cells.places.indexOf(item);
        blocks[i] = cells.blockOf(place, index);
        lanes[i] = index % RECORDS_PER_BLOCK;
        cosines[i] = cosineOf(cell);
      }
      return scoreRecords(module, { blocks, lanes, cosines });
    },
    cellOf: (item) => cells.placeOf(item)?.cell,
  };
}
