/**
 * Cells in the memory of a WebAssembly module, arranged in blocks for the scan. As many as there is
 * room for are kept; a further one stays until the next query.
 */
import { createItemPlaces, type ItemPlaces, RECORDS_MAX } from './item-places.ts';
import { ensureBytes, type WasmMemory } from './wasm.ts';

const RECORD_HEADER_BYTES = 8;
/** Records that are scored at a time, and what stands in front of their codes: see the .wat. */
export const RECORDS_PER_BLOCK = 16;
const BLOCK_HEADER_BYTES = 128;

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
  /** The cell, in memory until the next query; `read` gives the records of one. */
  place(cell: number, read: (cell: number) => Uint8Array): Place;
  /** The cell of an item, undefined where it has never been in memory. */
  placeOf(item: number): Place | undefined;
  /** The block of a record. */
  blockOf(place: Place, index: number): number;
  /** Notes that the scores of a cell's records are those from this number on, for this query. */
  setScores(place: Place, from: number): void;
  /** Where the items are, and their scores. */
  readonly places: Pick<ItemPlaces, 'placesAt' | 'startsAt' | 'indexOf'>;
  /** The first byte behind the cells. */
  end(): number;
}

export interface CellMemoryOptions {
  memory: WasmMemory;
  /** From the .wat: groups records into blocks. */
  arrange(records: number, count: number, codeBytes: number, blocks: number): void;
  codeBytes: number;
  /** The first byte of the items' places and the cells, a multiple of 4. */
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
  const { codeBytes, start, itemsMax, bytesMax } = options;
  const places = createItemPlaces(memory, { start, itemsMax });
  const recordBytes = RECORD_HEADER_BYTES + codeBytes;
  const blockBytes = BLOCK_HEADER_BYTES + RECORDS_PER_BLOCK * codeBytes;
  /** By cell; cells are numbered from 1 on. */
  const cells: (Cell | undefined)[] = [];
  const byNumber: Cell[] = [];
  let keptEnd = places.end;
  let end = places.end;
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
    const isKept = endNow - places.end <= bytesMax;
    Object.assign(cell, { at: end, count, isKept, loadedFor: query });
    end = endNow;
    if (isKept) keptEnd = end;
    const view = new DataView(records.buffer, records.byteOffset);
    const items = new Uint32Array(count);
    for (let index = 0; index < count; index++) {
      items[index] = view.getUint32(index * recordBytes, true);
    }
    places.put(cell.number, items);
  };
  const create = (cell: number): Cell => {
    const number = byNumber.length + 1;
    const fresh: Cell = {
      cell,
      number,
      at: 0,
      count: 0,
      isKept: false,
      loadedFor: 0,
    };
    byNumber.push(fresh);
    cells[cell] = fresh;
    places.addCell(number);
    return fresh;
  };
  return {
    places,
    startQuery() {
      query++;
      end = keptEnd;
      places.clearScores(byNumber.length);
    },
    place(cell, read) {
      const known = cells[cell] ?? create(cell);
      if (!known.isKept && known.loadedFor !== query) load(known, read(cell));
      return known;
    },
    placeOf: (item) => byNumber[places.cellOf(item) - 1],
    blockOf: ({ at }, index) => at + Math.floor(index / RECORDS_PER_BLOCK) * blockBytes,
    setScores(place, from) {
      const { cell, number } = place as Cell;
      if (!places.setScores(number, from)) throw new Error(`the cell ${cell} was scanned already`);
    },
    end: () => end,
  };
}
