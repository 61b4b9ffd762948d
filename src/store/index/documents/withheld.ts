/** What is retracted or withdrawn, and so is left out of results. */
import type { DocumentNumber, SourceRecord } from '../../../types.ts';
import type { Connection } from '../../database/connection.ts';
import { readRevision } from '../index-facts.ts';

export type WithheldReason = NonNullable<SourceRecord['withheld']>;

/** The withheld documents of the view that the connection sees, and why each of them is. */
export type WithheldDocuments = ReadonlyMap<DocumentNumber, WithheldReason>;

/** Returns a function that gives them; they are few, and read again when the index has changed. */
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
