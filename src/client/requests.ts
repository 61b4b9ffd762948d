/** What the methods of the client take, and how it stands in a request. Pure. */
import type { PaperType, ResultExtra } from '../types.ts';

/**
 * Limits results to the papers that match all of its fields. It goes to the server as it is, so it
 * has the names and the rules of the API reference.
 */
export interface Filter {
  /** Inclusive. */
  year?: { from: number; to?: number } | { from?: number; to: number };
  venue?: string | readonly string[];
  author?: string | readonly string[];
  doi_prefix?: string | readonly string[];
  ids?: readonly string[];
  has_abstract?: boolean;
  source?: string | readonly string[];
  type?: PaperType | readonly PaperType[];
  open_access?: boolean;
  min_citations?: number;
  cites?: readonly string[];
  cited_by?: readonly string[];
}

/** What `search`, `batch`, and `similar` have in common. See the API reference for the rules. */
export interface ResultOptions {
  limit?: number;
  /** Adds the abstract to each result. */
  abstract?: boolean;
  include?: readonly ResultExtra[];
  sentences?: number;
  minScore?: number;
  exclude?: readonly string[];
  sort?: 'relevance' | 'year' | 'citations';
  maxTokens?: number;
  filter?: Filter;
}

export interface QuestionOptions extends ResultOptions {
  minAnswer?: number;
  /** The fallback lanes that may receive the question: names separated by commas, or `none`. */
  lanes?: string;
}

/** A question of a batch. */
export interface Question extends QuestionOptions {
  query: string;
}

export interface CallOptions {
  signal?: AbortSignal;
}

export interface RepeatableCallOptions extends CallOptions {
  /**
   * Names the request, so that it can be repeated within 24 hours at no cost, even by another
   * process. By default the client makes up a name for each call.
   */
  idempotencyKey?: string;
}

export type VerifyItem =
  | { quote: string; id?: string }
  | { reference: string | Record<string, unknown> }
  /** A bibliography, which gets a result for each reference in it. */
  | { references: string };

export interface VerifyOptions extends RepeatableCallOptions {
  /** The lanes that look up references which the index does not have. The default is none. */
  lanes?: string;
}

export interface VerifyOptions extends RepeatableCallOptions {
  /** Adds to each reference whether there is such a work. */
  include?: readonly 'assessment'[];
}

export interface PapersOptions extends CallOptions {
  /** What papers cite, and who cites them. Of several papers, the answer has only the counts. */
  include?: readonly ('references' | 'cited_by')[];
  /** That of a list, for its next page: with one id, and one name in `include`. */
  cursor?: string;
}

/** Where a list of changes begins. */
export type ChangesStart = { since: Date | string } | { cursor: string };

export interface ChangesOptions extends CallOptions {
  /** 1 to 1,000, 100 by default. */
  limit?: number;
}

export type BibliographyFormat = 'bibtex' | 'ris' | 'csl-json';

/** The media type of each format. */
export const bibliographyTypes: Readonly<Record<BibliographyFormat, string>> = {
  bibtex: 'application/x-bibtex',
  ris: 'application/x-research-info-systems',
  'csl-json': 'application/vnd.citationstyles.csl+json',
};

/** Returns the fields of a search. An undefined one does not count. */
export function questionFields({ query, lanes, minAnswer, ...options }: Question): object {
  const { filter } = options;
  return { query, lanes, min_answer: minAnswer, filter, ...plainFields(options) };
}

export function papersPath(
  ids: readonly string[],
  { include, cursor }: PapersOptions = {},
): string {
  const parameters = new URLSearchParams(ids.map((id) => ['id', id]));
  if (include !== undefined) parameters.set('include', include.join(','));
  if (cursor !== undefined) parameters.set('cursor', cursor);
  return `/v1/paper?${parameters}`;
}

export function changesPath(start: ChangesStart, { limit }: ChangesOptions): string {
  const parameters = new URLSearchParams(
    'cursor' in start
      ? { cursor: start.cursor }
      : { since: typeof start.since === 'string' ? start.since : start.since.toISOString() },
  );
  if (limit !== undefined) parameters.set('limit', String(limit));
  return `/v1/changes?${parameters}`;
}

export function similarPath(id: string, options: ResultOptions): string {
  const parameters = new URLSearchParams({ id });
  for (const [name, value] of Object.entries(plainFields(options))) {
    for (const each of [value].flat()) {
      if (each !== undefined) parameters.append(name, String(each));
    }
  }
  if (options.filter !== undefined) parameters.set('filter', JSON.stringify(options.filter));
  return `/v1/similar?${parameters}`;
}

/** The fields that are numbers, texts, or lists of texts. */
function plainFields(options: ResultOptions) {
  return {
    limit: options.limit,
    fields: options.abstract ? 'abstract' : undefined,
    include: options.include?.join(','),
    sentences: options.sentences,
    min_score: options.minScore,
    exclude: options.exclude,
    sort: options.sort,
    max_tokens: options.maxTokens,
  };
}
