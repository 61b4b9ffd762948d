/** Writes the facets of documents, and reads single ones. */

import type { Connection } from '../../database/sqlite/connection.ts';
import type { DocumentNumber } from '../../types.ts';
import { BLOCK_DOCUMENTS, FACET_BYTES, FACET_WORDS, type Facets } from './facets.ts';

const NO_FACETS: Facets = [0, 0, 0, 0, 0];

/** Bytes of a count of citations. */
const COUNT_BYTES = 4;

/** Each call is a step of a transaction that ends with `flush`. */
export function createFacetsWriter(db: Connection) {
  const read = db.prepare('SELECT packed, citations FROM document_facets WHERE block = ?').raw();
  const write = db.prepare(
    'REPLACE INTO document_facets (block, packed, citations) VALUES (?, ?, ?)',
  );
  // Documents of a transaction are neighbors, so each block is written once.
  const changed = new Map<number, Map<number, Facets>>();
  const put = (document: DocumentNumber, facets: Facets): void => {
    const block = Math.floor(document / BLOCK_DOCUMENTS);
    const inBlock = changed.get(block) ?? new Map<number, Facets>();
    changed.set(block, inBlock.set(document % BLOCK_DOCUMENTS, facets));
  };
  return {
    put,
    remove: (document: DocumentNumber): void => put(document, NO_FACETS),
    flush(): void {
      for (const [block, inBlock] of changed) {
        const packed = Buffer.alloc(BLOCK_DOCUMENTS * FACET_BYTES);
        const citations = Buffer.alloc(BLOCK_DOCUMENTS * COUNT_BYTES);
        const [before, countsBefore] = (read.get(block) ?? []) as [Buffer?, (Buffer | null)?];
        before?.copy(packed);
        countsBefore?.copy(citations);
        for (const [place, facets] of inBlock) {
          for (const [word, value] of facets.slice(0, FACET_WORDS).entries()) {
            packed.writeUInt32LE(value, place * FACET_BYTES + 4 * word);
          }
          citations.writeUInt32LE(facets[FACET_WORDS], place * COUNT_BYTES);
        }
        write.run(block, packed, citations.some((byte) => byte > 0) ? citations : null);
      }
      changed.clear();
    },
  };
}

/** Returns a function that reads the facets of a document, all zero if it has none. */
export function prepareReadFacets(db: Connection): (document: DocumentNumber) => Facets {
  const read = db
    .prepare(
      `SELECT substr(packed, @place * ${FACET_BYTES} + 1, ${FACET_BYTES}),
         substr(citations, @place * ${COUNT_BYTES} + 1, ${COUNT_BYTES})
       FROM document_facets WHERE block = @block`,
    )
    .raw();
  return (document) => {
    const place = document % BLOCK_DOCUMENTS;
    const block = Math.floor(document / BLOCK_DOCUMENTS);
    const [packed, citations] = (read.get({ place, block }) ?? []) as [Buffer?, (Buffer | null)?];
    if (packed?.length !== FACET_BYTES) return NO_FACETS;
    const words = [0, 1, 2, 3].map((word) => packed.readUInt32LE(4 * word));
    return [...words, citations?.readUInt32LE(0) ?? 0] as unknown as Facets;
  };
}
