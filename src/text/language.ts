/**
 * The language of a text, by its script and its most common words. It is what decides how sentences are
 * split and which words are stemmed. It depends on the text alone: what a source declares is the language
 * of the paper, whose abstract is often English. A text is English unless it is clearly not. Pure.
 */
import { stopWords } from './stop-words.ts';
import { wordsOf } from './words.ts';
import {
  type WordedLanguage,
  wordsByLanguage,
  wordsInNames,
  wordsOfSeveral,
  wordsThatAsk,
} from './words-of-languages.ts';

/** A code of ISO 639-1; `und` for a script that is none of these languages. */
export type TextLanguage = 'en' | WordedLanguage | 'zh' | 'ja' | 'ko' | 'und';

/** The start of a text tells as much as all of it. */
const CHARACTERS_READ_MAX = 500;
/** Fewer words may be names, unless they ask. One of them must be no word of names. */
const DISTINCT_WORDS_MIN = 2;
/** A text in another language has so many times as many words of it as English ones. */
const WORDS_PER_ENGLISH_WORD = 2;
/**
 * A text is in another script if so many times its letters are more than the Latin ones: Chinese has many
 * Latin names, and a character of Chinese says as much as a few letters.
 */
const LATIN_LETTERS_PER_LETTER = 3;
/** Japanese has at least one in so many characters in kana. */
const CHARACTERS_PER_KANA = 10;

const ASCII_ONLY = /^\p{ASCII}*$/u;
const languagesOfWord = new Map<string, WordedLanguage[]>();
for (const [language, words] of Object.entries(wordsByLanguage)) {
  for (const word of words) {
    const languages = languagesOfWord.get(word) ?? [];
    languagesOfWord.set(word, [...languages, language as WordedLanguage]);
  }
}

const NONE: ReadonlySet<string> = new Set();
const stopWordsByLanguage = new Map<TextLanguage, ReadonlySet<string>>(
  Object.entries(wordsByLanguage).map(([language, words]) => [
    language as WordedLanguage,
    new Set(words),
  ]),
);

/** Returns the language of a text, of which it reads the first 500 characters. */
export function languageOf(text: string): TextLanguage {
  const start = text.slice(0, CHARACTERS_READ_MAX);
  return languageOfScript(start) ?? languageOfWords(wordsOf(start));
}

/** Whether a language in Latin script is not English, so that the English stemmer does not fit it. */
export function isWorded(language: TextLanguage): language is WordedLanguage {
  return language in wordsByLanguage;
}

/** The stop words of a language besides those of English; none if it is not in Latin script. */
export function stopWordsOf(language: TextLanguage): ReadonlySet<string> {
  return stopWordsByLanguage.get(language) ?? NONE;
}

/** Returns undefined for a text in Latin script, and for one without letters. */
function languageOfScript(text: string): TextLanguage | undefined {
  if (ASCII_ONLY.test(text)) return undefined;
  const letters = countOf(text, /(?!\p{Script=Latin})\p{L}/gu);
  if (letters === 0) return undefined;
  const latin = countOf(text, /\p{Script=Latin}/gu);
  const kana = countOf(text, /[\p{Script=Hiragana}\p{Script=Katakana}]/gu);
  const hangul = countOf(text, /\p{Script=Hangul}/gu);
  const han = countOf(text, /\p{Script=Han}/gu);
  if (LATIN_LETTERS_PER_LETTER * letters <= latin) return undefined;
  const ideographic = kana + hangul + han;
  if (LATIN_LETTERS_PER_LETTER * ideographic <= letters) return 'und';
  if (hangul > han + kana) return 'ko';
  return kana * CHARACTERS_PER_KANA >= ideographic ? 'ja' : 'zh';
}

function countOf(text: string, letter: RegExp): number {
  return text.match(letter)?.length ?? 0;
}

/** The language with the most of the words, English unless they are clearly of another one. */
function languageOfWords(words: readonly string[]): TextLanguage {
  let english = 0;
  const counts = new Map<WordedLanguage, number>();
  const distinct = new Map<WordedLanguage, Set<string>>();
  for (const word of words) {
    const languages = languagesOfWord.get(word);
    if (languages === undefined) {
      if (stopWords.has(word) && !wordsOfSeveral.has(word)) english++;
      continue;
    }
    for (const language of languages) {
      counts.set(language, (counts.get(language) ?? 0) + 1);
      distinct.set(language, (distinct.get(language) ?? new Set()).add(word));
    }
  }
  let best: TextLanguage = 'en';
  let most = WORDS_PER_ENGLISH_WORD * english;
  for (const [language, count] of counts) {
    const own = distinct.get(language) as Set<string>;
    if (count <= most || !areClear([...own])) continue;
    best = language;
    most = count;
  }
  return best;
}

/** Whether distinct words of a language tell it. */
function areClear(words: readonly string[]): boolean {
  if (words.length < DISTINCT_WORDS_MIN) return words.some((word) => wordsThatAsk.has(word));
  return words.some((word) => !wordsInNames.has(word));
}
