/**
 * Inverted lists in the memory of a WebAssembly module, interleaved in blocks for the scan. It
 * keeps as many lists as fit. Lists that do not fit stay until the next query.
 */
import { createItemLocations, ENTRIES_MAX, type ItemLocations } from './item-locations.ts';
import { ensureBytes, type WasmMemory } from './wasm.ts';

const ENTRY_HEADER_BYTES = 8;
/** Entries that the scan scores together: see scan-list.wat. */
export const ENTRIES_PER_BLOCK = 16;
/** Items and factors, in front of a block's codes. */
const BLOCK_HEADER_BYTES = 128;

/** An inverted list in memory. */
export interface LoadedList {
  readonly list: number;
  /** The first byte of its first block. */
  readonly at: number;
  readonly count: number;
}

export interface ListMemory {
  /** Drops the scores and the lists that did not fit. */
  startQuery(): void;
  /** Returns a list that stays in memory until the next query; `read` returns its entries. */
  load(list: number, read: (list: number) => Uint8Array): LoadedList;
  /** Returns the list of an item, undefined if that list has never been in memory. */
  loadedListOf(item: number): LoadedList | undefined;
  /** Returns the first byte of the block of an entry. */
  blockOf(loaded: LoadedList, index: number): number;
  /** Notes that the scores of a list's entries start at index `from`, for this query. */
  setScores(loaded: LoadedList, from: number): void;
  /** The locations of items and of their scores. */
  readonly locations: Pick<ItemLocations, 'locationsAt' | 'startsAt' | 'indexOf'>;
  /** Returns the first byte behind the lists. */
  end(): number;
}

export interface ListMemoryOptions {
  memory: WasmMemory;
  /** Groups entries into blocks; an export of scan-list.wat. */
  interleave(entries: number, count: number, codeBytes: number, blocks: number): void;
  codeBytes: number;
  /** The first byte for locations and lists, a multiple of 4. */
  start: number;
  /** Items are less than this. Every list has at least one. */
  itemsMax: number;
  /** Bytes of lists to keep. */
  bytesMax: number;
}

interface List extends LoadedList {
  at: number;
  count: number;
  /** Lists are numbered from 1 in the order of their first load. */
  readonly number: number;
  isKept: boolean;
  /** The query for which it was loaded. */
  loadedFor: number;
}

export function createListMemory({
  memory,
  interleave,
  ...options
}: ListMemoryOptions): ListMemory {
  const { codeBytes, start, itemsMax, bytesMax } = options;
  const locations = createItemLocations(memory, { start, itemsMax });
  const entryBytes = ENTRY_HEADER_BYTES + codeBytes;
  const blockBytes = BLOCK_HEADER_BYTES + ENTRIES_PER_BLOCK * codeBytes;
  const lists: (List | undefined)[] = [];
  const byNumber: List[] = [];
  let keptEnd = locations.end;
  let end = locations.end;
  let query = 0;

  const copyIn = (list: List, entries: Uint8Array): void => {
    const count = Math.floor(entries.length / entryBytes);
    if (count > ENTRIES_MAX) throw new Error(`inverted list ${list.list} has ${count} entries`);
    const endNow = end + Math.ceil(count / ENTRIES_PER_BLOCK) * blockBytes;
    // The entries as stored go behind the blocks, from where they are interleaved.
    ensureBytes(memory, endNow + entries.length);
    new Uint8Array(memory.buffer).set(entries, endNow);
    interleave(endNow, count, codeBytes, end);
    // Lists that do not fit lie behind those that do. Once one does not fit, no later one does.
    const isKept = endNow - locations.end <= bytesMax;
    Object.assign(list, { at: end, count, isKept, loadedFor: query });
    end = endNow;
    if (isKept) keptEnd = end;
    const view = new DataView(entries.buffer, entries.byteOffset);
    const items = new Uint32Array(count);
    for (let index = 0; index < count; index++) {
      items[index] = view.getUint32(index * entryBytes, true);
    }
    locations.put(list.number, items);
  };
  const create = (list: number): List => {
    const number = byNumber.length + 1;
    const fresh: List = { list, number, at: 0, count: 0, isKept: false, loadedFor: 0 };
    byNumber.push(fresh);
    lists[list] = fresh;
    locations.addList(number);
    return fresh;
  };
  return {
    locations,
    startQuery() {
      query++;
      end = keptEnd;
      locations.clearScores(byNumber.length);
    },
    load(list, read) {
      const known = lists[list] ?? create(list);
      if (!known.isKept && known.loadedFor !== query) copyIn(known, read(list));
      return known;
    },
    loadedListOf: (item) => byNumber[locations.listOf(item) - 1],
    blockOf: ({ at }, index) => at + Math.floor(index / ENTRIES_PER_BLOCK) * blockBytes,
    setScores(loaded, from) {
      const { list, number } = loaded as List;
      if (locations.setScores(number, from)) return;
      throw new Error(`inverted list ${list} was already scanned for this query`);
    },
    end: () => end,
  };
}
