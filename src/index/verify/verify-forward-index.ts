/**
 * Checks each document's forward index entry (vectors and terms) and the term counts by its text. Pure.
 */
import type { Term } from '../../text/terms.ts';
import type { DocumentId, DocumentNumber, SentenceSpan } from '../../types.ts';
import { decodeEmbeddings, embeddingCount, FIRST_SENTENCE } from '../dense/embeddings.ts';
import { decodeForwardEntry, type ForwardEntry, VECTORS_AT_SQL } from '../forward-index.ts';
import {
  decodeTermVector,
  encodeTermVector,
  type TermVector,
  termAt,
} from '../lexical/term-vectors.ts';

/** The tolerance of an own vector's length of 1, because its 8 bits are rounded. */
const OWN_LENGTH_TOLERANCE = 0.02;
/** Units have 4 bits and come back longer: by 0.004 to 0.016 on the sample documents. */
const UNIT_LENGTH_TOLERANCE = 0.1;

export interface CheckedDocument {
  number: DocumentNumber;
  id: DocumentId;
  title: string;
  abstract: string;
  spans: readonly SentenceSpan[];
  /** The blob of forward-index.ts; null if there is none. */
  forwardEntry: Buffer | null;
}

export interface ForwardIndexCheck {
  document(document: CheckedDocument): void;
  /** Compares a stored count with the documents. Call it after all documents. */
  count(term: Term, documents: number): void;
  /** Reports counts that are missing. Call it after all counts. */
  finish(): void;
  /** Returns the number of terms of the documents so far, with repetitions. */
  terms(): number;
}

export interface ForwardIndexCheckOptions {
  /** Those of the index's model. */
  dimensions: number;
  problem: (text: string) => void;
  /** Gets the terms of each document's text. */
  onTerms: (document: DocumentNumber, terms: TermVector) => void;
}

export function createForwardIndexCheck(options: ForwardIndexCheckOptions): ForwardIndexCheck {
  const { dimensions, problem, onTerms } = options;
  /** The document frequency of each term. */
  const counts = new Map<Term, number>();
  let total = 0;
  let stored = 0;
  return {
    document({ number, id, title, abstract, spans, forwardEntry }) {
      const expected = encodeTermVector(title, abstract, spans);
      const terms = decodeTermVector(expected);
      total += terms.length;
      onTerms(number, terms);
      for (let at = 0; at < terms.size; at++) {
        const term = termAt(terms, at);
        counts.set(term, (counts.get(term) ?? 0) + 1);
      }
      const entry = decodeEntry(forwardEntry);
      const found = entry === undefined ? 0 : embeddingCount(entry.vectors, dimensions);
      const vectors = spans.length + FIRST_SENTENCE;
      if (entry === undefined || found !== vectors) {
        problem(`${id}: ${vectors} vectors expected, ${found} stored`);
        return;
      }
      for (const [index, vector] of decodeEmbeddings(entry.vectors, dimensions).entries()) {
        const length = lengthOf(vector);
        const tolerance = index === 0 ? OWN_LENGTH_TOLERANCE : UNIT_LENGTH_TOLERANCE;
        if (Math.abs(length - 1) < tolerance) continue;
        problem(`${id}: vector ${index} has the length ${length.toFixed(3)}, not 1`);
      }
      if (!entry.terms.equals(expected)) problem(`${id}: its terms are not those of its text`);
    },
    count(term, documents) {
      stored++;
      const counted = counts.get(term) ?? 0;
      if (documents === counted && counted > 0) return;
      problem(`term ${term} occurs in ${counted} documents, but term_counts says ${documents}`);
    },
    finish() {
      // Stored terms were compared above, so a lower number means that counts are missing.
      if (stored < counts.size) problem(`terms without a count: ${counts.size - stored}`);
    },
    terms: () => total,
  };
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
