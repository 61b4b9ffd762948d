/** Finds the words of a source that are nearest to a quote. Pure. */
import { alignWords } from './align-words.ts';
import { describeWords } from './described-word.ts';
import { NEAR_SHARE_MIN, type NearMatch, type PreparedQuote, type Source } from './match-quote.ts';
import { nearMatch, withMarks, wordsOf } from './near-match.ts';
import type { Token } from './quote-tokens.ts';
import { compareWords } from './word-diff.ts';

/** The first or the last word of a quote is looked for so many words before or after the others. */
const GAP_WORDS_MAX = 10;

const SENTENCE_END = /[.?!]\S*\s/;

/** A run of a source that is near. */
export interface NearRun extends Pick<NearMatch, 'share' | 'distance'> {
  /** Compares it with the quote, which takes longer than to find it. */
  compare(): NearMatch;
}

/**
 * Finds the contiguous run of a source that is nearest to a quote; undefined if none is near, or none
 * has a share above `above`.
 */
export function findNear(quote: PreparedQuote, source: Source, above = 0): NearRun | undefined {
  const { tokens, texts: compared, places } = wordsOf(quote, source);
  const { tokens: words, texts: quoted } = quote.words;
  const aligned = alignWords(quoted, compared, Math.max(NEAR_SHARE_MIN, above));
  if (aligned === undefined || aligned.share <= above) return undefined;
  const wordAt = (at: number): Token | undefined => tokens[places[at] ?? tokens.length];
  const startsAnew = (at: number): boolean =>
    SENTENCE_END.test(source.text.slice(wordAt(at - 1)?.end, wordAt(at)?.start));
  let { start, end } = aligned;
  // A wrong word at an end of the quote stands for none of the next or the previous sentence.
  if (compared[end - 1] !== quoted.at(-1) && startsAnew(end - 1)) end--;
  if (compared[start] !== quoted[0] && startsAnew(start + 1)) start++;
  // Its first or last word may have lost its neighbors.
  for (let at = start - 1; at >= start - GAP_WORDS_MAX && compared[start] !== quoted[0]; at--) {
    if (at < 0 || startsAnew(at + 1)) break;
    if (compared[at] === quoted[0]) start = at;
  }
  for (let at = end; at < end + GAP_WORDS_MAX && compared[end - 1] !== quoted.at(-1); at++) {
    if (at >= compared.length || startsAnew(at)) break;
    if (compared[at] === quoted.at(-1)) end = at + 1;
  }
  const [from, to] = [places[start], places[end - 1]] as [number, number];
  const run = withMarks(words, tokens, { from, to });
  const { share, distance } = aligned;
  return {
    share,
    distance,
    compare() {
      const steps = compareWords(describeWords(words), describeWords(run));
      return nearMatch(quote, source, { run, steps, share, distance });
    },
  };
}
