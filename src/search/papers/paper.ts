/** A paper with all that its records say. */
import type { MergedDocument } from '../../identity/merge-records.ts';
import { noticesOf } from '../../identity/notices.ts';
import type { Withheld } from '../../identity/withheld.ts';
import type { Identifiers, Notice, PaperDetails, SourceDocument } from '../../types.ts';

export interface Paper extends SourceDocument {
  identifiers: Identifiers;
  details: PaperDetails;
  /** Why searches leave it out; undefined if they do not. */
  withheld: Withheld | undefined;
  /** What journals announced about it, the latest first. */
  notices: Notice[];
}

/** Returns the paper of a document. */
export function toPaper(merged: MergedDocument): Paper {
  const { document, identifiers, details, withheld } = merged;
  return { ...document, identifiers, details, withheld, notices: noticesOf([merged]) };
}
