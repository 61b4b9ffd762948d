/** Writes and reads who cites a work, in an SQLite file. */
import type { Connection } from '../../database/sqlite/connection.ts';
import { hashKey } from '../../identity/record-keys.ts';
import type { DocumentNumber } from '../../types.ts';
import { type CitationBlock, type CitationChanges, collectCitations } from './citation-changes.ts';
import { decodeCiting, mergeCiting } from './citing-list.ts';
import { type DocumentReferences, referencesOf } from './document-references.ts';

/**
 * Documents in a block. Nearly all indexes have one block, and a list of 100,000 documents is a hundred
 * kilobytes.
 */
const CITING_BLOCK_DOCUMENTS = 2 ** 20;

function citingBlockOf(document: DocumentNumber): number {
  return Math.floor(document / CITING_BLOCK_DOCUMENTS);
}

/** Each call is a step of a transaction that ends with `flush`. */
export function createCitationsWriter(
  db: Connection,
): Pick<CitationChanges, 'added' | 'removed'> & { flush(): void } {
  const read = db.prepare('SELECT * FROM citations WHERE key = ?');
  const write = db.prepare(
    'REPLACE INTO citations (key, block, work, documents) VALUES (@key, @block, @work, @documents)',
  );
  const remove = db.prepare('DELETE FROM citations WHERE key = ? AND block = ?');
  let changes = collectCitations(citingBlockOf);
  return {
    added: (record, document) => changes.added(record, document),
    removed: (record) => changes.removed(record),
    flush() {
      for (const key of changes.keys()) {
        for (const block of changes.blocksOf(key, read.all(key) as CitationBlock[])) {
          if (block.documents.length > 0) write.run(block);
          else remove.run(key, block.block);
        }
      }
      changes = collectCitations(citingBlockOf);
    },
  };
}

export function createCitationsReader(db: Connection) {
  const readLists = db
    .prepare('SELECT cited FROM source_records WHERE document = ? AND cited IS NOT NULL')
    .pluck();
  const readWork = db.prepare('SELECT work FROM citations WHERE key = ? AND block = ?').pluck();
  const readCiting = db.prepare('SELECT documents FROM citations WHERE key = ?').pluck();
  return {
    /** Returns what the records of a document cite. */
    references(document: DocumentNumber): DocumentReferences {
      const block = citingBlockOf(document);
      return referencesOf(
        readLists.all(document) as Buffer[],
        (key) => readWork.get(key, block) as string | undefined,
      );
    },
    /** Returns the documents that cite a work with one of these keys, ascending. */
    citing(keys: readonly string[]): Uint32Array {
      const lists = keys.flatMap((key) => readCiting.all(hashKey(key)) as Buffer[]);
      return mergeCiting(lists.map(decodeCiting));
    },
  };
}
