/** Recognizes files that accompany data by their names. Pure. */

/** Some of these files quote a record, so their content cannot tell. */
const NOTES: readonly RegExp[] = [
  /^(?:readme|licen[cs]e|copying|notice|changelog|contributing|code_of_conduct)(?:[^a-z].*)?$/i,
  /^manifest(?:\.(?:json|csv|tsv|txt|xml))?$/i,
  // Spark and Hadoop write these.
  /^_(?:success|metadata|common_metadata|committed_.*|started_.*)$/i,
  /\.(?:md|markdown)$/i,
];

/** Why a note is passed over, for use after a colon. */
export const NOTE_REASON = 'its name is that of a note, not of data';

/** Whether a file with this name is a note rather than data. */
export function isNoteName(name: string): boolean {
  return NOTES.some((pattern) => pattern.test(name));
}
