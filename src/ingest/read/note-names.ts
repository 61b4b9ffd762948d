/** Files that lie beside records and hold none, by their names. Pure. */

/** What programs and people put beside data. Some quote a record, so their content is no guide. */
const NOTES: readonly RegExp[] = [
  /^(?:readme|licen[cs]e|copying|notice|changelog|contributing|code_of_conduct)(?:[^a-z].*)?$/i,
  /^manifest(?:\.(?:json|csv|tsv|txt|xml))?$/i,
  // Of Spark and Hadoop.
  /^_(?:success|metadata|common_metadata|committed_.*|started_.*)$/i,
  /\.(?:md|markdown)$/i,
];

/** Why it is passed over, after a colon. */
export const NOTE_REASON = 'its name is that of a note, not of data';

/** Whether a file of this name is a note, not data. */
export function isNoteName(name: string): boolean {
  return NOTES.some((pattern) => pattern.test(name));
}
