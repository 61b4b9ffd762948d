/**
 * The object around a list of records, as APIs answer it: it counts and names the query, and then
 * comes the list. Pure.
 *
 *   {"meta": {"count": 2, "page": 1}, "results": [ {...}, {...} ]}
 */

/**
 * What the lists of records are called: Crossref, OpenAlex and DOAJ, Semantic Scholar and DataCite,
 * Semantic Scholar's recommendations, Europe PMC.
 */
const LIST_KEYS = ['items', 'results', 'data', 'recommendedPapers', 'result'];

const LIST_START = new RegExp(`(?<!\\\\)"(?:${LIST_KEYS.join('|')})"\\s*:\\s*\\[`);
const LIST_KEY_AT_END = new RegExp(`(?<!\\\\)"(?:${LIST_KEYS.join('|')})"\\s*:\\s*$`);

/** What a record says, and the object around a list of them does not. */
const RECORD_FIELD =
  /(?<!\\)"(?:_?id|doi|DOI|title|display_name|abstract|authors?|paperId|paper_id|corpusid|attributes|bibjson)"\s*:/;

/** Crossref puts the counts of its facets in front of its list, some thousands of characters. */
export const ENVELOPE_CHARACTERS_MAX = 16_384;

/** A list's key and the white space around it. */
const KEY_CHARACTERS_MAX = 64;

/** Whether this text, the start of an object, opens a list of records somewhere. */
export function holdsList(text: string): boolean {
  const start = LIST_START.exec(text);
  return start !== null && !RECORD_FIELD.test(text.slice(0, start.index));
}

/**
 * Whether an array that follows this text, the whole start of an object, is a list of records:
 * `no` also for every later array of the object, as it is a record itself.
 */
export function listAfter(text: string): 'yes' | 'not_yet' | 'no' {
  if (text.length > ENVELOPE_CHARACTERS_MAX) return 'no';
  if (RECORD_FIELD.test(text)) return 'no';
  return LIST_KEY_AT_END.test(text.slice(-KEY_CHARACTERS_MAX)) ? 'yes' : 'not_yet';
}
