/** Checks what each document is scored by against its text: its vectors, its terms, their counts. */
import type { Term } from '../../../text/terms.ts';
import type { DocumentId, DocumentNumber, SentenceSpan } from '../../../types.ts';
import type { Connection } from '../../database/connection.ts';
import { embeddingCount, FIRST_SENTENCE, unpackEmbeddings } from '../dense/embeddings.ts';
import { readSignals, type Signals, VECTORS_AT_SQL } from '../forward-index.ts';
import { packTerms, readTermVector, type TermVector, termAt } from '../lexical/term-vectors.ts';

/** Stored unit vectors are rounded, the own one to 8 bits: its length may differ from 1 by so much. */
const OWN_LENGTH_TOLERANCE = 0.02;
/** The others, of 4 bits, come back longer: on the sample documents by 0.004 to 0.016. */
const UNIT_LENGTH_TOLERANCE = 0.1;

export interface CheckedDocument {
  number: DocumentNumber;
  id: DocumentId;
  title: string;
  abstract: string;
  spans: readonly SentenceSpan[];
  /** The blob of signals.ts; null where there is none. */
  packed: Buffer | null;
}

export interface SignalsCheck {
  document(document: CheckedDocument): void;
  /** After all documents: compares the stored counts with what they have. */
  counts(db: Connection): void;
  /** Terms of the documents so far, repeated ones included. */
  terms(): number;
}

export interface SignalsCheckOptions {
  /** Of the index's model. */
  dimensions: number;
  problem: (text: string) => void;
  /** Is told of each document's terms, by its text. */
  onTerms: (document: DocumentNumber, terms: TermVector) => void;
}

export function createSignalsCheck(options: SignalsCheckOptions): SignalsCheck {
  const { dimensions, problem, onTerms } = options;
  /** In how many documents each term occurs. */
  const counts = new Map<Term, number>();
  let total = 0;
  return {
    document({ number, id, title, abstract, spans, packed }) {
      const expected = packTerms(title, abstract, spans);
      const terms = readTermVector(expected);
      total += terms.length;
      onTerms(number, terms);
      for (let at = 0; at < terms.size; at++) {
        const term = termAt(terms, at);
        counts.set(term, (counts.get(term) ?? 0) + 1);
      }
      const signals = signalsOf(packed);
      const found = signals === undefined ? 0 : embeddingCount(signals.vectors, dimensions);
      const vectors = spans.length + FIRST_SENTENCE;
      if (signals === undefined || found !== vectors) {
        problem(`${id}: ${vectors} vectors expected, ${found} stored`);
        return;
      }
      for (const [index, vector] of unpackEmbeddings(signals.vectors, dimensions).entries()) {
        const length = lengthOf(vector);
        const tolerance = index === 0 ? OWN_LENGTH_TOLERANCE : UNIT_LENGTH_TOLERANCE;
        if (Math.abs(length - 1) < tolerance) continue;
        problem(`${id}: vector ${index} has the length ${length.toFixed(3)}, not 1`);
      }
      if (!signals.terms.equals(expected)) problem(`${id}: its terms are not those of its text`);
    },
    counts: (db) => verifyCounts(db, counts, problem),
    terms: () => total,
  };
}

/** Undefined where there is no blob, or one that breaks off before its vectors. */
function signalsOf(packed: Buffer | null): Signals | undefined {
  return packed === null || packed.length < VECTORS_AT_SQL ? undefined : readSignals(packed);
}

/** Not by `Math.hypot`, which takes ten times as long. */
function lengthOf(vector: Float32Array): number {
  let squares = 0;
  for (let i = 0; i < vector.length; i++) squares += (vector[i] as number) ** 2;
  return Math.sqrt(squares);
}

function verifyCounts(
  db: Connection,
  counts: ReadonlyMap<Term, number>,
  problem: (text: string) => void,
): void {
  const rows = db.prepare('SELECT term, documents FROM term_counts').iterate();
  let stored = 0;
  for (const { term, documents } of rows as Iterable<{ term: Term; documents: number }>) {
    stored++;
    const counted = counts.get(term) ?? 0;
    if (documents === counted && counted > 0) continue;
    problem(`term ${term}: the counts say ${documents} documents, counted are ${counted}`);
  }
  // Every term that is stored and was not told of above is one of those that were counted.
  if (stored < counts.size) problem(`terms without a count: ${counts.size - stored}`);
}
