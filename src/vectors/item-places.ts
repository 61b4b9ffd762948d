/**
 * Which record of which cell each item is, and where the scores of each cell start: in the memory of
 * a WebAssembly module, for `lookUp` in scan-records.wat. Cells have numbers from 1 on here; 0 is that
 * of items not seen so far, and never has any scores.
 */
import { ensureBytes, viewsOf, type WasmMemory } from './wasm.ts';

/** An item's record of its cell, in the lower bits of a number; the cell's own number above. */
const RECORD_BITS = 12;
export const RECORDS_MAX = 2 ** RECORD_BITS;
/** Where the scores of a cell start that has none: below zero with any record added. */
const UNSCANNED = -RECORDS_MAX;
const WORD_BYTES = 4;

export interface ItemPlaces {
  /** Where the places of all items stand. */
  readonly placesAt: number;
  /** Where the numbers of the cells' first scores stand. */
  readonly startsAt: number;
  /** The first byte behind both. */
  readonly end: number;
  /** Makes room for a cell. */
  addCell(cell: number): void;
  /** Forgets the scores of so many cells. */
  clearScores(cells: number): void;
  /** Notes that the scores of a cell's records are those from this number on. False: it has some. */
  setScores(cell: number, from: number): boolean;
  /** Notes that these items are a cell's records, in their order. */
  put(cell: number, items: Uint32Array): void;
  /** The cell of an item, 0 where it has not been seen. */
  cellOf(item: number): number;
  /** Which record of its cell an item is. */
  indexOf(item: number): number;
}

/** `start`: the first byte that may be used, a multiple of 4. Items are below `itemsMax`. */
export function createItemPlaces(
  memory: WasmMemory,
  { start: placesAt, itemsMax }: { start: number; itemsMax: number },
): ItemPlaces {
  const startsAt = placesAt + itemsMax * WORD_BYTES;
  const end = startsAt + (itemsMax + 1) * WORD_BYTES;
  ensureBytes(memory, end);
  const viewsNow = viewsOf(memory, (buffer) => ({
    places: new Uint32Array(buffer, placesAt, itemsMax),
    starts: new Int32Array(buffer, startsAt, itemsMax + 1),
  }));
  viewsNow().starts[0] = UNSCANNED;
  return {
    placesAt,
    startsAt,
    end,
    addCell(cell) {
      if (cell > itemsMax) throw new Error(`there are more cells than ${itemsMax} documents`);
      viewsNow().starts[cell] = UNSCANNED;
    },
    clearScores: (cells) => viewsNow().starts.fill(UNSCANNED, 0, cells + 1),
    setScores(cell, from) {
      const { starts } = viewsNow();
      if (starts[cell] !== UNSCANNED) return false;
      starts[cell] = from;
      return true;
    },
    put(cell, items) {
      const { places } = viewsNow();
      for (let index = 0; index < items.length; index++) {
        places[items[index] as number] = cell * RECORDS_MAX + index;
      }
    },
    cellOf: (item) => (viewsNow().places[item] ?? 0) >>> RECORD_BITS,
    indexOf: (item) => (viewsNow().places[item] ?? 0) & (RECORDS_MAX - 1),
  };
}
