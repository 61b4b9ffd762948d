/** From what a provider's parser found to a document whose texts can be quoted. Pure. */
import {
  ARXIV_DOI,
  documentIdOf,
  identifiersOf,
  type WrittenIdentifiers,
} from '../identity/identifiers.ts';
import type { Identifiers } from '../types.ts';
import type { LaneDocument, LaneName } from './lane.ts';
import { plainLine, plainText } from './plain-text.ts';
import {
  isCut,
  type Passage,
  passageOf,
  type SplitSentences,
  withoutCutEnds,
} from './whole-sentences.ts';

/** A paper as a parser read it: texts still with tags and entities, fields of any type. */
export interface FoundPaper {
  /** The provider's own id, used where there are no identifiers. */
  id: string;
  identifiers?: WrittenIdentifiers;
  title: unknown;
  abstract?: unknown;
  year?: unknown;
  authors?: readonly unknown[];
  venue?: unknown;
  /** Its sentences, each whole, and plain already. */
  excerpt?: Passage | undefined;
}

export interface DocumentLimits {
  titleCharactersMax: number;
  abstractCharactersMax: number;
  authorsMax: number;
  laneResultsMax: number;
}

/** What all papers of a provider have in common. */
export interface DocumentContext {
  lane: LaneName;
  isStorable: boolean;
  limits: DocumentLimits;
  split: SplitSentences;
}

/** Those of the papers that can be cited, the first of each id, no more than were asked for. */
export function toDocuments(
  papers: readonly FoundPaper[],
  context: DocumentContext,
): LaneDocument[] {
  const documents = new Map<string, LaneDocument>();
  for (const paper of papers) {
    const document = toDocument(paper, context);
    if (document !== undefined && !documents.has(document.id)) {
      documents.set(document.id, document);
    }
  }
  return [...documents.values()].slice(0, context.limits.laneResultsMax);
}

/** Undefined for a paper without id or text, with too much of it, or with no more than a cut title. */
function toDocument(paper: FoundPaper, context: DocumentContext): LaneDocument | undefined {
  const { lane, isStorable, limits, split } = context;
  const identifiers = identifiersIn(paper);
  const id = documentIdOf(identifiers) || plainLine(paper.id);
  const title = plainLine(textOf(paper.title));
  const abstract = withoutCutEnds(plainText(textOf(paper.abstract)), split);
  const { excerpt } = paper;
  const hasText = abstract !== '' || (excerpt?.sentences.length ?? 0) > 0;
  const isTooLong =
    title.length > limits.titleCharactersMax || abstract.length > limits.abstractCharactersMax;
  if (id === '' || isTooLong || (!hasText && (title === '' || isCut(title)))) return undefined;
  return {
    ...{ id, identifiers, lane, isStorable, title, abstract, sentences: undefined },
    excerpt: hasText && excerpt !== undefined ? passageWithin(excerpt, limits) : undefined,
    year: yearOf(paper.year),
    authors: (paper.authors ?? [])
      .slice(0, limits.authorsMax)
      .map((author) => plainLine(textOf(author)))
      .filter((author) => author !== ''),
    venue: plainLine(textOf(paper.venue)),
  };
}

/** Without arXiv's own DOIs, which few know: the id behind them names the paper. */
function identifiersIn({ identifiers = {} }: FoundPaper): Identifiers {
  const { doi, ...others } = identifiersOf(identifiers);
  return doi === undefined || ARXIV_DOI.test(doi) ? others : { doi, ...others };
}

function passageWithin(excerpt: Passage, limits: DocumentLimits): Passage | undefined {
  if (excerpt.sentences.length === 0) return undefined;
  if (excerpt.text.length <= limits.abstractCharactersMax) return excerpt;
  const inside = excerpt.sentences.filter(({ end }) => end <= limits.abstractCharactersMax);
  return passageOf(inside.map(({ start, end }) => excerpt.text.slice(start, end)));
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** The year that a number, or a date that starts with it, names; 0 where there is none. */
function yearOf(value: unknown): number {
  const year = typeof value === 'string' ? Number(/^\d{4}(?=$|-)/.exec(value.trim())?.[0]) : value;
  if (typeof year !== 'number' || !Number.isInteger(year)) return 0;
  return year >= 1000 && year <= 9999 ? year : 0;
}
