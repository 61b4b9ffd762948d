/** The centroids of inverted lists, held in memory to find the nearest ones of a vector. */
import type { Embedding } from '../types.ts';
import { bestFirst } from './best-first.ts';
import { createResidentBlock, type DotProducts, type VectorBlock } from './dot-products.ts';
import { quantize, quantizedBytes } from './quantization.ts';

export interface Centroid {
  list: number;
  vector: Embedding;
}

/** An inverted list to probe, and the cosine of its centroid with the query. */
export interface ProbedList {
  list: number;
  cosine: number;
}

/** The centroids compared with a query. */
export interface ComparedCentroids {
  /** Yields the lists by descending cosine, ties by ascending number. Take as many as needed. */
  inOrder(): Generator<ProbedList, void>;
  /** Returns the cosine of a list's centroid, undefined if there is no such list. */
  cosineOf(list: number): number | undefined;
}

export interface Centroids {
  vectorOf(list: number): Embedding;
  compare(query: DotProducts): ComparedCentroids;
  /** Returns the list with the nearest centroid, undefined if there are no lists. */
  closest(query: DotProducts): number | undefined;
  set(centroid: Centroid): void;
  delete(list: number): void;
}

export function createCentroids(given: readonly Centroid[], dimensions: number): Centroids {
  const stride = quantizedBytes(dimensions, 8);
  let bytes = new Uint8Array(Math.max(16, given.length) * stride);
  const rows: Row[] = [];
  /** The row of each list. */
  const rowOf: (number | undefined)[] = [];
  /** The rows in the form that queries need; undefined after a change. */
  let compared: ComparedRows | undefined;

  const set = ({ list, vector }: Centroid): void => {
    const row = rowOf[list] ?? rows.length;
    if ((row + 1) * stride > bytes.length) {
      const larger = new Uint8Array(2 * bytes.length);
      larger.set(bytes);
      bytes = larger;
    }
    compared = undefined;
    bytes.fill(0, row * stride, (row + 1) * stride);
    rows[row] = { list, vector, factor: quantize(vector, 8, bytes, row * stride) };
    rowOf[list] = row;
  };
  for (const centroid of given) set(centroid);

  const cosinesWith = (query: DotProducts): Float64Array => {
    compared ??= compareRows(rows, bytes);
    const { block, factors } = compared;
    const count = factors.length;
    const cosines = query.with({ block, start: 0, stride, count, bits: 8 });
    for (let row = 0; row < count; row++) {
      cosines[row] = (cosines[row] as number) * (factors[row] as number);
    }
    return cosines;
  };

  return {
    vectorOf: (list) => (rows[rowOf[list] as number] as Row).vector,
    closest: (query) => closestOf(rows, cosinesWith(query)),
    compare(query) {
      // A copy, because the products are valid only until the next ones.
      const cosines = cosinesWith(query).slice();
      const { lists } = compared as ComparedRows;
      return {
        *inOrder() {
          for (const { item, score } of bestFirst(lists, cosines)) {
            yield { list: item, cosine: score };
          }
        },
        cosineOf: (list) => cosines[rowOf[list] ?? -1],
      };
    },
    set,
    delete(list) {
      const row = rowOf[list];
      if (row === undefined) return;
      compared = undefined;
      const last = rows.pop() as Row;
      rowOf[list] = undefined;
      if (last.list === list) return;
      rows[row] = last;
      rowOf[last.list] = row;
      bytes.copyWithin(row * stride, rows.length * stride, (rows.length + 1) * stride);
    },
  };
}

interface Row extends Centroid {
  /** See quantization.ts. */
  factor: number;
}

/** The rows in the form that queries need. */
interface ComparedRows {
  block: VectorBlock;
  factors: Float64Array;
  lists: Float64Array;
}

function compareRows(rows: readonly Row[], bytes: Uint8Array): ComparedRows {
  return {
    block: createResidentBlock(bytes),
    factors: Float64Array.from(rows, ({ factor }) => factor),
    lists: Float64Array.from(rows, ({ list }) => list),
  };
}

/** Returns the list with the largest cosine, the one with the smallest number among equals. */
function closestOf(rows: readonly Row[], cosines: Float64Array): number | undefined {
  let closest: ProbedList | undefined;
  for (const [row, cosine] of cosines.entries()) {
    const { list } = rows[row] as Row;
    const isCloser =
      closest === undefined ||
      cosine > closest.cosine ||
      (cosine === closest.cosine && list < closest.list);
    if (isCloser) closest = { list, cosine };
  }
  return closest?.list;
}
