/**
 * The centroids of inverted lists, held in memory to find the nearest ones of a vector. Centroids lie
 * in groups that have centroids of their own. Few centroids are all compared with a query. Of many,
 * those of the nearest groups are, so that a query does not take longer as the index grows.
 */
import type { Embedding } from '../types.ts';
import { bestFirst } from './best-first.ts';
import { createResidentBlock, type DotProducts, type VectorBlock } from './dot-products.ts';
import { quantize, quantizedBytes } from './quantization.ts';

export interface Centroid {
  list: number;
  /** The group that the list's centroid belongs to. */
  group: number;
  vector: Embedding;
}

/** A group of centroids, and the centroid of these centroids. */
export interface CentroidGroup {
  group: number;
  vector: Embedding;
}

/** An inverted list to probe, and the cosine of its centroid with the query. */
export interface ProbedList {
  list: number;
  cosine: number;
}

/** The centroids compared with a query. */
export interface ComparedCentroids {
  /**
   * Yields all lists, the nearest first: by descending cosine among the lists of the nearest groups,
   * then among those of the next groups. Ties are by ascending number. Take as many as needed.
   */
  inOrder(): Generator<ProbedList, void>;
  /** Returns the cosine of a list's centroid, undefined if there is no such list. */
  cosineOf(list: number): number | undefined;
}

export interface Centroids {
  compare(query: DotProducts): ComparedCentroids;
  /** Returns the list with the nearest centroid, undefined if there are no lists. */
  closest(query: DotProducts): number | undefined;
  /** Returns the group with the nearest centroid, undefined if there are no groups. */
  closestGroup(query: DotProducts): number | undefined;
  groupOf(list: number): number | undefined;
  listsIn(group: number): number[];
  /** Adds a centroid or replaces that of the same list. Its group must be there. */
  set(centroid: Centroid): void;
  delete(list: number): void;
  setGroup(group: CentroidGroup): void;
  /** Deletes a group. It must be empty. */
  deleteGroup(group: number): void;
}

export interface CentroidsOptions {
  dimensions: number;
  /**
   * Centroids that are compared with a query. If there are more, only whole groups are compared, the
   * nearest ones first, until they have so many.
   */
  comparedMax: number;
}

export function createCentroids(
  { groups, lists }: { groups: readonly CentroidGroup[]; lists: readonly Centroid[] },
  { dimensions, comparedMax }: CentroidsOptions,
): Centroids {
  const stride = quantizedBytes(dimensions, 8);
  const groupOf = new Map<number, Group>();
  const listOf = new Map<number, Group>();
  /** Everything in the form that queries need; undefined after a change. */
  let packed: Packed | undefined;

  const encode = (vector: Embedding): Encoded => {
    const codes = new Uint8Array(stride);
    return { codes, factor: quantize(vector, 8, codes, 0) };
  };
  const remove = (list: number): void => {
    listOf.get(list)?.lists.delete(list);
    listOf.delete(list);
    packed = undefined;
  };
  const set = ({ list, group, vector }: Centroid): void => {
    const into = groupOf.get(group);
    if (into === undefined) throw new Error(`list ${list} is in group ${group}, which is missing`);
    if (listOf.get(list) !== into) remove(list);
    into.lists.set(list, encode(vector));
    listOf.set(list, into);
    packed = undefined;
  };
  const setGroup = ({ group, vector }: CentroidGroup): void => {
    const known = groupOf.get(group)?.lists;
    groupOf.set(group, { number: group, own: encode(vector), lists: known ?? new Map() });
    for (const list of known?.keys() ?? []) listOf.set(list, groupOf.get(group) as Group);
    packed = undefined;
  };
  for (const group of groups) setGroup(group);
  for (const list of lists) set(list);

  const packedNow = (): Packed => {
    packed ??= pack([...groupOf.values()], stride);
    return packed;
  };
  return {
    compare: (query) => compare(query, packedNow(), comparedMax),
    closest: (query) => compare(query, packedNow(), comparedMax).inOrder().next().value?.list,
    closestGroup(query) {
      const { groups: ranges } = packedNow();
      const [nearest] = bestFirst(
        ranges.map(({ number }) => number),
        cosinesOfGroups(query, packedNow()),
      );
      return nearest?.item;
    },
    groupOf: (list) => listOf.get(list)?.number,
    listsIn: (group) => [...(groupOf.get(group)?.lists.keys() ?? [])],
    set,
    delete: remove,
    setGroup,
    deleteGroup(group) {
      groupOf.delete(group);
      packed = undefined;
    },
  };
}

/** A centroid with 8 bits per component: see quantization.ts. */
interface Encoded {
  codes: Uint8Array;
  factor: number;
}

interface Group {
  number: number;
  own: Encoded;
  lists: Map<number, Encoded>;
}

/** The rows of a group's lists. */
interface GroupRows {
  number: number;
  start: number;
  end: number;
}

/** The centroids of the groups in one block, and behind them those of the lists, group by group. */
interface Packed {
  block: VectorBlock;
  stride: number;
  groups: GroupRows[];
  groupFactors: Float64Array;
  /** The list of each row. */
  lists: Float64Array;
  factors: Float64Array;
  /** The row of each list. */
  rowOf: (number | undefined)[];
}

function pack(all: readonly Group[], stride: number): Packed {
  const count = all.reduce((sum, { lists }) => sum + lists.size, 0);
  const bytes = new Uint8Array((all.length + count) * stride);
  const lists = new Float64Array(count);
  const factors = new Float64Array(count);
  const rowOf: (number | undefined)[] = [];
  let row = 0;
  const groups = all.map(({ number, own, lists: members }, index) => {
    bytes.set(own.codes, index * stride);
    const start = row;
    for (const [list, { codes, factor }] of members) {
      bytes.set(codes, (all.length + row) * stride);
      lists[row] = list;
      factors[row] = factor;
      rowOf[list] = row++;
    }
    return { number, start, end: row };
  });
  const groupFactors = Float64Array.from(all, ({ own }) => own.factor);
  const block = createResidentBlock(bytes);
  return { block, stride, groups, groupFactors, lists, factors, rowOf };
}

function compare(query: DotProducts, packed: Packed, comparedMax: number): ComparedCentroids {
  const { lists, rowOf } = packed;
  // Kept here, because products are valid only until the next ones.
  const cosines = new Float64Array(lists.length).fill(Number.NaN);
  const compareRows = (start: number, end: number): void => {
    cosines.set(cosinesOfLists(query, packed, { start, end }), start);
  };
  return {
    *inOrder() {
      for (const rows of partsOf(query, packed, comparedMax)) {
        for (const { start, end } of rows) compareRows(start, end);
        const nearest = bestFirst(joined(lists, rows), joined(cosines, rows));
        for (const { item, score } of nearest) yield { list: item, cosine: score };
      }
    },
    cosineOf(list) {
      const row = rowOf[list];
      if (row === undefined) return undefined;
      if (Number.isNaN(cosines[row])) compareRows(row, row + 1);
      return cosines[row];
    },
  };
}

interface Rows {
  start: number;
  end: number;
}

/** Yields the rows to compare: all of them at once, or those of the nearest groups, part by part. */
function* partsOf(
  query: DotProducts,
  packed: Packed,
  comparedMax: number,
): Generator<readonly Rows[], void> {
  const { groups, lists } = packed;
  if (lists.length <= comparedMax) {
    yield [{ start: 0, end: lists.length }];
    return;
  }
  let part: Rows[] = [];
  let count = 0;
  for (const { item } of bestFirst([...groups.keys()], cosinesOfGroups(query, packed))) {
    const rows = groups[item] as GroupRows;
    part.push(rows);
    count += rows.end - rows.start;
    if (count < comparedMax) continue;
    yield part;
    [part, count] = [[], 0];
  }
  yield part;
}

/** Joins the values of some rows. */
function joined(values: Float64Array, rows: readonly Rows[]): Float64Array {
  if (rows.length === 1) return values.subarray(rows[0]?.start, rows[0]?.end);
  const all = new Float64Array(rows.reduce((sum, { start, end }) => sum + end - start, 0));
  let at = 0;
  for (const { start, end } of rows) {
    all.set(values.subarray(start, end), at);
    at += end - start;
  }
  return all;
}

function cosinesOfGroups(query: DotProducts, { block, stride, groupFactors }: Packed) {
  const products = query.with({ block, start: 0, stride, count: groupFactors.length, bits: 8 });
  return products.map((product, group) => product * (groupFactors[group] as number));
}

/** Valid until the next products of the query. */
function cosinesOfLists(
  query: DotProducts,
  { block, stride, groups, factors }: Packed,
  { start, end }: Rows,
): Float64Array {
  const first = (groups.length + start) * stride;
  const cosines = query.with({ block, start: first, stride, count: end - start, bits: 8 });
  for (let i = 0; i < cosines.length; i++) {
    cosines[i] = (cosines[i] as number) * (factors[start + i] as number);
  }
  return cosines;
}
