/** A customer's question as text that no provider takes for operators. Pure. */
import { queryWords } from '../../text/words.ts';
import { LaneSkip } from '../lane/lane-errors.ts';
import { plainLine } from './plain-text.ts';

/** One form for questions that differ in white space or case only. */
export function normalizeQuery(query: string): string {
  return plainLine(query).normalize('NFC').toLowerCase();
}

/** A letter or digit by itself, such as what is left of "Crohn's", which every text has. */
const SINGLE = /^[\p{Script=Latin}\p{N}]$/u;

/** The telling words, joined so that any of them will do. Throws a LaneSkip without any. */
export function anyWordOf(
  query: string,
  wordsMax: number,
  toTerm = (word: string) => word,
): string {
  const words = queryWords(query, Number.POSITIVE_INFINITY)
    .filter((word) => !SINGLE.test(word))
    .slice(0, wordsMax);
  if (words.length === 0) throw new LaneSkip('no_words');
  return words.map(toTerm).join(' OR ');
}

export interface QueryTextLimits {
  charactersMax: number;
  wordsMax?: number;
}

/**
 * The question without quotes, brackets and other marks that have a meaning somewhere, cut off at
 * a word. Throws a LaneSkip where nothing is left.
 */
export function plainQuery(query: string, { charactersMax, wordsMax }: QueryTextLimits): string {
  const words = plainLine(query)
    .replace(/["“”„«»()[\]{}<>\\^~*|]/g, ' ')
    .split(/\s+/)
    // Leading marks choose engines, languages and exclusions: "!go", ":fr", "-word", "+word".
    .map((word) => word.replace(/^[!:?+-]+/, ''))
    .filter((word) => /[\p{L}\p{N}]/u.test(word));
  let text = '';
  for (const word of words.slice(0, wordsMax)) {
    const longer = text === '' ? word : `${text} ${word}`;
    if (longer.length > charactersMax) break;
    text = longer;
  }
  if (text === '') throw new LaneSkip('no_words');
  return text;
}
