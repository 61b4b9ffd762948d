import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type CellScanner,
  COMPILED_BASE64,
  createCellScanner,
} from '../../src/vectors/cell-scanner.ts';
import { pack, packedBytes, unpack } from '../../src/vectors/codes.ts';
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
        const scanner = createCellScanner({ ...sizes(query.length), bytesMax: 1e6 });
        scanner.take(query);
        const visited: [item: number, score: number][] = [];
        const options = { cell: 1, cosine: base, threshold: ALWAYS, records: () => cell.records };
        const count = scanner.scan(options, (item, score) => visited.push([item, score]));
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

  it('visits what reaches the threshold, and notes the rest', () => {
    const draw = vectorSource(3, DIMENSIONS);
    const cell = cellOf(Array.from({ length: 50 }, draw));
    const scanner = createCellScanner({ ...sizes(DIMENSIONS), bytesMax: 1e6 });
    scanner.take(draw());
    const scan = (threshold: number): number[] => {
      const visited: number[] = [];
      const options = { cell: 1, cosine: 0.5, threshold, records: () => cell.records };
      scanner.scan(options, (item) => visited.push(item));
      return visited;
    };
    expect(scan(NEVER)).toEqual([]);
    const scores = [...scanner.scoresOf(cell.items, Number.NaN)];
    const threshold = scores[20] as number;
    const expected = cell.items.filter((_, index) => (scores[index] as number) >= threshold);
    expect(expected.length).toBeLessThan(50);
    expect(scan(threshold)).toEqual(expected);
  });

  it('knows no score of another query, nor of what it has not seen', () => {
    const draw = vectorSource(4, DIMENSIONS);
    const seen = cellOf([draw()], 7);
    const scanner = createCellScanner({ ...sizes(DIMENSIONS), bytesMax: 1e6 });
    const scan = () =>
      scanner.scan({ cell: 1, cosine: 0, threshold: NEVER, records: () => seen.records }, () => {});
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
    const scanner = createCellScanner({ ...sizes(DIMENSIONS), bytesMax });
    const fetched: number[] = [];
    for (let round = 0; round < 3; round++) {
      scanner.take(draw());
      for (const [index, { records }] of cells.entries()) {
        const fetch = (): Buffer => {
          fetched.push(index);
          return records;
        };
        scanner.scan({ cell: index, cosine: 0, threshold: NEVER, records: fetch }, () => {});
      }
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
        const scanner = createCellScanner({ dimensions: DIMENSIONS, itemsMax: first, bytesMax });
        for (const index of indexes) {
          const query = draw();
          scanner.take(query);
          const { records, items } = cells[index] as Cell;
          const visited: number[] = [];
          scanner.scan(
            { cell: index, cosine: 0.25, threshold: ALWAYS, records: () => records },
            (item) => visited.push(item),
          );
          expect(visited).toEqual(items);
          for (const at of [0, items.length - 1]) {
            const cell = { records, items };
            const error =
              scoreOf(scanner, items[at] as number) - 0.25 - plainScore(cell, at, query);
            expect(Math.abs(error)).toBeLessThan(errorMax(cell, at, query) / 4);
          }
        }
      }),
      { numRuns: 25 },
    );
  });

  it('scores all alike with a query of zeros', () => {
    const cell = cellOf([vectorSource(8, 17)()]);
    const scanner = createCellScanner({ ...sizes(17), bytesMax: 1e6 });
    scanner.take(new Float32Array(17));
    scanner.scan({ cell: 1, cosine: 0, threshold: NEVER, records: () => cell.records }, () => {});
    expect(scoreOf(scanner, 0)).toBeCloseTo(0);
  });
});

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

/** The score of one item; NaN where it was not scanned. */
function scoreOf(scanner: CellScanner, item: number): number {
  return scanner.scoresOf([item], Number.NaN)[0] as number;
}
