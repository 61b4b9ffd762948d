/** Looks up one paper of the index. */
import type { IndexSource } from '../index/ports/index-source.ts';
import { findMerged } from '../search/papers/find-merged.ts';
import type { Paper } from './backend.ts';

/** Returns the paper with this identifier, or undefined. Rejects with `bad_request` if several have it. */
export type FindPaper = (id: string) => Promise<Paper | undefined>;

export function createFindPaper(source: Pick<IndexSource, 'view'>): FindPaper {
  return async (id) => {
    const found = await source.view((view) => findMerged(id, view));
    if (found === undefined) return undefined;
    const { document, identifiers, withheld } = found;
    return { ...document, identifiers, withheld };
  };
}
