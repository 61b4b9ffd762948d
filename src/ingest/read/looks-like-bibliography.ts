/** Tells files of records that no format recognizes from files of other things. Pure. */

/** Files of reference managers and databases. */
const NAME = /\.(?:bib|biblatex|ris|enw|enl|refer|nbib|medline|ciw|isi|cff|mods|rdf)$/i;

const PAGE = /^\s*<(?:!doctype\s+)?html/i;
const DOI = /\b10\.\d{4,9}\//;
const FIELDS = [/\btitle/i, /\b(?:abstract|author|creator)/i];

/** Whether a file has the name of a bibliography, or fields and DOIs of papers in its head. */
export function looksLikeBibliography(path: string, text: string): boolean {
  if (NAME.test(path)) return true;
  return !PAGE.test(text) && DOI.test(text) && FIELDS.every((field) => field.test(text));
}
