/** Indexes with many lists and few documents, for the tests of centroids' groups. */
import type { Connection } from '../../../src/database/sqlite/connection.ts';
import { dequantizeOwn, ownVectorOf, toFloatBlob } from '../../../src/index/dense/embeddings.ts';
import { encodeListEntry } from '../../../src/index/dense/list-entries.ts';
import { createIndexWriter } from '../../../src/index/documents/index-writer.ts';
import { decodeForwardEntry } from '../../../src/index/forward-index.ts';
import type { Embedding } from '../../../src/types.ts';
import { vectorIndexed } from '../memory-index.ts';

/** Writes documents with these vectors, and gives each a list of its own, all in group 1. */
export function listPerDocument(db: Connection, vectors: readonly Embedding[]): Connection {
  const dimensions = vectors[0]?.length ?? 0;
  createIndexWriter(db).write(vectors.map((vector, i) => vectorIndexed(`${i}`, vector)));
  db.exec('DELETE FROM inverted_lists; DELETE FROM list_entries; DELETE FROM document_lists');
  db.exec('DELETE FROM centroid_groups WHERE number > 1');
  const read = db.prepare('SELECT packed FROM signals WHERE document = ?').pluck();
  const addList = db.prepare(
    'INSERT INTO inverted_lists (list, centroid, centroid_group) VALUES (?, ?, 1)',
  );
  const addEntry = db.prepare('INSERT INTO list_entries (list, entries) VALUES (?, ?)');
  const setList = db.prepare('INSERT INTO document_lists (document, list) VALUES (?, ?)');
  for (let document = 1; document <= vectors.length; document++) {
    const { vectors: stored } = decodeForwardEntry(read.get(document) as Buffer);
    const own = dequantizeOwn(ownVectorOf(stored, dimensions));
    addList.run(document, toFloatBlob(own));
    addEntry.run(document, encodeListEntry(document, own, own));
    setList.run(document, document);
  }
  db.exec("UPDATE index_facts SET value = value + 1 WHERE name IN ('centroids', 'revision')");
  return db;
}
