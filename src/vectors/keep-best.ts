/** The best of many scored items, without sorting them all. Pure. */

export interface ScoredItem {
  item: number;
  score: number;
}

export interface Best {
  add(item: number, score: number): void;
  /** The score that another item must reach to be kept; minus infinity while there is room. */
  worst(): number;
  /** The kept items by descending score, ties by ascending item. */
  items(): ScoredItem[];
  /** The kept items in no order, without their scores. */
  unordered(): number[];
}

/**
 * Keeps the `most` best of the added items, where `most` is at least 1. It is a binary heap with
 * the worst kept item on top (Williams 1964), in typed arrays because a search adds thousands.
 */
export function keepBest(most: number): Best {
  const items = new Float64Array(most);
  const scores = new Float64Array(most);
  let size = 0;

  /** Replaces the worst of the first `count` items and restores the heap. */
  const replaceWorst = (item: number, score: number, count: number): void => {
    let at = 0;
    for (let child = 1; child < count; child = 2 * at + 1) {
      const right = child + 1;
      if (right < count && comesAfter(items, scores, right, child)) child = right;
      const isInOrder =
        score < (scores[child] as number) ||
        (score === scores[child] && item > (items[child] as number));
      if (isInOrder) break;
      items[at] = items[child] as number;
      scores[at] = scores[child] as number;
      at = child;
    }
    items[at] = item;
    scores[at] = score;
  };
  return {
    add(item, score) {
      if (size === most) {
        const worst = scores[0] as number;
        if (score < worst || (score === worst && item > (items[0] as number))) return;
        replaceWorst(item, score, size);
        return;
      }
      let at = size++;
      items[at] = item;
      scores[at] = score;
      while (at > 0) {
        const parent = (at - 1) >> 1;
        if (!comesAfter(items, scores, at, parent)) break;
        swap(items, at, parent);
        swap(scores, at, parent);
        at = parent;
      }
    },
    worst: () => (size < most ? Number.NEGATIVE_INFINITY : (scores[0] as number)),
    unordered: () => Array.from(items.subarray(0, size)),
    items() {
      // Heapsort in place: the worst item moves to the end, then the next worst, and so on.
      for (let last = size - 1; last > 0; last--) {
        const item = items[last] as number;
        const score = scores[last] as number;
        items[last] = items[0] as number;
        scores[last] = scores[0] as number;
        replaceWorst(item, score, last);
      }
      const sorted = Array.from({ length: size }, (_, i) => ({
        item: items[i] as number,
        score: scores[i] as number,
      }));
      // Sorted worst first, the arrays are a heap again, so more items can be added.
      items.subarray(0, size).reverse();
      scores.subarray(0, size).reverse();
      return sorted;
    },
  };
}

/** Whether the item at `a` ranks after the one at `b`. */
function comesAfter(items: Float64Array, scores: Float64Array, a: number, b: number): boolean {
  const scoreA = scores[a] as number;
  const scoreB = scores[b] as number;
  return scoreA < scoreB || (scoreA === scoreB && (items[a] as number) > (items[b] as number));
}

function swap(values: Float64Array, a: number, b: number): void {
  const value = values[a] as number;
  values[a] = values[b] as number;
  values[b] = value;
}
