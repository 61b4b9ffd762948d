/** What of a text may be quoted as a sentence. Pure. */
import type { SentenceSpan } from '../types.ts';
import { isBoilerplate, withoutBoilerplate } from './boilerplate.ts';
import { splitSentences } from './split-sentences.ts';

/** Two letters or digits in a row, or one of a script that writes words without blanks. */
const WORD =
  /[\p{L}\p{N}]{2}|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

/** The sentences of a document's abstract: those that may be embedded and quoted. */
export function sentencesOf(abstract: string): SentenceSpan[] {
  return withoutBoilerplate(abstract, splitSentences(abstract));
}

/**
 * Whether another's text has a word, and is neither boilerplate nor a table or list that only looks
 * like one long sentence.
 */
export function isQuotable(sentence: string, charactersMax: number): boolean {
  return sentence.length <= charactersMax && WORD.test(sentence) && !isBoilerplate(sentence);
}

/** Those sentences of another's text that may be quoted. */
export function quotableSpans(
  text: string,
  spans: readonly SentenceSpan[],
  charactersMax: number,
): SentenceSpan[] {
  const own = withoutBoilerplate(text, spans);
  return own.filter(({ start, end }) => isQuotable(text.slice(start, end), charactersMax));
}
