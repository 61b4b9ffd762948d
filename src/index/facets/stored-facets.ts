/** Writes the facets of documents, and reads single ones. */

import type { Connection } from '../../database/sqlite/connection.ts';
import type { DocumentNumber } from '../../types.ts';
import { BLOCK_DOCUMENTS, FACET_BYTES, type Facets } from './facets.ts';

const NO_FACETS: Facets = [0, 0, 0, 0];

/** Each call is a step of a transaction that ends with `flush`. */
export function createFacetsWriter(db: Connection) {
  const read = db.prepare('SELECT packed FROM document_facets WHERE block = ?').pluck();
  const write = db.prepare('REPLACE INTO document_facets (block, packed) VALUES (?, ?)');
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
        (read.get(block) as Buffer | undefined)?.copy(packed);
        for (const [place, facets] of inBlock) {
          for (const [word, value] of facets.entries()) {
            packed.writeUInt32LE(value, place * FACET_BYTES + 4 * word);
          }
        }
        write.run(block, packed);
      }
      changed.clear();
    },
  };
}

/** Returns a function that reads the facets of a document, all zero if it has none. */
export function prepareReadFacets(db: Connection): (document: DocumentNumber) => Facets {
  const read = db
    .prepare('SELECT substr(packed, ?, ?) FROM document_facets WHERE block = ?')
    .pluck();
  return (document) => {
    const at = (document % BLOCK_DOCUMENTS) * FACET_BYTES;
    const block = Math.floor(document / BLOCK_DOCUMENTS);
    const bytes = read.get(at + 1, FACET_BYTES, block) as Buffer | undefined;
    if (bytes?.length !== FACET_BYTES) return NO_FACETS;
    return [0, 4, 8, 12].map((offset) => bytes.readUInt32LE(offset)) as unknown as Facets;
  };
}
