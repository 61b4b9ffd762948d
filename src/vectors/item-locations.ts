/**
 * Maps each item to its entry of an inverted list, and each list to the start of its scores. The
 * maps lie in the memory of a WebAssembly module, for `lookUp` in scan-list.wat. Lists are numbered
 * from 1 here. List 0 stands for unseen items and never has scores.
 */
import { ensureBytes, viewsOf, type WasmMemory } from './wasm.ts';

/** A location has the index of the entry in its lower bits and the number of the list above. */
const ENTRY_BITS = 12;
export const ENTRIES_MAX = 2 ** ENTRY_BITS;
/** The start of a list without scores: negative whatever index is added. */
const UNSCANNED = -ENTRIES_MAX;
const WORD_BYTES = 4;

export interface ItemLocations {
  /** The first byte of the items' locations. */
  readonly locationsAt: number;
  /** The first byte of the lists' score starts. */
  readonly startsAt: number;
  /** The first byte behind both. */
  readonly end: number;
  /** Makes room for a list. */
  addList(list: number): void;
  /** Clears the scores of the lists 0 to `lists`. */
  clearScores(lists: number): void;
  /** Notes where the scores of a list start. Returns false if the list has scores already. */
  setScores(list: number, from: number): boolean;
  /** Notes that these items are a list's entries, in their order. */
  put(list: number, items: Uint32Array): void;
  /** Returns the list of an item, 0 if the item has not been seen. */
  listOf(item: number): number;
  /** Returns the index of an item in its list. */
  indexOf(item: number): number;
}

/** `start` is the first free byte, a multiple of 4. Items are less than `itemsMax`. */
export function createItemLocations(
  memory: WasmMemory,
  { start: locationsAt, itemsMax }: { start: number; itemsMax: number },
): ItemLocations {
  const startsAt = locationsAt + itemsMax * WORD_BYTES;
  const end = startsAt + (itemsMax + 1) * WORD_BYTES;
  ensureBytes(memory, end);
  const viewsNow = viewsOf(memory, (buffer) => ({
    locations: new Uint32Array(buffer, locationsAt, itemsMax),
    starts: new Int32Array(buffer, startsAt, itemsMax + 1),
  }));
  viewsNow().starts[0] = UNSCANNED;
  return {
    locationsAt,
    startsAt,
    end,
    addList(list) {
      if (list > itemsMax)
        throw new Error(`there are more inverted lists than ${itemsMax} documents`);
      viewsNow().starts[list] = UNSCANNED;
    },
    clearScores: (lists) => viewsNow().starts.fill(UNSCANNED, 0, lists + 1),
    setScores(list, from) {
      const { starts } = viewsNow();
      if (starts[list] !== UNSCANNED) return false;
      starts[list] = from;
      return true;
    },
    put(list, items) {
      const { locations } = viewsNow();
      for (let index = 0; index < items.length; index++) {
        locations[items[index] as number] = list * ENTRIES_MAX + index;
      }
    },
    listOf: (item) => (viewsNow().locations[item] ?? 0) >>> ENTRY_BITS,
    indexOf: (item) => (viewsNow().locations[item] ?? 0) & (ENTRIES_MAX - 1),
  };
}
