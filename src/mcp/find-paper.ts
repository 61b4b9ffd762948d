/** Looks up one paper of the index. */
import type { Connection } from '../store/database/connection.ts';
import { findDocument } from '../store/index/records/find-documents.ts';
import { createSourcesReader } from '../store/index/records/sources-of-documents.ts';
import type { Paper } from './backend.ts';

/** Returns the paper with this identifier, or undefined. Throws `bad_request` if several have it. */
export type FindPaper = (id: string) => Paper | undefined;

export function createFindPaper(db: Connection): FindPaper {
  const reader = createSourcesReader(db);
  return (id) => {
    const found = findDocument(reader, id);
    if (found === undefined) return undefined;
    const { document, identifiers, withheld } = found.merged;
    return { ...document, identifiers, withheld };
  };
}
