/** Reads the vectors of stored units, so that unchanged texts need not be embedded again. */

import type { Connection } from '../../database/sqlite/connection.ts';
import type { DocumentNumber } from '../../types.ts';
import {
  embeddingCount,
  FIRST_SENTENCE,
  type QuantizedUnit,
  unitsOf,
} from '../dense/embeddings.ts';
import { decodeForwardEntry, VECTORS_AT_SQL } from '../forward-index.ts';
import { decodeSpans } from '../sentence-spans.ts';

/** The texts of a document and its forward index entry. */
export interface StoredTextsRow {
  title: string;
  abstract: string;
  sentence_spans: Buffer;
  forwardEntry: Buffer;
}

/**
 * Returns a function that reads the vectors of documents by their texts. Missing documents, and
 * documents with damaged vectors, have none. `dimensions` are those of the index's model.
 */
export function prepareReadUnits(db: Connection, dimensions: number) {
  // One statement for text and vectors: another connection could write between two.
  const read = db.prepare(
    `SELECT title, abstract, sentence_spans, packed AS forwardEntry
     FROM documents JOIN signals ON document = number WHERE number = ?`,
  );
  return (documents: readonly (DocumentNumber | null)[]): Map<string, QuantizedUnit> => {
    const units = new Map<string, QuantizedUnit>();
    for (const number of new Set(documents)) {
      const row = read.get(number) as StoredTextsRow | undefined;
      for (const [text, unit] of row === undefined ? [] : unitsIn(row, dimensions)) {
        units.set(text, unit);
      }
    }
    return units;
  };
}

/** Returns the vectors of a document by its texts; none if its entry is damaged. */
export function unitsIn(
  row: StoredTextsRow,
  dimensions: number,
): [text: string, unit: QuantizedUnit][] {
  if (row.forwardEntry.length < VECTORS_AT_SQL) return [];
  const spans = decodeSpans(row.sentence_spans);
  const { vectors } = decodeForwardEntry(row.forwardEntry);
  if (embeddingCount(vectors, dimensions) !== spans.length + FIRST_SENTENCE) return [];
  const texts = [row.title, ...spans.map(({ start, end }) => row.abstract.slice(start, end))];
  const units = unitsOf(vectors, dimensions);
  return texts
    .map((text, index): [string, QuantizedUnit] => [text, units[index] as QuantizedUnit])
    .filter(([text]) => text.trim() !== '');
}
