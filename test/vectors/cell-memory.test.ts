import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type CellMemory, createCellMemory } from '../../src/vectors/cell-memory.ts';
import { COMPILED_BASE64 } from '../../src/vectors/scan-module.ts';
import { instantiate, type WasmMemory } from '../../src/vectors/wasm.ts';

const CODE_BYTES = 16;
const RECORD_BYTES = 8 + CODE_BYTES;
const BLOCK_BYTES = 128 + 16 * CODE_BYTES;
const START = 1000;
const CELLS = [1, 16, 17, 0, 200];
const ITEMS_MAX = 300;
/** Behind the places of the items and the starts of the scores. */
const CELLS_START = START + 4 * (2 * ITEMS_MAX + 1);

interface Arranging {
  memory: WasmMemory;
  arrange(records: number, count: number, codeBytes: number, blocks: number): void;
}

/** The records of a cell, of which only the items matter. */
function recordsOf(cell: number): Buffer {
  const records = Buffer.alloc((CELLS[cell] as number) * RECORD_BYTES);
  itemsOf(cell).forEach((item, index) => {
    records.writeUInt32LE(item, index * RECORD_BYTES);
  });
  return records;
}

function itemsOf(cell: number): number[] {
  const first = CELLS.slice(0, cell).reduce((sum, size) => sum + size, 0);
  return Array.from({ length: CELLS[cell] as number }, (_, index) => first + index);
}

function bytesOf(cell: number): number {
  return Math.ceil((CELLS[cell] as number) / 16) * BLOCK_BYTES;
}

/** The number of an item's score, as `lookUp` finds it. */
function scoreNumberOf(item: number, cells: CellMemory, { buffer }: WasmMemory): number {
  const view = new DataView(buffer);
  const place = view.getUint32(cells.places.placesAt + 4 * item, true);
  return view.getInt32(cells.places.startsAt + 4 * (place >>> 12), true) + (place & 4095);
}

describe('the memory of cells', () => {
  const queries = fc.array(fc.array(fc.nat(CELLS.length - 1), { maxLength: 8 }), { maxLength: 6 });
  const bytes = fc.constantFrom(0, BLOCK_BYTES, 3 * BLOCK_BYTES, 1e6);

  it('keeps what there is room for, and all of a query until the next one', () => {
    fc.assert(
      fc.property(queries, bytes, (all, bytesMax) => {
        const { memory, arrange } = instantiate(COMPILED_BASE64) as Arranging;
        const cells = createCellMemory({
          memory,
          arrange,
          codeBytes: CODE_BYTES,
          start: START,
          itemsMax: ITEMS_MAX,
          bytesMax,
        });
        const kept = new Set<number>();
        let keptBytes = 0;
        for (const query of all) {
          cells.startQuery();
          expect(cells.end()).toBe(CELLS_START + keptBytes);
          let end = keptBytes;
          const loaded = new Set(kept);
          for (const cell of query) {
            let reads = 0;
            const place = cells.place(cell, () => {
              reads++;
              return recordsOf(cell);
            });
            expect(reads).toBe(loaded.has(cell) ? 0 : 1);
            if (!loaded.has(cell)) {
              loaded.add(cell);
              end += bytesOf(cell);
              if (end <= bytesMax) {
                kept.add(cell);
                keptBytes = end;
              }
            }
            expect(place).toMatchObject({ cell, count: CELLS[cell] });
            for (const item of itemsOf(cell)) {
              expect(scoreNumberOf(item, cells, memory)).toBeLessThan(0);
            }
            expect(cells.end()).toBe(CELLS_START + end);
          }
          let scored = 0;
          for (const cell of loaded) {
            const [first] = itemsOf(cell);
            const place = first === undefined ? undefined : cells.placeOf(first);
            if (place === undefined) continue;
            cells.setScores(place, scored);
            expect(itemsOf(cell).map((item) => scoreNumberOf(item, cells, memory))).toEqual(
              itemsOf(cell).map((_, index) => scored + index),
            );
            expect(() => cells.setScores(place, 0)).toThrow(`${cell} was scanned already`);
            scored += place.count;
          }
          // Those that came first are still where they were put, each item in its block.
          const view = new DataView(memory.buffer);
          for (const cell of loaded) {
            for (const [index, item] of itemsOf(cell).entries()) {
              const place = cells.placeOf(item);
              expect([place?.cell, cells.places.indexOf(item)]).toEqual([cell, index]);
              const block = cells.blockOf(place as NonNullable<typeof place>, index);
              expect(view.getUint32(block + 4 * (index % 16), true)).toBe(item);
            }
          }
        }
      }),
      { numRuns: 60 },
    );
  });

  it('refuses more cells than there are items', () => {
    const { memory, arrange } = instantiate(COMPILED_BASE64) as Arranging;
    const cells = createCellMemory({
      memory,
      arrange,
      codeBytes: CODE_BYTES,
      start: START,
      itemsMax: 1,
      bytesMax: 1e6,
    });
    cells.startQuery();
    cells.place(1, () => Buffer.alloc(RECORD_BYTES));
    expect(() => cells.place(2, () => Buffer.alloc(0))).toThrow('more cells than 1 documents');
  });
});
