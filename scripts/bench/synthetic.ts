/** Synthetic documents that resemble real ones: some sentences and half of the title come from another paper. Pure. */
import type { Random } from '../measure/random.ts';

/** One in so many sentences is another paper's. This keeps the topic but makes a different text. */
const SWAPPED_ONE_IN = 3;

/** Returns the items with about a third of them replaced by others. */
export function swapSome<Item>(
  own: readonly Item[],
  others: readonly Item[],
  random: Random,
): Item[] {
  return own.map((item) => {
    if (others.length === 0 || random.below(SWAPPED_ONE_IN) > 0) return item;
    return others[random.below(others.length)] as Item;
  });
}

/** Joins the first half of one title's words and the second half of another's. */
export function mixTitles(one: string, other: string): string {
  const halves = [one, other].map((title, half) => {
    const words = title.trim().split(/\s+/);
    const middle = Math.ceil(words.length / 2);
    return half === 0 ? words.slice(0, middle) : words.slice(middle);
  });
  return halves.flat().join(' ');
}
