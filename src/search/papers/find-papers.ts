/** Looks up papers of the index by any identifier. */
import { VerbatimError } from '../../errors.ts';
import type { IndexView } from '../../index/ports/index-source.ts';
import {
  CITATIONS_PER_PAGE,
  type CitationLists,
  type ListsWanted,
  readCitationLists,
} from './citation-lists.ts';
import { findEachMerged, type NumberedDocument } from './find-merged.ts';
import { type Paper, toPaper } from './paper.ts';

/** Papers that one call returns. */
export const PAPERS_MAX = 100;

export interface FoundPapers {
  /** One for each id that is known, in the order of the ids. */
  found: FoundPaper[];
  /** The ids that no paper has. */
  unknown: string[];
}

export interface FoundPaper {
  asked: string;
  paper: Paper;
  /** Absent if they were not asked for. */
  lists?: CitationLists;
}

export interface FindOptions {
  idsMax?: number;
  /**
   * The lists of citations that are wanted. Without `most`, a page is `CITATIONS_PER_PAGE` of one paper, and
   * only the counts of several.
   */
  lists?: (Omit<ListsWanted, 'most'> & Partial<ListsWanted>) | undefined;
}

/**
 * Looks up ids. A text with commas is several ids, unless a paper has the whole text as its id, as
 * some DOIs contain commas. Rejects with `bad_request` for more than `idsMax` ids, and for an id that
 * several papers have.
 */
export async function findPapers(
  texts: readonly string[],
  view: IndexView,
  { idsMax = PAPERS_MAX, lists }: FindOptions = {},
): Promise<FoundPapers> {
  const known = await findIds(texts, view, idsMax);
  const found = [...known].flatMap(([asked, one]) => (one === undefined ? [] : { asked, ...one }));
  const numbers = found.map(({ number }) => number);
  const most = found.length === 1 ? CITATIONS_PER_PAGE : 0;
  const read = lists && (await readCitationLists(numbers, { most, ...lists }, view));
  return {
    found: found.map(({ asked, merged }, at) => {
      return { asked, paper: toPaper(merged), ...(read && { lists: read[at] }) };
    }),
    unknown: [...known].flatMap(([asked, one]) => (one === undefined ? [asked] : [])),
  };
}

/** Returns what was found for each id, undefined for an unknown one. */
async function findIds(
  texts: readonly string[],
  view: IndexView,
  idsMax: number,
): Promise<Map<string, NumberedDocument | undefined>> {
  const wholes = [...new Set(texts.map((each) => each.toWellFormed().trim()))];
  assertMost(wholes.length, idsMax);
  const found = await findEachMerged(wholes, view);
  const ids = wholes.map((text, at) => {
    const parts = found[at] === undefined ? text.split(',').map((part) => part.trim()) : [];
    return parts.length < 2 ? [text] : parts.filter((part) => part !== '');
  });
  const parts = [...new Set(ids.filter((each) => each.length > 1).flat())];
  assertMost(new Set(ids.flat()).size, idsMax);
  const foundParts = await findEachMerged(parts, view);
  const known = new Map([
    ...parts.map((part, at) => [part, foundParts[at]] as const),
    ...wholes.map((whole, at) => [whole, found[at]] as const),
  ]);
  return new Map(ids.flat().map((id) => [id, known.get(id)]));
}

function assertMost(ids: number, idsMax: number): void {
  if (ids <= idsMax) return;
  throw new VerbatimError('bad_request', `id: expected at most ${idsMax} ids, got more`);
}
