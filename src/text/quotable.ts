/** What of another's text may be quoted as a sentence. Pure. */
import type { SentenceSpan } from '../types.ts';

/** Two letters or digits in a row, or one of a script that writes words without blanks. */
const WORD =
  /[\p{L}\p{N}]{2}|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

/** Whether a text has a word, and is no table or list that only looks like one long sentence. */
export function isQuotable(sentence: string, charactersMax: number): boolean {
  return sentence.length <= charactersMax && WORD.test(sentence);
}

/** Those sentences of a text that may be quoted. */
export function quotableSpans(
  text: string,
  spans: readonly SentenceSpan[],
  charactersMax: number,
): SentenceSpan[] {
  return spans.filter(({ start, end }) => isQuotable(text.slice(start, end), charactersMax));
}
