/** Looks up papers of the index by any identifier. */
import { VerbatimError } from '../../errors.ts';
import type { IndexView } from '../../index/ports/index-source.ts';
import { findMerged } from './find-merged.ts';
import { type Paper, toPaper } from './paper.ts';

/** Papers that one call returns. */
const PAPERS_MAX = 10;

export interface FoundPapers {
  /** One for each id that is known, in the order of the ids. */
  found: { asked: string; paper: Paper }[];
  /** The ids that no paper has. */
  unknown: string[];
}

/**
 * Looks up ids. A text with commas is several ids, unless a paper has the whole text as its id, as
 * some DOIs contain commas. Rejects with `bad_request` for more than `idsMax` ids, and for an id that
 * several papers have.
 */
export async function findPapers(
  texts: readonly string[],
  view: IndexView,
  idsMax = PAPERS_MAX,
): Promise<FoundPapers> {
  const papers = new Map<string, Paper | undefined>();
  const find = async (id: string): Promise<Paper | undefined> => {
    const merged = await findMerged(id, view);
    return merged && toPaper(merged);
  };
  const add = (id: string, paper: Paper | undefined): void => {
    papers.set(id, paper);
    if (papers.size <= idsMax) return;
    throw new VerbatimError('bad_request', `id: expected at most ${idsMax} ids, got more`);
  };
  for (const text of texts.map((each) => each.toWellFormed().trim())) {
    const whole = await find(text);
    const parts = whole === undefined ? text.split(',') : [];
    if (parts.length < 2) add(text, whole);
    else {
      for (const part of parts.map((each) => each.trim())) {
        if (part !== '') add(part, await find(part));
      }
    }
  }
  const all = [...papers];
  return {
    found: all.flatMap(([asked, paper]) => (paper === undefined ? [] : [{ asked, paper }])),
    unknown: all.flatMap(([asked, paper]) => (paper === undefined ? [asked] : [])),
  };
}
