/**
 * The title index: finds documents by a title that may lack its subtitle or have a few other words.
 * `src/identity/title-keys.ts` makes the keys.
 */

import type { Connection } from '../../database/sqlite/connection.ts';
import { type TitleKeys, titleKeysOf } from '../../identity/title-keys.ts';
import type { DocumentNumber } from '../../types.ts';

/**
 * Documents that are read of one key. More share only a pair of words that many titles have. A call looks
 * up as many as 600 titles with 6 pairs each.
 */
export const DOCUMENTS_PER_KEY_MAX = 250;
/** A whole title counts as much as all pairs of words. */
const WHOLE_WEIGHT = 6;

/**
 * Returns a function that finds at most `most` documents whose titles resemble a title: first those
 * with the same letters or the same main title, then those that share most pairs of long words.
 */
export function createTitleLookup(
  db: Connection,
): (title: string, most: number) => DocumentNumber[] {
  const find = db.prepare('SELECT document FROM title_keys WHERE key = ? LIMIT ?').pluck();
  const documentsWith = (key: number): DocumentNumber[] =>
    find.all(key, DOCUMENTS_PER_KEY_MAX) as DocumentNumber[];
  return (title, most) => rankByTitleKeys(titleKeysOf(title), documentsWith).slice(0, most);
}

/** The documents with any of the keys of a title, the most similar first. */
export function rankByTitleKeys(
  { whole, pairs }: TitleKeys,
  documentsWith: (key: number) => readonly DocumentNumber[],
): DocumentNumber[] {
  const weights = new Map<DocumentNumber, number>();
  const count = (key: number, weight: number): void => {
    for (const document of documentsWith(key)) {
      weights.set(document, (weights.get(document) ?? 0) + weight);
    }
  };
  for (const key of whole) count(key, WHOLE_WEIGHT);
  for (const key of pairs) count(key, 1);
  return [...weights]
    .sort(([a, one], [b, other]) => other - one || a - b)
    .map(([document]) => document);
}

/** All keys of a title, for writing and for verification. */
export function allKeysOf(title: string): number[] {
  const { whole, pairs } = titleKeysOf(title);
  return [...new Set([...whole, ...pairs])];
}
