/** What a request may add to each result: see `SearchOptions`. */

import { retractionOf } from '../identity/notices.ts';
import { paperAddress } from '../identity/paper-address.ts';
import { codePointOffset } from '../text/code-points.ts';
import type { Citation, Identifiers, Quote, ResultExtra, SentenceSpan } from '../types.ts';
import type { CitableDocument, PaperFacts } from './citable-document.ts';
import { formatCitation } from './format-citation.ts';

/** The names that `include` takes, in the order in which the documentation lists them. */
export const resultExtras: readonly ResultExtra[] = [
  ...(['offsets', 'url', 'citation', 'venue', 'authors', 'identifiers', 'type'] as const),
  ...(['open_access', 'citation_count', 'retraction', 'answers'] as const),
];

/** A document and the sentence that is quoted of it. */
export interface CitedDocument {
  document: CitableDocument;
  /** Undefined if it is quoted by its title. */
  best: SentenceSpan | undefined;
  /** The probability that the sentence answers. Undefined if it is not known. */
  answers: number | undefined;
  /** What its records say. Undefined if no extra needs it: see `needsFacts`. */
  facts: PaperFacts | undefined;
}

/** The extras that are read from the document itself. */
const ownExtras: readonly ResultExtra[] = [
  ...(['offsets', 'url', 'citation', 'venue', 'authors', 'answers'] as const),
];

/** Whether extras need what the records say, which takes longer to read than all the others. */
export function needsFacts(include: readonly ResultExtra[] = []): boolean {
  return include.some((name) => !ownExtras.includes(name));
}

/** Returns the fields that a request adds to a result with `include`. */
export function extraFieldsOf(
  include: readonly ResultExtra[],
  { document, best, answers, facts }: CitedDocument,
): Partial<Citation> {
  const added: Partial<Citation> = {};
  const address = paperAddress(document.id);
  for (const name of include) {
    if (name === 'offsets') Object.assign(added, offsetsOf(document, best));
    else if (name === 'url' && address !== undefined) added.url = address;
    else if (name === 'citation') added.citation = formatCitation(document, address);
    else if (name === 'venue') added.venue = document.venue;
    else if (name === 'authors') added.authors = document.authors;
    else if (name === 'answers' && answers !== undefined) added.answers = answers;
    else if (facts !== undefined) Object.assign(added, factFieldsOf(name, facts));
  }
  return added;
}

/** What the records of a paper do not tell stays absent. */
export function factFieldsOf(name: ResultExtra, facts: PaperFacts): Partial<Citation> {
  const { identifiers, details, notices } = facts;
  const { type, openAccess, openAccessUrl, citationCount } = details;
  const added: Partial<Citation> = {};
  if (name === 'identifiers') added.identifiers = identifiers;
  if (name === 'type' && type !== undefined) added.type = type;
  if (name === 'open_access' && openAccess !== undefined) {
    added.open_access = openAccess;
    const address = openAccessUrl ?? arxivAddress(identifiers);
    if (openAccess && address !== undefined) added.open_access_url = address;
  }
  if (name === 'citation_count' && citationCount !== undefined) {
    added.citation_count = citationCount;
  }
  const retraction = retractionOf(notices);
  if (name === 'retraction' && retraction !== undefined) added.retraction = retraction;
  return added;
}

/** Everyone may read what arXiv has, so its records need no address of their own. */
function arxivAddress({ arxiv }: Identifiers): string | undefined {
  return arxiv === undefined ? undefined : paperAddress(`arXiv:${arxiv}`);
}

export interface QuotedDocument {
  document: CitableDocument;
  /** The best first. */
  chosen: readonly SentenceSpan[];
}

/** Returns the sentences with their offsets. A document without any is quoted by its title. */
export function quotesOf({ document, chosen }: QuotedDocument): Quote[] {
  if (chosen.length === 0) return [{ q: document.title }];
  return chosen.map((span) => ({
    q: document.abstract.slice(span.start, span.end),
    ...offsetsOf(document, span),
  }));
}

/**
 * Returns the offsets of a sentence in the abstract, in Unicode code points; nothing if the quote
 * is not from the abstract, but a title or another text that a lane returned.
 */
function offsetsOf(
  { abstract, ownAbstract = abstract }: CitableDocument,
  span: SentenceSpan | undefined,
): { start: number; end: number } | undefined {
  if (span === undefined || span.end > ownAbstract.length) return undefined;
  return {
    start: codePointOffset(abstract, span.start),
    end: codePointOffset(abstract, span.end),
  };
}
