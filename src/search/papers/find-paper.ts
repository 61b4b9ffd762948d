/** Looks up one paper of the index. */
import type { Withheld } from '../../identity/withheld.ts';
import type { IndexSource } from '../../index/ports/index-source.ts';
import type { Identifiers, SourceDocument } from '../../types.ts';
import {
  CITATIONS_PER_PAGE,
  type CitationListName,
  type CitationLists,
  readCitationLists,
} from './citation-lists.ts';
import { findEachMerged } from './find-merged.ts';

/** A paper of the index, whatever its records were named. */
export interface PaperWithLists extends SourceDocument {
  identifiers: Identifiers;
  /** Why searches leave it out; undefined if they do not. */
  withheld: Withheld | undefined;
  lists: CitationLists;
}

/** The list of citations that is wanted, and where its page begins. */
export interface ListWanted {
  name: CitationListName;
  after?: number | undefined;
}

/** Returns the paper with this identifier, or undefined. Rejects with `bad_request` if several have it. */
export type FindPaper = (id: string, list?: ListWanted) => Promise<PaperWithLists | undefined>;

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
