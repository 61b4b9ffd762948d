/**
 * Checks what both databases store alike: each document's text, its forward index entry, the term counts,
 * the postings, and the totals. It gets rows, and keeps sums of them. Pure.
 */
import type { Term } from '../../text/terms.ts';
import type { DocumentNumber } from '../../types.ts';
import { decodeEmbeddings, embeddingCount, FIRST_SENTENCE } from '../dense/embeddings.ts';
import { decodeForwardEntry, type ForwardEntry, VECTORS_AT_SQL } from '../forward-index.ts';
import type { TotalsChange } from '../index-facts.ts';
import { decodeBlock, type PostingsBlock } from '../lexical/postings.ts';
import { decodeTermVector, expectedTermVector, termsIn } from '../lexical/term-vectors.ts';
import { decodeSpans } from '../sentence-spans.ts';
import type { ReportProblem } from './verify-merged.ts';
import { type TextRow, verifyText } from './verify-text.ts';

/** The tolerance of an own vector's length of 1, because its 8 bits are rounded. */
const OWN_LENGTH_TOLERANCE = 0.02;
/** Units have 4 bits and come back longer: by 0.004 to 0.016 on the sample documents. */
const UNIT_LENGTH_TOLERANCE = 0.1;

export interface VerifyReport {
  documents: number;
  sentences: number;
  /** One sentence per defect, at most `problemsMax`. Empty if the index is sound. */
  problems: string[];
}

/** Returns an empty report, and the function that adds problems to it. */
export function startReport(problemsMax: number): { report: VerifyReport; problem: ReportProblem } {
  const report: VerifyReport = { documents: 0, sentences: 0, problems: [] };
  const problem = (text: string): void => {
    if (report.problems.length < problemsMax) report.problems.push(text);
  };
  return { report, problem };
}

export interface CheckedDocument extends TextRow {
  number: DocumentNumber;
  /** The blob of forward-index.ts; null if there is none. */
  forwardEntry: Buffer | null;
}

export interface IndexCheckOptions {
  report: Pick<VerifyReport, 'documents' | 'sentences'>;
  /** Those of the index's model. */
  dimensions: number;
  /** The last document that the postings cover. */
  indexedUpTo: DocumentNumber;
  problem: ReportProblem;
}

/**
 * Of each term it keeps a count and a checksum instead of whole postings lists, which would take as much
 * memory as the table. The checksum is a sum of hashed document numbers: two different lists of the
 * same length share it once in some billion times.
 */
export function createIndexCheck(options: IndexCheckOptions) {
  const { report, indexedUpTo, problem } = options;
  /** The document frequency of each term. */
  const frequencies = new Map<Term, number>();
  let terms = 0;
  let stored = 0;
  /** What the postings lack of each term. */
  const counts = new Map<Term, number>();
  const sums = new Map<Term, number>();
  const note = (term: Term, document: DocumentNumber, by: 1 | -1): void => {
    counts.set(term, (counts.get(term) ?? 0) + by);
    sums.set(term, ((sums.get(term) ?? 0) + by * scatter(document)) | 0);
  };
  return {
    document(row: CheckedDocument): void {
      const spans = decodeSpans(row.sentence_spans);
      verifyText(row, spans, problem);
      const entry = decodeEntry(row.forwardEntry);
      const expected = expectedTermVector(row, spans, entry?.terms);
      const vector = decodeTermVector(expected);
      terms += vector.length;
      for (const term of termsIn(vector)) {
        frequencies.set(term, (frequencies.get(term) ?? 0) + 1);
        if (row.number <= indexedUpTo) note(term, row.number, 1);
      }
      const wanted = { vectors: spans.length + FIRST_SENTENCE, terms: expected };
      verifyEntry(row.id, { entry, wanted }, options);
      report.documents++;
      report.sentences += spans.length;
    },
    /** Compares a stored count with the documents. Call it after all documents. */
    count(term: Term, documents: number): void {
      stored++;
      const counted = frequencies.get(term) ?? 0;
      if (documents === counted && counted > 0) return;
      problem(`term ${term} occurs in ${counted} documents, but term_counts says ${documents}`);
    },
    /** Takes a stored block of a term. */
    block(block: PostingsBlock & { term: Term }): void {
      let before = 0;
      for (const document of decodeBlock(block)) {
        if (document > indexedUpTo) break;
        if (document <= before) problem(`the postings of term ${block.term} are not ascending`);
        before = document;
        note(block.term, document, -1);
      }
    },
    /** Compares the sums, and the stored totals. Call it after all documents, counts, and blocks. */
    finish(totals: Partial<Record<keyof TotalsChange, unknown>>): void {
      // Stored counts were compared above, so a lower number means that counts are missing.
      const missing = frequencies.size - stored;
      if (missing > 0) problem(`terms without a count: ${missing}`);
      for (const [term, count] of counts) {
        if (count !== 0) problem(`the postings of term ${term} lack ${count} documents`);
        else if (sums.get(term) !== 0) problem(`the postings of term ${term} are other documents`);
      }
      const { documents, sentences } = report;
      for (const [name, counted] of Object.entries({ documents, sentences, terms })) {
        const said = totals[name as keyof TotalsChange];
        if (said === counted) continue;
        problem(`the index has ${counted} ${name}, but index_facts says ${said ?? 'nothing'}`);
      }
    },
  };
}

function verifyEntry(
  id: string,
  {
    entry,
    wanted,
  }: { entry: ForwardEntry | undefined; wanted: { vectors: number; terms: Buffer } },
  { dimensions, problem }: IndexCheckOptions,
): void {
  const found = entry === undefined ? 0 : embeddingCount(entry.vectors, dimensions);
  if (entry === undefined || found !== wanted.vectors) {
    problem(`${id}: ${wanted.vectors} vectors expected, ${found} stored`);
    return;
  }
  for (const [index, vector] of decodeEmbeddings(entry.vectors, dimensions).entries()) {
    const length = lengthOf(vector);
    const tolerance = index === 0 ? OWN_LENGTH_TOLERANCE : UNIT_LENGTH_TOLERANCE;
    if (Math.abs(length - 1) < tolerance) continue;
    problem(`${id}: vector ${index} has the length ${length.toFixed(3)}, not 1`);
  }
  if (!entry.terms.equals(wanted.terms)) problem(`${id}: its terms are not those of its text`);
}

/** Returns undefined if there is no blob, or if it ends before its vectors. */
function decodeEntry(blob: Buffer | null): ForwardEntry | undefined {
  return blob === null || blob.length < VECTORS_AT_SQL ? undefined : decodeForwardEntry(blob);
}

/** `Math.hypot` would take ten times as long. */
function lengthOf(vector: Float32Array): number {
  let squares = 0;
  for (let i = 0; i < vector.length; i++) squares += (vector[i] as number) ** 2;
  return Math.sqrt(squares);
}

/** Hashes a document number (the finalizer of MurmurHash3, Austin Appleby). */
function scatter(document: DocumentNumber): number {
  let value = Math.imul(document ^ (document >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return (value ^ (value >>> 16)) | 0;
}
