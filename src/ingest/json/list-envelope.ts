/**
 * Recognizes the object around a list of records in an API response: metadata of the query, then the
 * list. Pure.
 *
 *   {"meta": {"count": 2, "page": 1}, "results": [ {...}, {...} ]}
 */

/**
 * Keys of the lists, in order: Crossref, OpenAlex and DOAJ, Semantic Scholar and DataCite, Semantic
 * Scholar's recommendations, Europe PMC.
 */
const LIST_KEYS = ['items', 'results', 'data', 'recommendedPapers', 'result'];

const LIST_START = new RegExp(`(?<!\\\\)"(?:${LIST_KEYS.join('|')})"\\s*:\\s*\\[`);
const LIST_KEY_AT_END = new RegExp(`(?<!\\\\)"(?:${LIST_KEYS.join('|')})"\\s*:\\s*$`);

/** Fields of records, which the object around a list does not have. */
const RECORD_FIELD =
  /(?<!\\)"(?:_?id|doi|DOI|title|display_name|abstract|authors?|paperId|paper_id|corpusid|attributes|bibjson)"\s*:/;

/** The start of a Better BibTeX file, whose settings have an id and whose collections have lists. */
const ZOTERO_LIBRARY = /^\s*\{\s*"config"\s*:\s*\{\s*"id"\s*:/;

/** Crossref puts thousands of characters of facet counts before its list. */
export const ENVELOPE_CHARACTERS_MAX = 16_384;

/** A list's key and the white space around it. */
const KEY_CHARACTERS_MAX = 64;

/** Whether an object that starts so is a Better BibTeX file. Its collections may be of any length. */
export function isZoteroLibrary(text: string): boolean {
  return ZOTERO_LIBRARY.test(text);
}

/** Whether the start of an object contains the start of a list of records. */
export function holdsList(text: string): boolean {
  if (isZoteroLibrary(text)) return true;
  const start = LIST_START.exec(text);
  return start !== null && !RECORD_FIELD.test(text.slice(0, start.index));
}

/**
 * Whether an array right after this text, the start of an object, is the list of records. `no` holds
 * for all later arrays of the object too, because the object is a record itself. `isWithin`: whether
 * the array is within another value of the object.
 */
export function listAfter(text: string, isWithin: boolean): 'yes' | 'not_yet' | 'no' {
  if (isZoteroLibrary(text)) {
    if (isWithin) return 'not_yet';
  } else if (text.length > ENVELOPE_CHARACTERS_MAX || RECORD_FIELD.test(text)) return 'no';
  return LIST_KEY_AT_END.test(text.slice(-KEY_CHARACTERS_MAX)) ? 'yes' : 'not_yet';
}
