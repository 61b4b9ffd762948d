/** The facets of all documents in memory. */
import type { Connection } from '../../database/sqlite/connection.ts';
import type { DocumentNumber } from '../../types.ts';
import { readRevision } from '../index-facts.ts';
import { FACET_BYTES, FACET_WORDS, YEAR_MAX } from './facets.ts';

export interface FacetsOfAll {
  /** `FACET_WORDS` for each document, by its number. */
  words: Uint32Array;
  /** The citations of each document, by its number. */
  citations: Uint32Array;
  /** One more than the last number. */
  size: number;
}

/** Returns the year of a document; 0 if it is unknown. */
export function yearIn({ words }: FacetsOfAll, document: DocumentNumber): number {
  return (words[document * FACET_WORDS] ?? 0) & YEAR_MAX;
}

/** Returns a function that returns the facets of all documents, read again after each change. */
export function createFacetsOfAll(db: Connection): () => FacetsOfAll {
  const revisionNow = readRevision(db);
  const readBlocks = db
    .prepare('SELECT block, packed, citations FROM document_facets ORDER BY block')
    .raw();
  let facets = { words: new Uint32Array(0), citations: new Uint32Array(0), size: 0 };
  let revision: number | undefined;
  return () => {
    const current = revisionNow();
    if (current === revision) return facets;
    const blocks = readBlocks.all() as [block: number, packed: Buffer, citations: Buffer | null][];
    const [last] = blocks.at(-1) ?? [-1];
    const blockBytes = blocks.at(-1)?.[1].length ?? 0;
    const bytes = new Uint8Array((last + 1) * blockBytes);
    const size = bytes.length / FACET_BYTES;
    const counts = new Uint8Array(size * Uint32Array.BYTES_PER_ELEMENT);
    for (const [block, packed, citations] of blocks) {
      bytes.set(packed, block * blockBytes);
      if (citations !== null) counts.set(citations, (block * blockBytes * 4) / FACET_BYTES);
    }
    facets = {
      words: new Uint32Array(bytes.buffer),
      citations: new Uint32Array(counts.buffer),
      size,
    };
    revision = current;
    return facets;
  };
}
