import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ProbedList } from '../../src/vectors/centroids.ts';
import {
  createListScanner,
  type ListScanner,
  type ListsOfItems,
} from '../../src/vectors/list-scanner.ts';
import { dequantize, quantize, quantizedBytes } from '../../src/vectors/quantization.ts';
import { COMPILED_BASE64 } from '../../src/vectors/scan-module.ts';
import { ANY_DIMENSIONS, compileText, dot, unitVector, vectorSource } from '../support/vectors.ts';

const HEADER_BYTES = 8;
const NEVER = Number.POSITIVE_INFINITY;
const ALWAYS = Number.NEGATIVE_INFINITY;
/** Those of the bundled model. */
const DIMENSIONS = 384;

interface List {
  entries: Buffer;
  items: number[];
}

describe('createListScanner', () => {
  it('runs the module that scan-list.wat compiles to', async () => {
    expect(await compileText('scan-list.wat')).toBe(COMPILED_BASE64);
  });

  it('computes the scores of a plain loop with any padding', () => {
    const anyList = ANY_DIMENSIONS.chain((dimensions) =>
      fc.tuple(unitVector(dimensions), fc.array(unitVector(dimensions), { maxLength: 9 })),
    );
    const cosine = fc.double({ min: -1, max: 1, noNaN: true });
    fc.assert(
      fc.property(anyList, cosine, ([query, vectors], base) => {
        const list = listOf(vectors);
        const scanner = scannerOf([list], { ...sizes(query.length), bytesMax: 1e6 });
        scanner.startQuery(query);
        const visited: [item: number, score: number][] = [];
        const count = scanner.scan({ list: 0, cosine: base }, ALWAYS, (item, score) =>
          visited.push([item, score]),
        );
        expect(count).toBe(vectors.length);
        expect(visited.map(([item]) => item)).toEqual(list.items);
        for (const [index, [item, score]] of visited.entries()) {
          expect(scoreOf(scanner, item)).toBe(score);
          const plain = base + plainScore(list, index, query);
          expect(Math.abs(score - plain)).toBeLessThan(errorMax(list, index, query));
        }
      }),
      { numRuns: 200 },
    );
  });

  it('visits the items that reach the threshold and knows the scores of the others', () => {
    const draw = vectorSource(3, DIMENSIONS);
    const list = listOf(Array.from({ length: 50 }, draw));
    const scanner = scannerOf([list], { ...sizes(DIMENSIONS), bytesMax: 1e6 });
    const query = draw();
    const scan = (threshold: number): number[] => {
      const visited: number[] = [];
      scanner.startQuery(query);
      scanner.scan({ list: 0, cosine: 0.5 }, threshold, (item) => visited.push(item));
      return visited;
    };
    expect(scan(NEVER)).toEqual([]);
    const scores = scoresOf(scanner, list.items);
    expect(scan(ALWAYS)).toEqual(list.items);
    expect(scoresOf(scanner, list.items)).toEqual(scores);
    const threshold = scores[20] as number;
    const expected = list.items.filter((_, index) => (scores[index] as number) >= threshold);
    expect(expected.length).toBeLessThan(50);
    expect(scan(threshold)).toEqual(expected);
  });

  it('has no score for an item of an earlier query or of an unseen list', () => {
    const draw = vectorSource(4, DIMENSIONS);
    const seen = listOf([draw()], 7);
    const scanner = scannerOf([seen], { ...sizes(DIMENSIONS), bytesMax: 1e6 });
    const scan = () => scanner.scan({ list: 0, cosine: 0 }, NEVER, () => {});
    scanner.startQuery(draw());
    expect(scoreOf(scanner, 7)).toBeNaN();
    scan();
    expect(scoreOf(scanner, 7)).not.toBeNaN();
    expect(scoreOf(scanner, 8)).toBeNaN();
    expect(scoreOf(scanner, 1e9)).toBeNaN();
    scanner.startQuery(draw());
    expect(scoreOf(scanner, 7)).toBeNaN();
  });

  it('fetches a list once if it fits, and for each query if it does not', () => {
    const draw = vectorSource(5, DIMENSIONS);
    const lists = [0, 20, 40].map((first) => listOf(Array.from({ length: 16 }, draw), first));
    const bytesMax = 2 * (lists[0]?.entries.length ?? 0);
    const fetched: number[] = [];
    const entriesOf = (list: number): Buffer => {
      fetched.push(list);
      return (lists[list] as List).entries;
    };
    const scanner = createListScanner({ ...sizes(DIMENSIONS), bytesMax, entriesOf });
    for (let round = 0; round < 3; round++) {
      scanner.startQuery(draw());
      for (const list of lists.keys()) scanner.scan({ list, cosine: 0 }, NEVER, () => {});
    }
    expect(fetched).toEqual([0, 1, 2, 2, 2]);
  });

  it('computes the same scores in whatever order lists of any sizes come, kept or not', () => {
    const draw = vectorSource(6, DIMENSIONS);
    let first = 0;
    // The largest list exceeds the module's initial memory and the room for kept lists.
    const lists = [1, 40, 3, 2500, 7].map((size) => {
      const list = listOf(Array.from({ length: size }, draw), first);
      first += size;
      return list;
    });
    const order = fc.array(fc.nat(lists.length - 1), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(order, fc.constantFrom(0, 5_000, 300_000, 1e7), (indexes, bytesMax) => {
        const scanner = scannerOf(lists, { dimensions: DIMENSIONS, itemsMax: first, bytesMax });
        for (const index of indexes) {
          const query = draw();
          scanner.startQuery(query);
          const list = lists[index] as List;
          const visited: number[] = [];
          scanner.scan({ list: index, cosine: 0.25 }, ALWAYS, (item) => visited.push(item));
          expect(visited).toEqual(list.items);
          for (const at of [0, list.items.length - 1]) {
            const item = list.items[at] as number;
            const error = scoreOf(scanner, item) - 0.25 - plainScore(list, at, query);
            expect(Math.abs(error)).toBeLessThan(errorMax(list, at, query) / 4);
          }
        }
      }),
      { numRuns: 25 },
    );
  });

  it('scores all items equally with a zero query', () => {
    const list = listOf([vectorSource(8, 17)()]);
    const scanner = scannerOf([list], { ...sizes(17), bytesMax: 1e6 });
    scanner.startQuery(new Float32Array(17));
    scanner.scan({ list: 0, cosine: 0 }, NEVER, () => {});
    expect(scoreOf(scanner, 0)).toBeCloseTo(0);
  });
});

describe('createListScanner with several lists per query', () => {
  /** Sizes below, at and above a block, and one that exceeds the module's initial memory. */
  const SIZES = [1, 16, 0, 17, 40, 900, 3];
  const draw = vectorSource(11, DIMENSIONS);
  let itemsMax = 0;
  const lists = SIZES.map((size) => {
    const list = listOf(Array.from({ length: size }, draw), itemsMax);
    itemsMax += size;
    return list;
  });
  const queries = Array.from({ length: 3 }, draw);
  const cosineOf = (index: number): number => index / 10 - 0.3;
  /** The scores of all items, each list scanned by itself. */
  const expected = queries.map((query) =>
    lists.map((list, index) => {
      const scanner = scannerOf(lists, { dimensions: DIMENSIONS, itemsMax, bytesMax: 0 });
      scanner.startQuery(query);
      scanner.scan({ list: index, cosine: cosineOf(index) }, NEVER, () => {});
      return scoresOf(scanner, list.items);
    }),
  );
  const step = fc.record({
    index: fc.nat(SIZES.length - 1),
    isScan: fc.boolean(),
    at: fc.nat(1000),
  });
  const steps = fc.array(fc.array(step, { maxLength: 12 }), { minLength: 1, maxLength: 4 });

  it('computes the same scores by scanning and by scoring single entries, in any order', () => {
    fc.assert(
      fc.property(steps, fc.constantFrom(0, 5_000, 30_000, 1e7), (rounds, bytesMax) => {
        const scanner = scannerOf(lists, { dimensions: DIMENSIONS, itemsMax, bytesMax });
        const seen = new Set<number>();
        for (const [round, all] of rounds.entries()) {
          const scores = expected[round % queries.length] as number[][];
          const scanned = new Set<number>();
          scanner.startQuery(queries[round % queries.length] as Float32Array);
          for (const { index, isScan, at } of all) {
            const list = lists[index] as List;
            const looked = { list: index, cosine: cosineOf(index) };
            seen.add(index);
            if (isScan && !scanned.has(index)) {
              scanned.add(index);
              scanner.scan(looked, NEVER, () => {});
            } else if (list.items.length > 0) {
              const position = at % list.items.length;
              const item = list.items[position] as number;
              expect(scoreIn(scanner, looked, item)).toBe(scores[index]?.[position]);
            }
          }
          for (const [index, { items }] of lists.entries()) {
            const known = scoresOf(scanner, items);
            expect(known).toEqual(scanned.has(index) ? scores[index] : items.map(() => Number.NaN));
            const list = seen.has(index) ? index : undefined;
            expect(new Set(items.map(scanner.listOf))).toEqual(
              new Set(items.length > 0 ? [list] : []),
            );
          }
        }
      }),
      { numRuns: 60 },
    );
  });

  it('returns NaN for an item in a list that does not have it', () => {
    const scanner = scannerOf(lists, { dimensions: DIMENSIONS, itemsMax, bytesMax: 1e7 });
    scanner.startQuery(queries[0] as Float32Array);
    const first = lists[0] as List;
    scanner.scan({ list: 0, cosine: cosineOf(0) }, NEVER, () => {});
    // The memory grows for a list that then has no entry to score.
    expect(scoreIn(scanner, { list: 5, cosine: 0 }, 0)).toBeNaN();
    expect(scoreIn(scanner, { list: 5, cosine: 0 }, 1e9)).toBeNaN();
    expect(scoresOf(scanner, first.items)).toEqual(expected[0]?.[0]);
  });

  it('keeps a list that does not fit until the next query', () => {
    const list = lists[4] as List;
    let fetched = 0;
    const entriesOf = (): Buffer => {
      fetched++;
      return list.entries;
    };
    const sizesNow = { dimensions: DIMENSIONS, itemsMax, bytesMax: 0 };
    const scanner = createListScanner({ ...sizesNow, entriesOf });
    const looked = { list: 4, cosine: 0 };
    for (const [round, query] of queries.entries()) {
      scanner.startQuery(query);
      scanner.scan(looked, NEVER, () => {});
      expect([...scanner.scoresIn(list.items, allIn(looked))]).not.toContain(Number.NaN);
      expect(fetched).toBe(round + 1);
    }
  });

  it('refuses to scan a list twice for a query', () => {
    const scanner = scannerOf(lists, { dimensions: DIMENSIONS, itemsMax, bytesMax: 1e7 });
    const scan = () => scanner.scan({ list: 3, cosine: 0 }, NEVER, () => {});
    scanner.startQuery(queries[0] as Float32Array);
    expect(scan()).toBe(17);
    expect(scan).toThrow('inverted list 3 was already scanned');
    scanner.startQuery(queries[0] as Float32Array);
    expect(scan()).toBe(17);
  });

  it('refuses a list of more entries than a location can address', () => {
    const vectors = Array.from({ length: 4097 }, () => Float32Array.of(1));
    const scanner = createListScanner({
      dimensions: 1,
      itemsMax: 4097,
      bytesMax: 1e7,
      entriesOf: (count) => listOf(vectors.slice(0, count)).entries,
    });
    scanner.startQuery(Float32Array.of(1));
    const scan = (list: number) => scanner.scan({ list, cosine: 0 }, NEVER, () => {});
    expect(scan(4096)).toBe(4096);
    expect(() => scan(4097)).toThrow('inverted list 4097 has 4097 entries');
  });
});

/** A scanner of these lists, numbered from 0. */
function scannerOf(
  lists: readonly List[],
  options: { dimensions: number; itemsMax: number; bytesMax: number },
): ListScanner {
  return createListScanner({ ...options, entriesOf: (list) => (lists[list] as List).entries });
}

/** All items in one list. */
function allIn({ list, cosine }: ProbedList): ListsOfItems {
  return { listOf: () => list, cosineOf: () => cosine };
}

function sizes(dimensions: number) {
  return { dimensions, itemsMax: 100 };
}

/** A list of these vectors, whose items are numbered from `first`. */
function listOf(vectors: readonly Float32Array[], first = 0): List {
  const entries = vectors.map((vector, index) => {
    const entry = Buffer.alloc(HEADER_BYTES + quantizedBytes(vector.length, 2));
    entry.writeUInt32LE(first + index, 0);
    entry.writeFloatLE(quantize(vector, 2, entry, HEADER_BYTES), 4);
    return entry;
  });
  return { entries: Buffer.concat(entries), items: vectors.map((_, index) => first + index) };
}

/** The product of the query with an entry, by a plain loop. */
function plainScore({ entries }: List, index: number, query: Float32Array): number {
  const bytes = HEADER_BYTES + quantizedBytes(query.length, 2);
  const factor = entries.readFloatLE(index * bytes + 4);
  const shape = { bits: 2 as const, factor, dimensions: query.length };
  return dot(dequantize(entries, index * bytes + HEADER_BYTES, shape), query);
}

/**
 * The largest possible error of a score: half a step of 7 bits for each pair of components, if all
 * of them are rounded the same way.
 */
function errorMax({ entries }: List, index: number, query: Float32Array): number {
  const bytes = quantizedBytes(query.length, 2);
  const factor = entries.readFloatLE(index * (HEADER_BYTES + bytes) + 4);
  const largest = Math.max(...query.map(Math.abs));
  return 1e-6 + (Math.abs(factor) * 2 * bytes * (6 * largest)) / 127 / 2;
}

/** The scores of items; NaN if their lists were not scanned. */
function scoresOf(scanner: ListScanner, items: readonly number[]): number[] {
  const { scores, unknown } = scanner.scoresOf(items, Number.NaN);
  const isUnknown = (_: number, at: number): boolean => Number.isNaN(scores[at]);
  expect([...unknown]).toEqual([...items.keys()].filter(isUnknown));
  return [...scores];
}

function scoreOf(scanner: ListScanner, item: number): number {
  return scoresOf(scanner, [item])[0] as number;
}

/** The score of an item of a list, scanned or not. */
function scoreIn(scanner: ListScanner, list: ProbedList, item: number): number {
  return scanner.scoresIn([item], allIn(list))[0] as number;
}
