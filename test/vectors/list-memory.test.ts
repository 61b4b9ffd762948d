import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  createListMemory,
  ENTRIES_PER_BLOCK,
  type ListMemory,
} from '../../src/vectors/list-memory.ts';
import { COMPILED_BASE64 } from '../../src/vectors/scan-module.ts';
import { instantiate, type WasmMemory } from '../../src/vectors/wasm.ts';

const CODE_BYTES = 16;
const ENTRY_BYTES = 8 + CODE_BYTES;
const BLOCK_BYTES = ENTRIES_PER_BLOCK * ENTRY_BYTES;
const START = 1000;
const LISTS = [1, ENTRIES_PER_BLOCK, ENTRIES_PER_BLOCK + 1, 0, 200];
const ITEMS_MAX = 300;
/** Lists begin behind the locations of the items and the starts of the scores. */
const LISTS_START = START + 4 * (2 * ITEMS_MAX + 1);

interface InterleavingModule {
  memory: WasmMemory;
  interleave(entries: number, count: number, codeBytes: number, blocks: number): void;
}

/** The entries of a list, of which only the items matter. */
function entriesOf(list: number): Buffer {
  const entries = Buffer.alloc((LISTS[list] as number) * ENTRY_BYTES);
  itemsOf(list).forEach((item, index) => {
    entries.writeUInt32LE(item, index * ENTRY_BYTES);
  });
  return entries;
}

function itemsOf(list: number): number[] {
  const first = LISTS.slice(0, list).reduce((sum, size) => sum + size, 0);
  return Array.from({ length: LISTS[list] as number }, (_, index) => first + index);
}

function bytesOf(list: number): number {
  return Math.ceil((LISTS[list] as number) / ENTRIES_PER_BLOCK) * BLOCK_BYTES;
}

/** The index of an item's score, as `lookUp` computes it. */
function scoreNumberOf(item: number, lists: ListMemory, { buffer }: WasmMemory): number {
  const view = new DataView(buffer);
  const location = view.getUint32(lists.locations.locationsAt + 4 * item, true);
  return view.getInt32(lists.locations.startsAt + 4 * (location >>> 12), true) + (location & 4095);
}

describe('createListMemory', () => {
  const queries = fc.array(fc.array(fc.nat(LISTS.length - 1), { maxLength: 8 }), { maxLength: 6 });
  const bytes = fc.constantFrom(0, BLOCK_BYTES, 3 * BLOCK_BYTES, 1e6);

  it('keeps the lists that fit, and all lists of a query until the next query', () => {
    fc.assert(
      fc.property(queries, bytes, (all, bytesMax) => {
        const { memory, interleave } = instantiate(COMPILED_BASE64) as InterleavingModule;
        const lists = createListMemory({
          memory,
          interleave,
          codeBytes: CODE_BYTES,
          start: START,
          itemsMax: ITEMS_MAX,
          bytesMax,
        });
        const kept = new Set<number>();
        let keptBytes = 0;
        for (const query of all) {
          lists.startQuery();
          expect(lists.end()).toBe(LISTS_START + keptBytes);
          let end = keptBytes;
          const inMemory = new Set(kept);
          for (const list of query) {
            let reads = 0;
            const loaded = lists.load(list, () => {
              reads++;
              return entriesOf(list);
            });
            expect(reads).toBe(inMemory.has(list) ? 0 : 1);
            if (!inMemory.has(list)) {
              inMemory.add(list);
              end += bytesOf(list);
              if (end <= bytesMax) {
                kept.add(list);
                keptBytes = end;
              }
            }
            expect(loaded).toMatchObject({ list, count: LISTS[list] });
            for (const item of itemsOf(list)) {
              expect(scoreNumberOf(item, lists, memory)).toBeLessThan(0);
            }
            expect(lists.end()).toBe(LISTS_START + end);
          }
          let scored = 0;
          for (const list of inMemory) {
            const [first] = itemsOf(list);
            const loaded = first === undefined ? undefined : lists.loadedListOf(first);
            if (loaded === undefined) continue;
            lists.setScores(loaded, scored);
            expect(itemsOf(list).map((item) => scoreNumberOf(item, lists, memory))).toEqual(
              itemsOf(list).map((_, index) => scored + index),
            );
            expect(() => lists.setScores(loaded, 0)).toThrow(`${list} was already scanned`);
            scored += loaded.count;
          }
          // The lists that were loaded first are still in place, each item in its block.
          const view = new DataView(memory.buffer);
          for (const list of inMemory) {
            for (const [index, item] of itemsOf(list).entries()) {
              const loaded = lists.loadedListOf(item);
              expect([loaded?.list, lists.locations.indexOf(item)]).toEqual([list, index]);
              const block = lists.blockOf(loaded as NonNullable<typeof loaded>, index);
              expect(view.getUint32(block + 4 * (index % ENTRIES_PER_BLOCK), true)).toBe(item);
            }
          }
        }
      }),
      { numRuns: 60 },
    );
  });

  it('refuses more lists than there are items', () => {
    const { memory, interleave } = instantiate(COMPILED_BASE64) as InterleavingModule;
    const lists = createListMemory({
      memory,
      interleave,
      codeBytes: CODE_BYTES,
      start: START,
      itemsMax: 1,
      bytesMax: 1e6,
    });
    lists.startQuery();
    lists.load(1, () => Buffer.alloc(ENTRY_BYTES));
    expect(() => lists.load(2, () => Buffer.alloc(0))).toThrow(
      'more inverted lists than 1 documents',
    );
  });
});
