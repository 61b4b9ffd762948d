import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type CellScanner,
  type CellsOfItems,
  createCellScanner,
} from '../../src/vectors/cell-scanner.ts';
import type { NearCell } from '../../src/vectors/centres.ts';
import { pack, packedBytes, unpack } from '../../src/vectors/codes.ts';
import { COMPILED_BASE64 } from '../../src/vectors/scan-module.ts';
import { ANY_DIMENSIONS, compileText, dot, unitVector, vectorSource } from '../support/vectors.ts';

const HEADER_BYTES = 8;
const NEVER = Number.POSITIVE_INFINITY;
const ALWAYS = Number.NEGATIVE_INFINITY;
/** Of the model's dimensions. */
const DIMENSIONS = 384;

interface Cell {
  records: Buffer;
  items: number[];
}

describe('the cell scanner', () => {
  it('runs the code that stands in scan-records.wat', async () => {
    expect(await compileText('scan-records.wat')).toBe(COMPILED_BASE64);
  });

  it('gives the scores of the plain loop, with whatever padding', () => {
    const anyCell = ANY_DIMENSIONS.chain((dimensions) =>
      fc.tuple(unitVector(dimensions), fc.array(unitVector(dimensions), { maxLength: 9 })),
    );
    const cosine = fc.double({ min: -1, max: 1, noNaN: true });
    fc.assert(
      fc.property(anyCell, cosine, ([query, vectors], base) => {
        const cell = cellOf(vectors);
        const scanner = scannerOf([cell], { ...sizes(query.length), bytesMax: 1e6 });
        scanner.take(query);
        const visited: [item: number, score: number][] = [];
        const count = scanner.scan({ cell: 0, cosine: base }, ALWAYS, (item, score) =>
          visited.push([item, score]),
        );
        expect(count).toBe(vectors.length);
        expect(visited.map(([item]) => item)).toEqual(cell.items);
        for (const [index, [item, score]] of visited.entries()) {
          expect(scoreOf(scanner, item)).toBe(score);
          const plain = base + plainScore(cell, index, query);
          expect(Math.abs(score - plain)).toBeLessThan(errorMax(cell, index, query));
        }
      }),
      { numRuns: 200 },
    );
  });

  it('visits what reaches the threshold, and knows the scores of the rest', () => {
    const draw = vectorSource(3, DIMENSIONS);
    const cell = cellOf(Array.from({ length: 50 }, draw));
    const scanner = scannerOf([cell], { ...sizes(DIMENSIONS), bytesMax: 1e6 });
    const query = draw();
    const scan = (threshold: number): number[] => {
      const visited: number[] = [];
      scanner.take(query);
      scanner.scan({ cell: 0, cosine: 0.5 }, threshold, (item) => visited.push(item));
      return visited;
    };
    expect(scan(NEVER)).toEqual([]);
    const scores = scoresOf(scanner, cell.items);
    expect(scan(ALWAYS)).toEqual(cell.items);
    expect(scoresOf(scanner, cell.items)).toEqual(scores);
    const threshold = scores[20] as number;
    const expected = cell.items.filter((_, index) => (scores[index] as number) >= threshold);
    expect(expected.length).toBeLessThan(50);
    expect(scan(threshold)).toEqual(expected);
  });

  it('knows no score of another query, nor of what it has not seen', () => {
    const draw = vectorSource(4, DIMENSIONS);
    const seen = cellOf([draw()], 7);
    const scanner = scannerOf([seen], { ...sizes(DIMENSIONS), bytesMax: 1e6 });
    const scan = () => scanner.scan({ cell: 0, cosine: 0 }, NEVER, () => {});
    scanner.take(draw());
    expect(scoreOf(scanner, 7)).toBeNaN();
    scan();
    expect(scoreOf(scanner, 7)).not.toBeNaN();
    expect(scoreOf(scanner, 8)).toBeNaN();
    expect(scoreOf(scanner, 1e9)).toBeNaN();
    scanner.take(draw());
    expect(scoreOf(scanner, 7)).toBeNaN();
  });

  it('fetches a cell once while there is room, and each time where there is none', () => {
    const draw = vectorSource(5, DIMENSIONS);
    const cells = [0, 20, 40].map((first) => cellOf(Array.from({ length: 16 }, draw), first));
    const bytesMax = 2 * (cells[0]?.records.length ?? 0);
    const fetched: number[] = [];
    const recordsOf = (cell: number): Buffer => {
      fetched.push(cell);
      return (cells[cell] as Cell).records;
    };
    const scanner = createCellScanner({ ...sizes(DIMENSIONS), bytesMax, recordsOf });
    for (let round = 0; round < 3; round++) {
      scanner.take(draw());
      for (const cell of cells.keys()) scanner.scan({ cell, cosine: 0 }, NEVER, () => {});
    }
    expect(fetched).toEqual([0, 1, 2, 2, 2]);
  });

  it('gives the same scores in whatever order cells of any sizes come, kept or not', () => {
    const draw = vectorSource(6, DIMENSIONS);
    let first = 0;
    // The largest needs more memory than there is at first, and more room for what is kept.
    const cells = [1, 40, 3, 2500, 7].map((size) => {
      const cell = cellOf(Array.from({ length: size }, draw), first);
      first += size;
      return cell;
    });
    const order = fc.array(fc.nat(cells.length - 1), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(order, fc.constantFrom(0, 5_000, 300_000, 1e7), (indexes, bytesMax) => {
        const scanner = scannerOf(cells, { dimensions: DIMENSIONS, itemsMax: first, bytesMax });
        for (const index of indexes) {
          const query = draw();
          scanner.take(query);
          const cell = cells[index] as Cell;
          const visited: number[] = [];
          scanner.scan({ cell: index, cosine: 0.25 }, ALWAYS, (item) => visited.push(item));
          expect(visited).toEqual(cell.items);
          for (const at of [0, cell.items.length - 1]) {
            const item = cell.items[at] as number;
            const error = scoreOf(scanner, item) - 0.25 - plainScore(cell, at, query);
            expect(Math.abs(error)).toBeLessThan(errorMax(cell, at, query) / 4);
          }
        }
      }),
      { numRuns: 25 },
    );
  });

  it('scores all alike with a query of zeros', () => {
    const cell = cellOf([vectorSource(8, 17)()]);
    const scanner = scannerOf([cell], { ...sizes(17), bytesMax: 1e6 });
    scanner.take(new Float32Array(17));
    scanner.scan({ cell: 0, cosine: 0 }, NEVER, () => {});
    expect(scoreOf(scanner, 0)).toBeCloseTo(0);
  });
});

describe('the cell scanner, of several cells for a query,', () => {
  /** Sizes below, at and above a block, and one that needs more memory than there is at first. */
  const SIZES = [1, 16, 0, 17, 40, 900, 3];
  const draw = vectorSource(11, DIMENSIONS);
  let itemsMax = 0;
  const cells = SIZES.map((size) => {
    const cell = cellOf(Array.from({ length: size }, draw), itemsMax);
    itemsMax += size;
    return cell;
  });
  const queries = Array.from({ length: 3 }, draw);
  const cosineOf = (index: number): number => index / 10 - 0.3;
  /** The scores of all items, each cell scanned by itself. */
  const expected = queries.map((query) =>
    cells.map((cell, index) => {
      const scanner = scannerOf(cells, { dimensions: DIMENSIONS, itemsMax, bytesMax: 0 });
      scanner.take(query);
      scanner.scan({ cell: index, cosine: cosineOf(index) }, NEVER, () => {});
      return scoresOf(scanner, cell.items);
    }),
  );
  const step = fc.record({
    index: fc.nat(SIZES.length - 1),
    isScan: fc.boolean(),
    at: fc.nat(1000),
  });
  const steps = fc.array(fc.array(step, { maxLength: 12 }), { minLength: 1, maxLength: 4 });

  it('scans some and looks up others, in any order, to the same scores', () => {
    fc.assert(
      fc.property(steps, fc.constantFrom(0, 5_000, 30_000, 1e7), (rounds, bytesMax) => {
        const scanner = scannerOf(cells, { dimensions: DIMENSIONS, itemsMax, bytesMax });
        const seen = new Set<number>();
        for (const [round, all] of rounds.entries()) {
          const scores = expected[round % queries.length] as number[][];
          const scanned = new Set<number>();
          scanner.take(queries[round % queries.length] as Float32Array);
          for (const { index, isScan, at } of all) {
            const cell = cells[index] as Cell;
            const looked = { cell: index, cosine: cosineOf(index) };
            seen.add(index);
            if (isScan && !scanned.has(index)) {
              scanned.add(index);
              scanner.scan(looked, NEVER, () => {});
            } else if (cell.items.length > 0) {
              const position = at % cell.items.length;
              const item = cell.items[position] as number;
              expect(scoreIn(scanner, looked, item)).toBe(scores[index]?.[position]);
            }
          }
          for (const [index, { items }] of cells.entries()) {
            const known = scoresOf(scanner, items);
            expect(known).toEqual(scanned.has(index) ? scores[index] : items.map(() => Number.NaN));
            const cell = seen.has(index) ? index : undefined;
            expect(new Set(items.map(scanner.cellOf))).toEqual(
              new Set(items.length > 0 ? [cell] : []),
            );
          }
        }
      }),
      { numRuns: 60 },
    );
  });

  it('gives no score of an item in a cell that does not have it', () => {
    const scanner = scannerOf(cells, { dimensions: DIMENSIONS, itemsMax, bytesMax: 1e7 });
    scanner.take(queries[0] as Float32Array);
    const first = cells[0] as Cell;
    scanner.scan({ cell: 0, cosine: cosineOf(0) }, NEVER, () => {});
    // The memory grows for a cell that then has nothing to look at.
    expect(scoreIn(scanner, { cell: 5, cosine: 0 }, 0)).toBeNaN();
    expect(scoreIn(scanner, { cell: 5, cosine: 0 }, 1e9)).toBeNaN();
    expect(scoresOf(scanner, first.items)).toEqual(expected[0]?.[0]);
  });

  it('keeps a cell that there is no room for until the next query', () => {
    const cell = cells[4] as Cell;
    let fetched = 0;
    const recordsOf = (): Buffer => {
      fetched++;
      return cell.records;
    };
    const sizesNow = { dimensions: DIMENSIONS, itemsMax, bytesMax: 0 };
    const scanner = createCellScanner({ ...sizesNow, recordsOf });
    const looked = { cell: 4, cosine: 0 };
    for (const [round, query] of queries.entries()) {
      scanner.take(query);
      scanner.scan(looked, NEVER, () => {});
      expect([...scanner.scoresIn(cell.items, allIn(looked))]).not.toContain(Number.NaN);
      expect(fetched).toBe(round + 1);
    }
  });

  it('refuses to scan a cell twice for a query', () => {
    const scanner = scannerOf(cells, { dimensions: DIMENSIONS, itemsMax, bytesMax: 1e7 });
    const scan = () => scanner.scan({ cell: 3, cosine: 0 }, NEVER, () => {});
    scanner.take(queries[0] as Float32Array);
    expect(scan()).toBe(17);
    expect(scan).toThrow('the cell 3 was scanned already');
    scanner.take(queries[0] as Float32Array);
    expect(scan()).toBe(17);
  });

  it('refuses a cell of more items than can be told apart', () => {
    const vectors = Array.from({ length: 4097 }, () => Float32Array.of(1));
    const scanner = createCellScanner({
      dimensions: 1,
      itemsMax: 4097,
      bytesMax: 1e7,
      recordsOf: (count) => cellOf(vectors.slice(0, count)).records,
    });
    scanner.take(Float32Array.of(1));
    const scan = (cell: number) => scanner.scan({ cell, cosine: 0 }, NEVER, () => {});
    expect(scan(4096)).toBe(4096);
    expect(() => scan(4097)).toThrow('the cell 4097 has 4097 documents');
  });
});

/** A scanner of these cells, which are numbered from 0 on. */
function scannerOf(
  cells: readonly Cell[],
  options: { dimensions: number; itemsMax: number; bytesMax: number },
): CellScanner {
  return createCellScanner({ ...options, recordsOf: (cell) => (cells[cell] as Cell).records });
}

/** All items in one cell. */
function allIn({ cell, cosine }: NearCell): CellsOfItems {
  return { cellOf: () => cell, cosineOf: () => cosine };
}

function sizes(dimensions: number) {
  return { dimensions, itemsMax: 100 };
}

/** A cell of these vectors, whose items count from `first`. */
function cellOf(vectors: readonly Float32Array[], first = 0): Cell {
  const records = vectors.map((vector, index) => {
    const record = Buffer.alloc(HEADER_BYTES + packedBytes(vector.length, 2));
    record.writeUInt32LE(first + index, 0);
    record.writeFloatLE(pack(vector, 2, record, HEADER_BYTES), 4);
    return record;
  });
  return { records: Buffer.concat(records), items: vectors.map((_, index) => first + index) };
}

/** The product of the query with a record, by the plain loop. */
function plainScore({ records }: Cell, index: number, query: Float32Array): number {
  const bytes = HEADER_BYTES + packedBytes(query.length, 2);
  const factor = records.readFloatLE(index * bytes + 4);
  const shape = { bits: 2 as const, factor, dimensions: query.length };
  return dot(unpack(records, index * bytes + HEADER_BYTES, shape), query);
}

/**
 * How far a score may be off: by half a step of 7 bits for each two components, were all of them
 * rounded the same way.
 */
function errorMax({ records }: Cell, index: number, query: Float32Array): number {
  const bytes = packedBytes(query.length, 2);
  const factor = records.readFloatLE(index * (HEADER_BYTES + bytes) + 4);
  const largest = Math.max(...query.map(Math.abs));
  return 1e-6 + (Math.abs(factor) * 2 * bytes * (6 * largest)) / 127 / 2;
}

/** The scores of items; NaN where they were not scanned. */
function scoresOf(scanner: CellScanner, items: readonly number[]): number[] {
  const { scores, unknown } = scanner.scoresOf(items, Number.NaN);
  const isUnknown = (_: number, at: number): boolean => Number.isNaN(scores[at]);
  expect([...unknown]).toEqual([...items.keys()].filter(isUnknown));
  return [...scores];
}

function scoreOf(scanner: CellScanner, item: number): number {
  return scoresOf(scanner, [item])[0] as number;
}

/** The score of an item of a cell, scanned or not. */
function scoreIn(scanner: CellScanner, cell: NearCell, item: number): number {
  return scanner.scoresIn([item], allIn(cell))[0] as number;
}
