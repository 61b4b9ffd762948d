/** Compares a quote with a text: is it there word for word, or nearly? Pure. */
import { alignWords } from './align-words.ts';
import {
  ELLIPSIS_TOKEN,
  isHyphenated,
  joinHyphens,
  type Token,
  tokensOf,
  trimTokens,
} from './quote-tokens.ts';
import { type DiffPart, diffTokens } from './word-diff.ts';

/** The share of words that a contiguous run of the source must have in common with a near quote. */
export const NEAR_SHARE_MIN = 0.85;

/** Of a quote with more, no part is compared for itself: each costs a pass through the source. */
const ELLIPSES_MAX = 10;

const SENTENCE_END = /[.?!]\S*\s/;

export type QuoteMatch =
  | { verdict: 'exact' /** The source's own wording. */; wording: string }
  | {
      verdict: 'near';
      wording: string;
      /** The share of words in common, at least `NEAR_SHARE_MIN`. */
      share: number;
      diff: DiffPart[];
    };

export interface PreparedQuote {
  text: string;
  tokens: Token[];
  /** The tokens joined at hyphens; undefined if no hyphen can be the end of a line. */
  joined: Token[] | undefined;
}

export function prepareQuote(text: string): PreparedQuote {
  const tokens = trimTokens(tokensOf(text));
  return { text, tokens, joined: isHyphenated(text) ? joinHyphens(tokens) : undefined };
}

/** The number of words of a quote. */
export function countWords({ tokens }: PreparedQuote): number {
  return tokens.filter(({ isWord }) => isWord).length;
}

/** Finds a quote in a source word for word; undefined if it is not there. */
export function findExact(
  quote: PreparedQuote,
  source: string,
  tokens: readonly Token[] = tokensOf(source),
): QuoteMatch | undefined {
  const run =
    findRun(quote.tokens, tokens) ??
    (quote.joined === undefined ? undefined : findRun(quote.joined, joinHyphens(tokens)));
  if (run === undefined) return undefined;
  return { verdict: 'exact', wording: source.slice(run.start, run.end) };
}

/**
 * Finds the contiguous run of a source that is nearest to a quote; undefined if none is near, or none
 * has a share above `above`.
 */
export function findNear(
  quote: PreparedQuote,
  source: string,
  { above = 0, divided = tokensOf(source) }: { above?: number; divided?: readonly Token[] } = {},
): QuoteMatch | undefined {
  const own = quote.joined ?? quote.tokens;
  const tokens = quote.joined === undefined ? divided : joinHyphens(divided);
  const words = tokens.filter(({ isWord }) => isWord);
  const quoted = own.filter(({ isWord }) => isWord).map(({ text }) => text.toLowerCase());
  const compared = words.map(({ text }) => text.toLowerCase());
  const aligned = alignWords(quoted, compared, Math.max(NEAR_SHARE_MIN, above));
  if (aligned === undefined || aligned.share <= above) return undefined;
  // A wrong word at an end of the quote stands for none of the next or the previous sentence.
  const startsAnew = (at: number): boolean =>
    SENTENCE_END.test(source.slice(words[at - 1]?.end, words[at]?.start));
  let { start, end } = aligned;
  if (compared[end - 1] !== quoted.at(-1) && startsAnew(end - 1)) end--;
  if (compared[start] !== quoted[0] && startsAnew(start + 1)) start++;
  const [first, last] = [words[start], words[end - 1]] as [Token, Token];
  const run = withMarks(own, tokens, { from: tokens.indexOf(first), to: tokens.indexOf(last) });
  return {
    verdict: 'near',
    wording: source.slice(run[0]?.start, run.at(-1)?.end),
    share: aligned.share,
    diff: diffTokens({ text: quote.text, tokens: own }, { text: source, tokens: run }),
  };
}

/**
 * The run of the source's tokens with the marks around it that the quote has as well: of "slow waves
 * (SO)", the bracket at the end.
 */
function withMarks(
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

/** The words of a quote, for a look-up. */
export function wordsIn({ tokens }: PreparedQuote): string {
  const words = tokens.filter(({ isWord }) => isWord);
  return words.map(({ text }) => text).join(' ');
}

/** The parts of a quote between its ellipses; empty if it has none, or more than 10 of them. */
export function partsOf({ text, tokens }: PreparedQuote): PreparedQuote[] {
  const ellipses = tokens.filter((each) => each.text === ELLIPSIS_TOKEN);
  if (ellipses.length > ELLIPSES_MAX) return [];
  const parts: PreparedQuote[] = [];
  let start = tokens[0]?.start ?? 0;
  for (const token of ellipses) {
    parts.push(prepareQuote(text.slice(start, token.start)));
    start = token.end;
  }
  if (parts.length === 0) return [];
  return [...parts, prepareQuote(text.slice(start))].filter((part) => part.tokens.length > 0);
}

/** Offsets of the run of tokens in a source that equals the quote's. */
function findRun(
  quote: readonly Token[],
  source: readonly Token[],
): { start: number; end: number } | undefined {
  if (quote.length === 0) return undefined;
  const last = source.length - quote.length;
  for (let at = 0; at <= last; at++) {
    let same = 0;
    while (same < quote.length && quote[same]?.text === source[at + same]?.text) same++;
    if (same < quote.length) continue;
    const [first, end] = [source[at], source[at + same - 1]] as [Token, Token];
    return { start: first.start, end: end.end };
  }
  return undefined;
}
