/** Compares a quote with a text: is it there word for word? Pure. */
import { lettersOf } from '../../identity/record-keys.ts';
import type { SentenceSpan } from '../../types.ts';
import type { Change } from './name-changes.ts';
import {
  ELLIPSIS_TOKEN,
  isHyphenated,
  joinHyphens,
  type Token,
  tokensOf,
  trimTokens,
} from './quote-tokens.ts';
import type { DiffPart } from './word-diff.ts';
import { type WordList, wordListOf } from './word-list.ts';

/** Of a quote with more, no part is compared for itself: each costs a pass through the source. */
const ELLIPSES_MAX = 10;

/** The share of its words that a near quote has in common with the source. */
export const NEAR_SHARE_MIN = 0.85;

/** A quote that stands in a source word for word. */
export interface ExactMatch {
  verdict: 'exact';
  /** The source's own wording. */
  wording: string;
}

/** A quote that stands in a source with changes. */
export interface NearMatch {
  verdict: 'near';
  wording: string;
  /** The share of words in common. */
  share: number;
  /** Words to insert, delete, or replace; putting together what was apart counts as a few. */
  distance: number;
  diff: DiffPart[];
  changes: Change[];
}

export interface PreparedQuote {
  text: string;
  tokens: Token[];
  /** The tokens joined at hyphens; undefined if no hyphen can be the end of a line. */
  joined: Token[] | undefined;
  /** Of `joined`, or else of `tokens`. Made when it is first asked for. */
  readonly words: WordList;
  /** The letters and digits of each of these words. Made when they are first asked for. */
  readonly letters: readonly string[];
}

/** A source. What is made of its text is made when it is first asked for. */
export interface Source {
  text: string;
  readonly tokens: readonly Token[];
  readonly words: WordList;
  /** The letters and digits of the text. */
  readonly letters: string;
  /** With tokens joined at hyphens. */
  readonly joinedWords: WordList;
  /** Where its sentences end. */
  sentenceEnds: readonly number[];
}

export function prepareQuote(text: string): PreparedQuote {
  const tokens = trimTokens(tokensOf(text));
  const joined = isHyphenated(text) ? joinHyphens(tokens) : undefined;
  let words: WordList | undefined;
  let letters: string[] | undefined;
  return {
    text,
    tokens,
    joined,
    get words() {
      words ??= wordListOf(joined ?? tokens);
      return words;
    },
    get letters() {
      letters ??= this.words.texts.map(lettersIn);
      return letters;
    },
  };
}

/** The number of words of a quote. */
export function countWords({ tokens }: PreparedQuote): number {
  return tokens.filter(({ isWord }) => isWord).length;
}

export function prepareSource(text: string, sentences: readonly SentenceSpan[] = []): Source {
  let tokens: readonly Token[] | undefined;
  let words: WordList | undefined;
  let joinedWords: WordList | undefined;
  let letters: string | undefined;
  return {
    text,
    get tokens() {
      tokens ??= tokensOf(text);
      return tokens;
    },
    get words() {
      words ??= wordListOf(this.tokens);
      return words;
    },
    get joinedWords() {
      joinedWords ??= wordListOf(joinHyphens(this.tokens));
      return joinedWords;
    },
    get letters() {
      letters ??= lettersIn(text);
      return letters;
    },
    sentenceEnds: sentences.map(({ end }) => end),
  };
}

/** A capital sigma becomes another letter at the end of a word, and what is compared ends elsewhere. */
function lettersIn(text: string): string {
  return lettersOf(text).replaceAll('ς', 'σ');
}

/**
 * Whether a source may have the share of a quote's words that makes it near. It takes a fraction of the
 * time of dividing the source into tokens.
 */
export function mayBeNear(quote: PreparedQuote, source: Source): boolean {
  let left = quote.letters.length * (1 - NEAR_SHARE_MIN);
  return quote.letters.every((word) => source.letters.includes(word) || --left >= 0);
}

/** Finds a quote in a source word for word; undefined if it is not there. */
export function findExact(
  quote: PreparedQuote,
  { text, tokens }: Pick<Source, 'text' | 'tokens'>,
): ExactMatch | undefined {
  const run =
    findRun(quote.tokens, tokens) ??
    (quote.joined === undefined ? undefined : findRun(quote.joined, joinHyphens(tokens)));
  return run && { verdict: 'exact', wording: text.slice(run.start, run.end) };
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
