/** How a near quote is compared with its source, and the result. Pure. */
import type { NearMatch, PreparedQuote, Source } from './match-quote.ts';
import { type Compared, changesOf } from './name-changes.ts';
import type { Token } from './quote-tokens.ts';
import { diffOf, type WordStep } from './word-diff.ts';
import type { WordList } from './word-list.ts';

/** The part of a source that a quote matches, with the steps between them. */
export interface Found {
  run: readonly Token[];
  steps: WordStep[];
  share: number;
  distance: number;
  elsewhere?: Compared['elsewhere'];
}

/** The match with the difference. */
export function nearMatch(
  quote: PreparedQuote,
  source: Source,
  { run, steps, share, distance, elsewhere }: Found,
): NearMatch {
  return {
    verdict: 'near',
    wording: source.text.slice(run[0]?.start, run.at(-1)?.end),
    share,
    distance,
    diff: diffOf(steps, quote.text, source.text),
    changes: changesOf(steps, { ...textsOf(quote, source), elsewhere }),
  };
}

/** The texts for `changesOf`. */
export function textsOf(quote: PreparedQuote, { text, sentenceEnds }: Source): Compared {
  return { quote: quote.text, source: text, sentenceEnds };
}

/**
 * The run of the source's tokens with the marks around it that the quote has as well: of "slow waves
 * (SO)", the bracket at the end.
 */
export function withMarks(
  quote: readonly Token[],
  source: readonly Token[],
  { from, to }: { from: number; to: number },
): readonly Token[] {
  let [start, end] = [from, to];
  const before = quote.findIndex(({ isWord }) => isWord);
  const after = quote.findLastIndex(({ isWord }) => isWord);
  for (let at = before - 1; at >= 0 && quote[at]?.text === source[start - 1]?.text; at--) start--;
  for (let at = after + 1; at < quote.length; at++) {
    if (quote[at]?.text !== source[end + 1]?.text) break;
    end++;
  }
  return source.slice(start, end + 1);
}

/** The words of a source, with its hyphens joined if the quote's are. */
export function wordsOf(quote: PreparedQuote, source: Source): WordList {
  return quote.joined === undefined ? source.words : source.joinedWords;
}
