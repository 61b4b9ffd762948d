/** A customer's question as text in which no provider finds operators. */
import { queryWords } from '../../text/query-words.ts';
import { LaneSkip } from '../lane/lane-errors.ts';
import { plainLine } from './plain-text.ts';

/** Maps questions that differ only in white space or case to one form. */
export function normalizeQuery(query: string): string {
  return plainLine(query).normalize('NFC').toLowerCase();
}

/** A single letter or digit, such as the "s" of "Crohn's". Every text has it. */
const SINGLE = /^[\p{Script=Latin}\p{N}]$/u;

/** The content words of a question, joined by OR. Throws a LaneSkip if there are none. */
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
 * The question without quotes, brackets, and other marks that are operators somewhere, cut at a word
 * boundary. Throws a LaneSkip if nothing is left.
 */
export function plainQuery(query: string, { charactersMax, wordsMax }: QueryTextLimits): string {
  const words = plainLine(query)
    .replace(/["“”„«»()[\]{}<>\\^~*|]/g, ' ')
    .split(/\s+/)
    // Leading marks select engines, languages, and exclusions: "!go", ":fr", "-word", "+word".
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
