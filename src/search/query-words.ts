/** From a question in plain words to the words that the full-text search looks up. Pure. */
import { stopWords } from './stop-words.ts';

/** Letters, digits and marks: what FTS5's unicode61 tokenizer keeps too. */
const WORD = /[\p{L}\p{N}\p{M}\p{Co}]+/gu;

/** The words of a text in their order, in lower case. */
export function wordsOf(text: string): string[] {
  return (text.normalize('NFC').match(WORD) ?? []).map((word) => word.toLowerCase());
}

/**
 * The distinct words of a text in lower case, without those that occur in every text, at most
 * `wordsMax`. A text of nothing but common words keeps them: "to be or not to be" is a question.
 */
export function queryWords(text: string, wordsMax: number): string[] {
  const words = new Set(wordsOf(text));
  const rare = [...words].filter((word) => !stopWords.has(word));
  return (rare.length > 0 ? rare : [...words]).slice(0, wordsMax);
}
