/**
 * Cells in the memory of a WebAssembly module, arranged in blocks for the scan. As many as there is
 * room for are kept; a further one stays until the next query. In front of the cells stands which of
 * their records each item is, and where the scores of each cell start: see `lookUp` in the .wat.
 */
import { ensureBytes, viewsOf, type WasmMemory } from './wasm.ts';

const RECORD_HEADER_BYTES = 8;
/** Records that are scored at a time, and what stands in front of their codes: see the .wat. */
export const RECORDS_PER_BLOCK = 16;
const BLOCK_HEADER_BYTES = 128;

/** An item's record of its cell, in the lower bits of a number; the cell's own number above. */
const RECORD_BITS = 12;
const RECORDS_MAX = 2 ** RECORD_BITS;
/** Where the scores of a cell start that has none: below zero with any record added. */
const UNSCANNED = -RECORDS_MAX;
const WORD_BYTES = 4;

/** A cell in memory. */
export interface Place {
  readonly cell: number;
  /** Its first block. */
  readonly at: number;
  readonly count: number;
}

export interface CellMemory {
  /** What is not kept goes, and what is known of the scores. */
  startQuery(): void;
  /** The cell, in memory until the next query; `read` gives its records. */
  place(cell: number, read: () => Uint8Array): Place;
  /** The cell of an item, undefined where it has never been in memory. */
  placeOf(item: number): Place | undefined;
  /** Which record of its cell an item is. */
  indexOf(item: number): number;
  /** The block of a record. */
  blockOf(place: Place, index: number): number;
  /** Notes that the scores of a cell's records are those from this number on, for this query. */
  setScores(place: Place, from: number): void;
  /** Where `lookUp` finds the places of all items. */
  readonly placesAt: number;
  /** Where it finds the numbers of the cells' first scores. */
  readonly startsAt: number;
  /** The first byte behind the cells. */
  end(): number;
}

export interface CellMemoryOptions {
  memory: WasmMemory;
  /** From the .wat: groups records into blocks. */
  arrange(records: number, count: number, codeBytes: number, blocks: number): void;
  codeBytes: number;
  /** The first byte that may be used, a multiple of 4. */
  start: number;
  /** Items are below it; every cell has one at least. */
  itemsMax: number;
  /** Bytes of cells that are kept. */
  bytesMax: number;
}

interface Cell extends Place {
  at: number;
  count: number;
  /** Cells are numbered from 1 on, as they are asked for first. */
  readonly number: number;
  isKept: boolean;
  /** The query that it was loaded for. */
  loadedFor: number;
}

export function createCellMemory({ memory, arrange, ...options }: CellMemoryOptions): CellMemory {
  const { codeBytes, start: placesAt, itemsMax, bytesMax } = options;
  const startsAt = placesAt + itemsMax * WORD_BYTES;
  // An item that has not been seen is in cell 0, which never has any scores.
  const start = startsAt + (itemsMax + 1) * WORD_BYTES;
  ensureBytes(memory, start);
  const recordBytes = RECORD_HEADER_BYTES + codeBytes;
  const blockBytes = BLOCK_HEADER_BYTES + RECORDS_PER_BLOCK * codeBytes;
  /** By cell; cells are numbered from 1 on. */
  const cells: (Cell | undefined)[] = [];
  const byNumber: Cell[] = [];
  const viewsNow = viewsOf(memory, (buffer) => ({
    /** Of each item its cell's number and its record, 0 where it has not been seen. */
    places: new Uint32Array(buffer, placesAt, itemsMax),
    /** By the cell's own number. */
    starts: new Int32Array(buffer, startsAt, itemsMax + 1),
  }));
  viewsNow().starts[0] = UNSCANNED;
  let keptEnd = start;
  let end = start;
  let query = 0;

  const load = (cell: Cell, records: Uint8Array): void => {
    const count = Math.floor(records.length / recordBytes);
    if (count > RECORDS_MAX) throw new Error(`the cell ${cell.cell} has ${count} documents`);
    const endNow = end + Math.ceil(count / RECORDS_PER_BLOCK) * blockBytes;
    // First as they come, behind the blocks.
    ensureBytes(memory, endNow + records.length);
    new Uint8Array(memory.buffer).set(records, endNow);
    arrange(endNow, count, codeBytes, end);
    // A further cell that does not fit lies behind those that do, and what comes next behind it.
    const isKept = endNow - start <= bytesMax;
    Object.assign(cell, { at: end, count, isKept, loadedFor: query });
    end = endNow;
    if (isKept) keptEnd = end;
    const view = new DataView(records.buffer, records.byteOffset);
    const { places } = viewsNow();
    for (let index = 0; index < count; index++) {
      const item = view.getUint32(index * recordBytes, true);
      places[item] = cell.number * RECORDS_MAX + index;
    }
  };
  const create = (cell: number): Cell => {
    const number = byNumber.length + 1;
    if (number > itemsMax) throw new Error(`there are more cells than ${itemsMax} documents`);
    const fresh: Cell = {
      ...{ cell, number, at: 0, count: 0, isKept: false, loadedFor: 0 },
    };
    byNumber.push(fresh);
    cells[cell] = fresh;
    viewsNow().starts[number] = UNSCANNED;
    return fresh;
  };
  return {
    ...{ placesAt, startsAt },
    startQuery() {
      query++;
      end = keptEnd;
      viewsNow().starts.fill(UNSCANNED, 0, byNumber.length + 1);
    },
    place(cell, read) {
      const known = cells[cell] ?? create(cell);
      if (!known.isKept && known.loadedFor !== query) load(known, read());
      return known;
    },
    placeOf: (item) => byNumber[((viewsNow().places[item] ?? 0) >>> RECORD_BITS) - 1],
    indexOf: (item) => (viewsNow().places[item] as number) & (RECORDS_MAX - 1),
    blockOf: ({ at }, index) => at + Math.floor(index / RECORDS_PER_BLOCK) * blockBytes,
    setScores(place, from) {
      const { cell, number } = place as Cell;
      const { starts } = viewsNow();
      if (starts[number] !== UNSCANNED) throw new Error(`the cell ${cell} was scanned already`);
      starts[number] = from;
    },
    end: () => end,
  };
}
