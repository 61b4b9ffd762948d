/** The words that a query looks up. Pure. */
import { languageOf, stopWordsOf, type TextLanguage } from './language.ts';
import { stopWords } from './stop-words.ts';
import { wordsOf } from './words.ts';

/**
 * The distinct words of a query without stop words of English and of its language, at most `wordsMax`. A
 * query of nothing but stop words keeps them: "to be or not to be".
 */
export function queryWords(
  text: string,
  wordsMax: number,
  language: TextLanguage = languageOf(text),
): string[] {
  const words = [...new Set(wordsOf(text))];
  const more = stopWordsOf(language);
  const rare = words.filter((word) => !stopWords.has(word) && !more.has(word));
  return (rare.length > 0 ? rare : words).slice(0, wordsMax);
}
