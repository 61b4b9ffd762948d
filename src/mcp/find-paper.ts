/** Looks up one paper of the index. */
import type { IndexSource } from '../index/ports/index-source.ts';
import { CITATIONS_PER_PAGE, readCitationLists } from '../search/papers/citation-lists.ts';
import { findEachMerged } from '../search/papers/find-merged.ts';
import type { ListWanted, Paper } from './backend.ts';

/** Returns the paper with this identifier, or undefined. Rejects with `bad_request` if several have it. */
export type FindPaper = (id: string, list?: ListWanted) => Promise<Paper | undefined>;

export function createFindPaper(source: Pick<IndexSource, 'view'>): FindPaper {
  return (id, list) =>
    source.view(async (view) => {
      const [found] = await findEachMerged([id], view);
      if (found === undefined) return undefined;
      const { document, identifiers, withheld } = found.merged;
      const wanted = list && { names: [list.name], after: list.after, most: CITATIONS_PER_PAGE };
      const [lists = {}] = wanted ? await readCitationLists([found.number], wanted, view) : [];
      return { ...document, identifiers, withheld, lists };
    });
}
