/** Selects the sentences of a text that may be quoted. Pure. */
import type { SentenceSpan } from '../types.ts';
import { isBoilerplate, withoutBoilerplate } from './boilerplate.ts';
import { splitSentences } from './split-sentences.ts';

/** Two letters or digits in a row, or one character of a script without spaces between words. */
const WORD =
  /[\p{L}\p{N}]{2}|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

/** The sentences of an indexed abstract that are embedded and may be quoted. */
export function sentencesOf(abstract: string): SentenceSpan[] {
  return withoutBoilerplate(abstract, splitSentences(abstract));
}

/**
 * Whether a sentence of a fallback lane may be quoted. It must contain a word and must not be
 * boilerplate. Above `charactersMax` it is a table or a list rather than a sentence.
 */
export function isQuotable(sentence: string, charactersMax: number): boolean {
  return sentence.length <= charactersMax && WORD.test(sentence) && !isBoilerplate(sentence);
}

/** The sentences of a fallback lane's text that may be quoted. */
export function quotableSpans(
  text: string,
  spans: readonly SentenceSpan[],
  charactersMax: number,
): SentenceSpan[] {
  const own = withoutBoilerplate(text, spans);
  return own.filter(({ start, end }) => isQuotable(text.slice(start, end), charactersMax));
}
