/** The words of a quote or a source in the forms in which they are compared. Pure. */
import type { Token } from './quote-tokens.ts';
import { wholeWords } from './whole-words.ts';

export interface WordList {
  /** Whole words and marks. */
  tokens: readonly Token[];
  /** The words in lower case, without the marks. */
  texts: readonly string[];
  /** The places of these words among the tokens. */
  places: readonly number[];
}

export function wordListOf(parts: readonly Token[]): WordList {
  const tokens = wholeWords(parts);
  const texts: string[] = [];
  const places: number[] = [];
  for (const [at, { isWord, text }] of tokens.entries()) {
    if (!isWord) continue;
    texts.push(text.toLowerCase());
    places.push(at);
  }
  return { tokens, texts, places };
}
