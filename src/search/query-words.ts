/** From a question in plain words to the words that the full-text search looks up. Pure. */
import { stopWords } from './stop-words.ts';

/** Letters, digits and marks: what FTS5's unicode61 tokenizer keeps too. */
const WORD = /[\p{L}\p{N}\p{M}\p{Co}]+/gu;

/**
 * The distinct words of a text in lower case, without those that occur in every text, at most
 * `wordsMax`. A text of nothing but common words keeps them: "to be or not to be" is a question.
 */
export function queryWords(text: string, wordsMax: number): string[] {
  const words = new Set((text.normalize('NFC').match(WORD) ?? []).map((w) => w.toLowerCase()));
  const rare = [...words].filter((word) => !stopWords.has(word));
  return (rare.length > 0 ? rare : [...words]).slice(0, wordsMax);
}
