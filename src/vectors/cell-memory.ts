/**
 * Cells in the memory of a WebAssembly module, arranged in blocks for the scan. As many as there is
 * room for are kept; a further one stays until the next query.
 */
import { ensureBytes, type WasmMemory } from './wasm.ts';

const RECORD_HEADER_BYTES = 8;
/** Records that are scored at a time, and what stands in front of their codes: see the .wat. */
export const RECORDS_PER_BLOCK = 16;
const BLOCK_HEADER_BYTES = 128;

/** An item's record of its cell, in the lower bits of a number; the cell's own number above. */
const RECORD_BITS = 12;
const RECORDS_MAX = 2 ** RECORD_BITS;
/** Where the scores of a cell start that has none: below zero with any record added. */
const UNSCANNED = -RECORDS_MAX;

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
  /** The number of an item's score, below zero where the query has not scanned its cell. */
  scoreOf(item: number): number;
  /** The first byte behind the cells. */
  end(): number;
}

export interface CellMemoryOptions {
  memory: WasmMemory;
  /** From the .wat: groups records into blocks. */
  arrange(records: number, count: number, codeBytes: number, blocks: number): void;
  codeBytes: number;
  /** The first byte of the cells. */
  start: number;
  /** Items are below it. */
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
  const { codeBytes, start, itemsMax, bytesMax } = options;
  const recordBytes = RECORD_HEADER_BYTES + codeBytes;
  const blockBytes = BLOCK_HEADER_BYTES + RECORDS_PER_BLOCK * codeBytes;
  /** By cell; cells are numbered from 1 on. */
  const cells: (Cell | undefined)[] = [];
  const byNumber: Cell[] = [];
  const scores = createScoreStarts();
  /** Of each item; 0 where it has not been seen. In one number, as looking it up waits for memory. */
  const places = new Uint32Array(itemsMax);
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
    for (let index = 0; index < count; index++) {
      const item = view.getUint32(index * recordBytes, true);
      places[item] = cell.number * RECORDS_MAX + index;
    }
  };
  const create = (cell: number): Cell => {
    const number = byNumber.length + 1;
    const fresh: Cell = {
      ...{ cell, number, at: 0, count: 0, isKept: false, loadedFor: 0 },
    };
    byNumber.push(fresh);
    cells[cell] = fresh;
    scores.makeRoom(number);
    return fresh;
  };
  return {
    startQuery() {
      query++;
      end = keptEnd;
      scores.clear();
    },
    place(cell, read) {
      const known = cells[cell] ?? create(cell);
      if (!known.isKept && known.loadedFor !== query) load(known, read());
      return known;
    },
    placeOf: (item) => byNumber[((places[item] ?? 0) >>> RECORD_BITS) - 1],
    indexOf: (item) => (places[item] as number) & (RECORDS_MAX - 1),
    blockOf: ({ at }, index) => at + Math.floor(index / RECORDS_PER_BLOCK) * blockBytes,
    setScores(place, from) {
      const { cell, number } = place as Cell;
      if (scores.of(number) !== UNSCANNED) throw new Error(`the cell ${cell} was scanned already`);
      scores.set(number, from);
    },
    scoreOf(item) {
      const place = places[item] ?? 0;
      return scores.of(place >>> RECORD_BITS) + (place & (RECORDS_MAX - 1));
    },
    end: () => end,
  };
}

/**
 * The number of each cell's first score, by the cell's own number. An item that has not been seen is
 * in cell 0, which never has any.
 */
function createScoreStarts() {
  let starts = new Int32Array(64).fill(UNSCANNED);
  return {
    clear(): void {
      starts.fill(UNSCANNED);
    },
    makeRoom(number: number): void {
      if (number < starts.length) return;
      const more = new Int32Array(2 * starts.length).fill(UNSCANNED);
      more.set(starts);
      starts = more;
    },
    of: (number: number): number => starts[number] as number,
    set(number: number, from: number): void {
      starts[number] = from;
    },
  };
}
