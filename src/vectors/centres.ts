/** Centres of cells, held in memory so that the nearest ones to a vector are found at once. */
import type { Embedding } from '../types.ts';
import { bestFirst } from './best-first.ts';
import { pack, packedBytes } from './codes.ts';
import { createStayingBlock, type DotProducts, type VectorBlock } from './dot-products.ts';

export interface Centre {
  cell: number;
  vector: Embedding;
}

/** A cell with the cosine of its centre and the vector that was asked for. */
export interface NearCell {
  cell: number;
  cosine: number;
}

/** The centres as a query sees them. */
export interface ComparedCentres {
  /** The cells, nearest centres first, ties by cell; to be asked for as many as are needed. */
  inOrder(): Generator<NearCell, void>;
  /** The cosine of a cell's centre, undefined where there is no such cell. */
  cosineOf(cell: number): number | undefined;
}

export interface Centres {
  vectorOf(cell: number): Embedding;
  compare(query: DotProducts): ComparedCentres;
  /** The cell with the nearest centre; undefined where there are no cells. */
  closest(query: DotProducts): number | undefined;
  set(centre: Centre): void;
  delete(cell: number): void;
}

export function createCentres(given: readonly Centre[], dimensions: number): Centres {
  const stride = packedBytes(dimensions, 8);
  let bytes = new Uint8Array(Math.max(16, given.length) * stride);
  const rows: Row[] = [];
  /** By cell; cells are numbered from 1 on. */
  const rowOf: (number | undefined)[] = [];
  /** What is compared; undefined where the centres have changed since. */
  let compared: ComparedRows | undefined;

  const set = ({ cell, vector }: Centre): void => {
    const row = rowOf[cell] ?? rows.length;
    if ((row + 1) * stride > bytes.length) {
      const larger = new Uint8Array(2 * bytes.length);
      larger.set(bytes);
      bytes = larger;
    }
    compared = undefined;
    bytes.fill(0, row * stride, (row + 1) * stride);
    rows[row] = { cell, vector, factor: pack(vector, 8, bytes, row * stride) };
    rowOf[cell] = row;
  };
  for (const centre of given) set(centre);

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
    vectorOf: (cell) => (rows[rowOf[cell] as number] as Row).vector,
    closest: (query) => closestOf(rows, cosinesWith(query)),
    compare(query) {
      // A copy: the products are valid until the next ones only.
      const cosines = cosinesWith(query).slice();
      const { cells } = compared as ComparedRows;
      return {
        *inOrder() {
          for (const { item, score } of bestFirst(cells, cosines)) {
            yield { cell: item, cosine: score };
          }
        },
        cosineOf: (cell) => cosines[rowOf[cell] ?? -1],
      };
    },
    set,
    delete(cell) {
      const row = rowOf[cell];
      if (row === undefined) return;
      compared = undefined;
      const last = rows.pop() as Row;
      rowOf[cell] = undefined;
      if (last.cell === cell) return;
      rows[row] = last;
      rowOf[last.cell] = row;
      bytes.copyWithin(row * stride, rows.length * stride, (rows.length + 1) * stride);
    },
  };
}

interface Row extends Centre {
  /** See codes.ts. */
  factor: number;
}

/** The rows as they are compared with queries. */
interface ComparedRows {
  block: VectorBlock;
  factors: Float64Array;
  cells: Float64Array;
}

function compareRows(rows: readonly Row[], bytes: Uint8Array): ComparedRows {
  return {
    block: createStayingBlock(bytes),
    factors: Float64Array.from(rows, ({ factor }) => factor),
    cells: Float64Array.from(rows, ({ cell }) => cell),
  };
}

/** The cell with the largest cosine, the smallest one of equals. */
function closestOf(rows: readonly Row[], cosines: Float64Array): number | undefined {
  let closest: NearCell | undefined;
  for (const [row, cosine] of cosines.entries()) {
    const { cell } = rows[row] as Row;
    const isCloser =
      closest === undefined ||
      cosine > closest.cosine ||
      (cosine === closest.cosine && cell < closest.cell);
    if (isCloser) closest = { cell, cosine };
  }
  return closest?.cell;
}
