/** Checks the text of a document. Pure. */
import { contentHash } from '../../identity/record-hash.ts';
import { sentencesOf } from '../../text/quotable.ts';
import { isSectionLabel } from '../../text/split-sentences.ts';
import type { SentenceSpan } from '../../types.ts';
import { decodeSoundSpans } from '../sentence-spans.ts';

/** What a row of a document has of its text. */
export interface TextRow {
  id: string;
  title: string;
  abstract: string;
  year: number;
  /** JSON. */
  authors: string;
  venue: string;
  content_hash: Buffer;
  sentence_spans: Buffer;
}

/** Checks that the spans are the sentences of the abstract, and that both match what was hashed. */
export function verifyText(
  row: TextRow,
  spans: readonly SentenceSpan[],
  problem: (text: string) => void,
): void {
  let end = 0;
  for (const span of spans) {
    const sentence = row.abstract.slice(span.start, span.end);
    const isInPlace = span.start >= end && span.end <= row.abstract.length;
    if (!isInPlace || sentence === '' || sentence !== sentence.trim()) {
      problem(`${row.id}: characters ${span.start} to ${span.end} of its abstract are no sentence`);
    }
    if (!isWithoutSentence(row.abstract.slice(end, span.start))) {
      problem(`${row.id}: text before ${span.start} belongs to no sentence`);
    }
    end = span.end;
  }
  if (!isWithoutSentence(row.abstract.slice(end)))
    problem(`${row.id}: text after the last sentence`);
  if (decodeSoundSpans(row.sentence_spans, row.abstract.length) === undefined) {
    problem(`${row.id}: the places of its sentences are not what was written`);
  }
  if (!hashOf(row)?.equals(row.content_hash)) {
    problem(`${row.id}: its fields do not match its hash`);
  }
}

/** Returns whether text between sentences is white space, section labels, or boilerplate. */
function isWithoutSentence(text: string): boolean {
  const paragraphs = text.trim().split(/\n\s*\n/);
  return paragraphs.every((one) => isSectionLabel(one) || sentencesOf(one).length === 0);
}

/** Returns the hash of the current fields, undefined if the authors are not JSON. */
function hashOf(row: TextRow): Buffer | undefined {
  try {
    return contentHash({ ...row, authors: JSON.parse(row.authors) });
  } catch {
    // Not what was written, whatever it is.
    return undefined;
  }
}
