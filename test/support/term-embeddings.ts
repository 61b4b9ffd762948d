/** Writes files of term embeddings, as models/training/term_embeddings.py does. */
import { termOf } from '../../src/text/terms.ts';

/** A file of these words' embeddings, which must all have the same length. */
export function encodeTermEmbeddings(
  words: Record<string, readonly number[]>,
  scale: number,
): Buffer {
  const rows = Object.entries(words)
    .map(([word, codes]) => ({ term: termOf(word), codes }))
    .sort((a, b) => a.term - b.term);
  const dimensions = rows[0]?.codes.length ?? 0;
  const header = Buffer.alloc(12 + 4 * rows.length);
  header.writeUInt32LE(rows.length, 0);
  header.writeUInt32LE(dimensions, 4);
  header.writeFloatLE(scale, 8);
  for (const [row, { term }] of rows.entries()) header.writeUInt32LE(term, 12 + 4 * row);
  const codes = Int8Array.from(rows.flatMap((row) => [...row.codes]));
  return Buffer.concat([header, Buffer.from(codes.buffer)]);
}

/** A vector of 64 codes that is 127 in one place. */
export function oneHot(at: number): number[] {
  return Array.from({ length: 64 }, (_, i) => (i === at ? 127 : 0));
}
