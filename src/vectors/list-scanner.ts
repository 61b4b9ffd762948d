/**
 * Scores the entries of inverted lists with WebAssembly's vector instructions. The entries stay in
 * the module's memory, so a list that is scanned again need not be copied again.
 */
import type { Embedding } from '../types.ts';
import type { ProbedList } from './centroids.ts';
import { ENTRIES_PER_BLOCK } from './list-memory.ts';
import {
  type LookedUpScores,
  lookUpScores,
  openScanModule,
  type ScanModuleOptions,
  scanList,
  scoreEntries,
  setQuery,
} from './scan-module.ts';

export interface ListScannerOptions extends ScanModuleOptions {
  /** Returns the entries of a list. Called if they are not in memory. */
  entriesOf: (list: number) => Uint8Array;
}

/** Finds the lists of items, whether or not they were scanned. */
export interface ListsOfItems {
  listOf(item: number): number;
  /** Returns the cosine of a list's centroid with the query. */
  cosineOf(list: number): number;
}

export interface ListScanner {
  /** Sets the query of the following scans. */
  startQuery(query: Embedding): void;
  /**
   * Calls `visit` with the items whose score reaches the threshold. Returns the number of items in
   * the list. A list can be scanned once per query, because the scores of its last, partly filled
   * block are overwritten by the next list's.
   */
  scan(list: ProbedList, threshold: number, visit: (item: number, score: number) => void): number;
  /** Returns the scores of items in lists that this query scanned, `otherwise` for all others. */
  scoresOf(items: ArrayLike<number>, otherwise: number): LookedUpScores;
  /**
   * Returns the scores of items whether or not their lists were scanned. A score is NaN if the list
   * that `lists` names does not have the item.
   */
  scoresIn(items: readonly number[], lists: ListsOfItems): Float32Array;
  /** Returns the list of an item, undefined if that list has never been loaded. */
  listOf(item: number): number | undefined;
}

/** Creates a scanner of inverted lists that do not change. */
export function createListScanner({ entriesOf, ...options }: ListScannerOptions): ListScanner {
  const module = openScanModule(options);
  const { lists } = module;
  let scored = 0;
  return {
    startQuery(vector) {
      setQuery(module, vector);
      scored = 0;
      lists.startQuery();
    },
    scan({ list, cosine }, threshold, visit) {
      const loaded = lists.load(list, entriesOf);
      lists.setScores(loaded, scored);
      scanList(module, loaded, { cosine, threshold, to: scored }, visit);
      scored += loaded.count;
      return loaded.count;
    },
    scoresOf: (items, otherwise) => lookUpScores(module, items, otherwise),
    scoresIn(items, { listOf, cosineOf }) {
      const blocks = new Uint32Array(items.length);
      const lanes = new Uint32Array(items.length);
      const cosines = new Float32Array(items.length).fill(Number.NaN);
      for (let i = 0; i < items.length; i++) {
        const item = items[i] as number;
        const list = listOf(item);
        const loaded = lists.load(list, entriesOf);
        if (lists.loadedListOf(item) !== loaded) continue;
        const index = lists.locations.indexOf(item);
        blocks[i] = lists.blockOf(loaded, index);
        lanes[i] = index % ENTRIES_PER_BLOCK;
        cosines[i] = cosineOf(list);
      }
      return scoreEntries(module, { blocks, lanes, cosines });
    },
    listOf: (item) => lists.loadedListOf(item)?.list,
  };
}
