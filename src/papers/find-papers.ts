/** Looks up papers of the index by any identifier. */
import { VerbatimError } from '../errors.ts';
import type { Connection } from '../store/database/connection.ts';
import { findDocument } from '../store/index/records/find-documents.ts';
import { createSourcesReader } from '../store/index/records/sources-of-documents.ts';
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
 * some DOIs contain commas. Throws `bad_request` for more than `idsMax` ids, `PAPERS_MAX` by default,
 * and for an id that several papers have.
 */
export type FindPapers = (texts: readonly string[], idsMax?: number) => FoundPapers;

export function createFindPapers(db: Connection): FindPapers {
  const reader = createSourcesReader(db);
  const find = (id: string): Paper | undefined => {
    const found = findDocument(reader, id);
    return found && toPaper(found.merged);
  };
  const lookUp = (texts: readonly string[], idsMax = PAPERS_MAX): FoundPapers => {
    const papers = new Map<string, Paper | undefined>();
    const add = (id: string, paper: Paper | undefined): void => {
      papers.set(id, paper);
      if (papers.size <= idsMax) return;
      throw new VerbatimError('bad_request', `id: expected at most ${idsMax} ids, got more`);
    };
    for (const text of texts.map((each) => each.toWellFormed().trim())) {
      const whole = find(text);
      const parts = whole === undefined ? text.split(',') : [];
      if (parts.length < 2) add(text, whole);
      else {
        for (const part of parts.map((each) => each.trim())) if (part !== '') add(part, find(part));
      }
    }
    const all = [...papers];
    return {
      found: all.flatMap(([asked, paper]) => (paper === undefined ? [] : [{ asked, paper }])),
      unknown: all.flatMap(([asked, paper]) => (paper === undefined ? [asked] : [])),
    };
  };
  return db.transaction(lookUp);
}
