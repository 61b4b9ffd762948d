/**
 * Looks through the records of cells with WebAssembly's vector instructions. The records are kept
 * in its memory, so that a cell that is looked at again need not be copied again.
 */
import type { Embedding } from '../types.ts';
import { RECORDS_PER_BLOCK } from './cell-memory.ts';
import {
  type LookedUpScores,
  lookUpScores,
  openScanModule,
  type ScanModuleOptions,
  type ScoredRecord,
  scanCell,
  scoreRecords,
  takeQuery,
} from './scan-module.ts';

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

/** A scanner of cells that do not change. */
export function createCellScanner(options: ScanModuleOptions): CellScanner {
  const module = openScanModule(options);
  const { cells } = module;
  let scored = 0;
  return {
    take(vector) {
      takeQuery(module, vector);
      scored = 0;
      cells.startQuery();
    },
    scan({ cell, cosine, records }, threshold, visit) {
      const place = cells.place(cell, records);
      cells.setScores(place, scored);
      scanCell(module, place, { cosine, threshold, to: scored }, visit);
      scored += place.count;
      return place.count;
    },
    scoresOf: (items, otherwise) => lookUpScores(module, items, otherwise),
    scoresIn(items, cellOf) {
      const records: ScoredRecord[] = [];
      const positions: number[] = [];
      for (const [position, item] of items.entries()) {
        const { cell, cosine, records: read } = cellOf(item);
        const place = cells.place(cell, read);
        if (cells.placeOf(item) !== place) continue;
        const index = cells.places.indexOf(item);
        const lane = index % RECORDS_PER_BLOCK;
        records.push({ block: cells.blockOf(place, index), lane, cosine });
        positions.push(position);
      }
      const known = scoreRecords(module, records);
      const scores = new Float32Array(items.length).fill(Number.NaN);
      for (const [at, position] of positions.entries()) scores[position] = known[at] as number;
      return scores;
    },
    cellOf: (item) => cells.placeOf(item)?.cell,
  };
}
