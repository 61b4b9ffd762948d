/** Looks up one paper of the index. */
import { VerbatimError } from '../errors.ts';
import type { Connection } from '../store/database/connection.ts';
import { findDocuments } from '../store/index/records/find-documents.ts';
import { createSourcesReader } from '../store/index/records/sources-of-documents.ts';
import type { Paper } from './backend.ts';

/** Returns the paper with this identifier, or undefined. Throws `bad_request` if several have it. */
export type FindPaper = (id: string) => Paper | undefined;

/** A longer text is the id of no paper. */
const ID_CHARACTERS_MAX = 2_000;

export function createFindPaper(db: Connection): FindPaper {
  const reader = createSourcesReader(db);
  return (id) => {
    if (id.length > ID_CHARACTERS_MAX) return undefined;
    const [found, ...others] = findDocuments(reader, id.toWellFormed());
    if (found === undefined) return undefined;
    if (others.length > 0) {
      const ids = [found, ...others].map(({ merged }) => merged.document.id).join(', ');
      throw new VerbatimError('bad_request', `several papers have this id; use one of ${ids}`);
    }
    const { document, identifiers, withheld } = found.merged;
    return { ...document, identifiers, withheld };
  };
}
