/** The sentences that Semantic Scholar marked in a snippet. Pure. */

import { plainLine } from '../text/plain-text.ts';
import { isCut } from '../text/whole-sentences.ts';
import { type JsonObject, objectOf, objectsOf, stringOf } from './json.ts';

/**
 * Its marks count code points, ours are UTF-16 code units. A mark that is out of range, or in the
 * middle of a word, is left out, and so is all of a snippet without marks: it is an excerpt, and
 * where its sentences begin and end is not ours to guess. A title is no sentence.
 */
export function snippetSentences(snippet: JsonObject): string[] {
  if (snippet['snippetKind'] === 'title') return [];
  const characters = [...stringOf(snippet['text'])];
  const isLetter = (index: number): boolean => /[\p{L}\p{N}]/u.test(characters[index] ?? '');
  const isTornAt = (index: number): boolean => isLetter(index - 1) && isLetter(index);
  return objectsOf(objectOf(snippet['annotations'])['sentences'])
    .map(({ start, end }) => ({ start: Number(start ?? -1), end: Number(end ?? -1) }))
    .filter(({ start, end }) => Number.isInteger(start) && Number.isInteger(end))
    .filter(({ start, end }) => start >= 0 && start < end && end <= characters.length)
    .filter(({ start, end }) => !isTornAt(start) && !isTornAt(end))
    .map(({ start, end }) => plainLine(characters.slice(start, end).join('')))
    .filter((sentence) => sentence !== '' && !isCut(sentence));
}
