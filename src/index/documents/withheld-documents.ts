/** Withheld documents: retracted or withdrawn, and therefore left out of results. */

import type { Connection } from '../../database/sqlite/connection.ts';
import type { DocumentNumber, SourceRecord } from '../../types.ts';
import { readRevision } from '../index-facts.ts';

export type WithheldReason = NonNullable<SourceRecord['withheld']>;

/** The withheld documents in the view that the connection sees, with their reasons. */
export type WithheldDocuments = ReadonlyMap<DocumentNumber, WithheldReason>;

/** Returns a function that returns them. They are few, so they are read again after each change. */
export function createWithheldReader(db: Connection): () => WithheldDocuments {
  const revisionNow = readRevision(db);
  const readAll = db.prepare('SELECT document, reason FROM withheld_documents').raw();
  let withheld: WithheldDocuments = new Map();
  let revision: number | undefined;
  return () => {
    const current = revisionNow();
    if (current !== revision) {
      withheld = new Map(readAll.all() as [DocumentNumber, WithheldReason][]);
      revision = current;
    }
    return withheld;
  };
}
