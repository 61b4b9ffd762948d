/** Abstracts that come as an index from words to positions. Pure. */

import { plainText } from '../text/plain-text.ts';
import { type SplitSentences, wholeSentences } from '../text/whole-sentences.ts';
import { arrayOf, objectOf } from './json.ts';

const POSITION_MAX = 100_000;
const GAP = '…';

/**
 * The text of `{"Cats":[0],"sleep.":[1,3]}`; '' for none. Where a word is missing, or two words
 * claim one place, nobody knows what the author wrote: such sentences are left out.
 */
export function textOfInvertedIndex(index: unknown, split: SplitSentences): string {
  const words = new Map<number, string>();
  for (const [word, positions] of Object.entries(objectOf(index))) {
    for (const position of arrayOf(positions)) {
      if (!isPosition(position)) continue;
      const other = words.get(position);
      words.set(position, other === undefined || other === word ? word : GAP);
    }
  }
  const order = [...words.keys()].sort((a, b) => a - b);
  const tokens = order.flatMap((position, place) => {
    const word = words.get(position) ?? '';
    const isAfterGap = position !== (place === 0 ? 0 : (order[place - 1] ?? 0) + 1);
    return isAfterGap ? [GAP, word] : [word];
  });
  const text = plainText(tokens.join(' '));
  return tokens.includes(GAP) ? wholeSentences(text, split).text : text;
}

function isPosition(value: unknown): value is number {
  return (
    typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= POSITION_MAX
  );
}
