/** A lazy sort of scored items: each one is found only when the caller asks for it. Pure. */
import type { ScoredItem } from './keep-best.ts';

/**
 * Yields the items by descending score, ties by ascending item. To take the first few of many this
 * way costs a fraction of a full sort. It builds a max-heap (Floyd 1964) of copies of the
 * arguments.
 */
export function* bestFirst(
  inputItems: ArrayLike<number>,
  inputScores: ArrayLike<number>,
): Generator<ScoredItem, void> {
  const items = new Float64Array(inputItems);
  const scores = new Float64Array(inputScores);
  for (let at = (items.length >> 1) - 1; at >= 0; at--) {
    sink(items, scores, { at, size: items.length });
  }
  for (let size = items.length; size > 0; size--) {
    yield { item: items[0] as number, score: scores[0] as number };
    items[0] = items[size - 1] as number;
    scores[0] = scores[size - 1] as number;
    sink(items, scores, { at: 0, size: size - 1 });
  }
}

/** Moves the element at position `at` of the heap down to where it belongs. */
function sink(
  items: Float64Array,
  scores: Float64Array,
  { at: from, size }: { at: number; size: number },
): void {
  const item = items[from] as number;
  const score = scores[from] as number;
  let at = from;
  for (let child = 2 * at + 1; child < size; child = 2 * at + 1) {
    let childScore = scores[child] as number;
    if (child + 1 < size) {
      const other = scores[child + 1] as number;
      const isOtherFirst =
        other > childScore ||
        (other === childScore && (items[child + 1] as number) < (items[child] as number));
      if (isOtherFirst) {
        child++;
        childScore = other;
      }
    }
    const isInOrder =
      score > childScore || (score === childScore && item < (items[child] as number));
    if (isInOrder) break;
    items[at] = items[child] as number;
    scores[at] = childScore;
    at = child;
  }
  items[at] = item;
  scores[at] = score;
}
