/** Reads the vectors of stored titles and sentences: a text that stays is not embedded again. */
import type { DocumentNumber } from '../../../types.ts';
import type { Connection } from '../../database/connection.ts';
import { embeddingCount, FIRST_SENTENCE, type PackedUnit, unitsOf } from '../dense/embeddings.ts';
import { readSignals, VECTORS_AT_SQL } from '../forward-index.ts';
import { unpackSpans } from '../sentence-spans.ts';

interface Row {
  title: string;
  abstract: string;
  sentence_spans: Buffer;
  packed: Buffer;
}

/**
 * Returns a function that reads the vectors of some documents by their texts. Documents that are
 * not there, or whose vectors are damaged, have none. `dimensions` of the index's model.
 */
export function prepareReadUnits(db: Connection, dimensions: number) {
  // Text and vectors in one statement: another connection may write between two.
  const read = db.prepare(
    `SELECT title, abstract, sentence_spans, packed
     FROM documents JOIN signals ON document = number WHERE number = ?`,
  );
  return (documents: readonly (DocumentNumber | null)[]): Map<string, PackedUnit> => {
    const units = new Map<string, PackedUnit>();
    for (const number of new Set(documents)) {
      const row = read.get(number) as Row | undefined;
      for (const [text, unit] of row === undefined ? [] : unitsIn(row, dimensions)) {
        units.set(text, unit);
      }
    }
    return units;
  };
}

function unitsIn(row: Row, dimensions: number): [text: string, unit: PackedUnit][] {
  if (row.packed.length < VECTORS_AT_SQL) return [];
  const spans = unpackSpans(row.sentence_spans);
  const { vectors } = readSignals(row.packed);
  if (embeddingCount(vectors, dimensions) !== spans.length + FIRST_SENTENCE) return [];
  const texts = [row.title, ...spans.map(({ start, end }) => row.abstract.slice(start, end))];
  const units = unitsOf(vectors, dimensions);
  return texts
    .map((text, index): [string, PackedUnit] => [text, units[index] as PackedUnit])
    .filter(([text]) => text.trim() !== '');
}
