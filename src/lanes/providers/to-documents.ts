/** Turns the papers that a provider's parser found into documents whose texts can be quoted. */
import {
  ARXIV_DOI,
  documentIdOf,
  identifiersOf,
  type WrittenIdentifiers,
} from '../../identity/identifiers.ts';
import {
  isWithdrawnByAuthors,
  titleWithoutMark,
  type Withheld,
  withheldByTitle,
} from '../../identity/withheld.ts';
import type { LaneName } from '../../settings/lane-choice.ts';
import { isAbstractPlaceholder, isNamePlaceholder } from '../../text/placeholders.ts';
import { isQuotable } from '../../text/quotable.ts';
import type { Identifiers, Notice } from '../../types.ts';
import type { LaneDocument, Passage, ProviderName } from '../lane/lane.ts';
import { plainLine, plainText } from '../text/plain-text.ts';
import { isCut, passageOf, type SplitSentences, withoutCutEnds } from '../text/whole-sentences.ts';

/** A paper as a parser found it. Texts may have tags and entities, and fields may have any type. */
export interface FoundPaper {
  /** The provider's own id, for papers without identifiers. */
  id: string;
  identifiers?: WrittenIdentifiers;
  title: unknown;
  abstract?: unknown;
  year?: unknown;
  authors?: readonly unknown[];
  venue?: unknown;
  /** Whole sentences in plain text. */
  excerpt?: Passage | undefined;
  /** What the provider says about retraction beside the texts. */
  withheld?: Withheld | undefined;
  /** What journals announced about the paper. */
  notices?: readonly Notice[] | undefined;
}

export interface DocumentLimits {
  titleCharactersMax: number;
  abstractCharactersMax: number;
  authorsMax: number;
  laneResultsMax: number;
  laneSentenceCharactersMax: number;
}

/** What all papers of a provider have in common, and the limits. */
export interface DocumentContext {
  lane: LaneName;
  provider: ProviderName;
  isStorable: boolean;
  limits: DocumentLimits;
  split: SplitSentences;
}

/**
 * The papers that can be cited, and then the withheld ones: of each group the first of each id, and
 * at most `laneResultsMax`.
 */
export function toDocuments(
  papers: readonly FoundPaper[],
  context: DocumentContext,
): LaneDocument[] {
  const found = papers.flatMap((paper) => toDocument(paper, context) ?? []);
  const first = (documents: readonly LaneDocument[]): LaneDocument[] =>
    firstOfEachId(documents).slice(0, context.limits.laneResultsMax);
  return [
    ...first(found.filter(({ withheld }) => withheld === undefined)),
    ...first(found.filter(({ withheld }) => withheld !== undefined)),
  ];
}

function firstOfEachId(documents: readonly LaneDocument[]): LaneDocument[] {
  return [...new Map([...documents].reverse().map((one) => [one.id, one])).values()].reverse();
}

/**
 * Undefined for a paper without an id or a title, with too much text, or with nothing but a cut
 * title. A withheld paper keeps its identifiers, title, year, and authors only.
 */
function toDocument(paper: FoundPaper, context: DocumentContext): LaneDocument | undefined {
  const { limits, split } = context;
  const identifiers = identifiersIn(paper);
  const id = documentIdOf(identifiers) || plainLine(paper.id);
  const title = plainLine(textOf(paper.title));
  if (id === '') return undefined;
  const { lane, provider, isStorable } = context;
  const year = yearOf(paper.year);
  const authors = authorsOf(paper, limits);
  const own = { lane, provider, isStorable, sentences: undefined };
  const known = { ...own, id, identifiers, title, year, authors };
  const written = plainText(textOf(paper.abstract));
  const whole = isAbstractPlaceholder(written) ? '' : written;
  const withheld =
    paper.withheld ??
    withheldByTitle(title) ??
    (isWithdrawnByAuthors({ abstract: whole }) ? 'withdrawn' : undefined);
  if (withheld !== undefined) {
    const nothing = { abstract: '', excerpt: undefined, venue: '' };
    return { ...known, ...nothing, title: titleWithoutMark(title), withheld };
  }
  const abstract = withoutCutEnds(whole, split);
  const excerpt = paper.excerpt && passageWithin(paper.excerpt, limits);
  const isTooLong =
    title.length > limits.titleCharactersMax || abstract.length > limits.abstractCharactersMax;
  const hasText = abstract !== '' || excerpt !== undefined;
  // A citation needs a title.
  if (isTooLong || title === '' || (!hasText && isCut(title))) return undefined;
  return {
    ...known,
    withheld,
    notices: paper.notices ?? [],
    abstract,
    excerpt,
    venue: plainLine(textOf(paper.venue)),
  };
}

function authorsOf({ authors = [] }: FoundPaper, { authorsMax }: DocumentLimits): string[] {
  return authors
    .slice(0, authorsMax)
    .map((author) => plainLine(textOf(author)))
    .filter((author) => author !== '' && !isNamePlaceholder(author));
}

/** Drops arXiv's own DOIs. The arXiv id in them names the paper. */
function identifiersIn({ identifiers = {} }: FoundPaper): Identifiers {
  const { doi, ...others } = identifiersOf(identifiers);
  return doi === undefined || ARXIV_DOI.test(doi) ? others : { doi, ...others };
}

/** The quotable sentences of an excerpt. Undefined if there are none. */
function passageWithin(excerpt: Passage, limits: DocumentLimits): Passage | undefined {
  const quotable = excerpt.sentences
    .filter(({ end }) => end <= limits.abstractCharactersMax)
    .map(({ start, end }) => excerpt.text.slice(start, end))
    .filter((sentence) => isQuotable(sentence, limits.laneSentenceCharactersMax));
  return quotable.length === 0 ? undefined : passageOf(quotable);
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** The year of a number or of a date that starts with it. 0 if there is none. */
function yearOf(value: unknown): number {
  const year = typeof value === 'string' ? Number(/^\d{4}(?=$|-)/.exec(value.trim())?.[0]) : value;
  if (typeof year !== 'number' || !Number.isInteger(year)) return 0;
  return year >= 1000 && year <= 9999 ? year : 0;
}
