/**
 * One search, from the query to cited sentences. The CLI and the service share it.
 *
 *   terms ──► lexical ──┐
 *                       ├─► prune ─► features ─► rank ─► deduplicate ─► cite
 *   vector ─► dense ────┘
 */

import { schemeKeysOf } from '../identity/record-keys.ts';
import type { WithheldDocuments } from '../index/documents/withheld-documents.ts';
import type { IndexSource, IndexView } from '../index/ports/index-source.ts';
import type { Embedder, QueryEmbedding } from '../text/embed/embedder.ts';
import type { Reranker } from '../text/embed/hub/reranker.ts';
import type { Encoder } from '../text/embed/model.ts';
import type { TermEmbeddings } from '../text/embed/term-embeddings.ts';
import type { Answer, DocumentNumber, SearchRequest } from '../types.ts';
import { type Candidate, type CandidateLimits, gatherCandidates } from './candidates.ts';
import { type CitableReader, citableIn } from './citable-document.ts';
import { type Choosing, cite } from './cite.ts';
import { type DistinctPaper, selectDistinctPapers } from './deduplicate.ts';
import { readExclusions } from './exclusions.ts';
import { explainQuote, type QuoteExplanation } from './explain-quote.ts';
import {
  type AdmittedDocument,
  admitExternal,
  cutAfterLastExternal,
  type ExternalDocument,
  type MergeDeps,
  mergeExternal,
  withExternal,
} from './external-documents.ts';
import { type AllowedReader, createAllowedReader } from './filter.ts';
import { createIndexVersion, type IndexVersionOf } from './index-version.ts';
import { matchesFilter } from './lane-filter.ts';
import { createLateInteraction, type LateInteractionWith } from './late-interaction.ts';
import { matchQuery, type QueryMatches } from './match-query.ts';
import { feedbackTermsOf } from './pseudo-relevance-feedback.ts';
import { type UnreadLanguage, unreadLanguage } from './question-language.ts';
import { clamp, type RankOptions, rank, rankFirstStage, rankWeightsFor } from './rank.ts';
import type { Ranked } from './ranked.ts';
import { planRerank, type RerankOutcome } from './rerank.ts';
import { needsFacts } from './result-extras.ts';
import type { SearchLimits } from './search-limits.ts';
import { readSentenceWeights, type SentenceWeights } from './sentence-weights.ts';
import { shapeAnswer } from './shape-answer.ts';
import { createStopwatch } from './stopwatch.ts';

/** What the searches of one thread share. */
export interface SearchDeps {
  source: Pick<IndexSource, 'view'>;
  indexVersionOf: IndexVersionOf;
  allowedBy: AllowedReader;
  limits: SearchLimits;
  /** The dimensions of the index's model. */
  dimensions: number;
  /** Absent if the encoder of queries has no term embeddings. */
  interactionWith: LateInteractionWith | undefined;
  reranker?: Reranker | undefined;
  /** Those of the encoder of queries. */
  sentenceWeights: SentenceWeights;
  /** That the encoder of queries reads. */
  languages: NonNullable<Encoder['languages']>;
}

/** The milliseconds that a search spent in each of its steps. */
export interface SearchTimes {
  /**
   * Until the query's vector was there, less `words`, which runs at the same time. Queries that are
   * embedded together share the time in equal parts.
   */
  embed: number;
  /** Weighting the query's terms and looking them up. */
  words: number;
  /** Finding the documents with the nearest vectors. */
  dense: number;
  /** Reading, scoring, and sorting the candidates. */
  rank: number;
  /** Putting the first results into the order of the reranker. */
  rerank?: number;
  /** Leaving out repeated papers, and choosing a sentence of each paper. */
  cite: number;
}

/** The numbers behind an answer, for `--explain`. */
export interface Explanation {
  words: string[];
  lexicalCandidates: number;
  denseCandidates: number;
  milliseconds: SearchTimes;
  results: {
    d: string;
    score: number;
    /** The score before rerank and smoothing. */
    firstScore: number;
    bm25: number;
    documentCosine: number;
    bestCosine: number;
    /** Why its sentence was chosen, computed when it is read. Undefined for a paper without sentences. */
    readonly quote: QuoteExplanation | undefined;
  }[];
}

export interface SearchOutcome {
  answer: Answer;
  /** The state of the index that was searched: see index-version.ts. */
  indexVersion: string;
  /** Absent if the search was not to be reranked. */
  reranked?: RerankOutcome | undefined;
  /** Absent if the model reads the language of the question. */
  unread?: UnreadLanguage | undefined;
  explanation: Explanation;
}

const NONE: WithheldDocuments = new Map();

/** `termEmbeddings` are those of the encoder of queries. */
export function createSearchDeps(
  source: Pick<IndexSource, 'view'>,
  queryEncoder: Pick<Encoder, 'sha256' | 'dimensions'> & Partial<Encoder>,
  limits: SearchLimits,
  {
    termEmbeddings,
    reranker,
  }: { termEmbeddings?: TermEmbeddings | undefined; reranker?: Reranker | undefined } = {},
): SearchDeps {
  return {
    source,
    limits,
    reranker,
    dimensions: queryEncoder.dimensions,
    interactionWith: termEmbeddings && createLateInteraction(termEmbeddings),
    sentenceWeights: readSentenceWeights(queryEncoder),
    languages: queryEncoder.languages ?? ['en'],
    indexVersionOf: createIndexVersion({ ...queryEncoder, reranker: reranker?.sha256 }, limits),
    allowedBy: createAllowedReader(limits),
  };
}

/**
 * Answers a validated request. The same index and request give the same answer. Documents of the
 * lanes are ranked as if they were in the index.
 */
export async function search(
  request: SearchRequest,
  embedder: Embedder,
  deps: SearchDeps,
  external: readonly ExternalDocument[] = [],
): Promise<SearchOutcome> {
  const clock = createStopwatch();
  const { embedding, matched, words } = await embedAndMatch(request, embedder, deps);
  const times = { embed: Math.max(0, clock() - words), words };
  return retrieve(request, embedding, deps, { external, matched, times });
}

/** Answers several requests, each with its own outcome. Embeds all of them before it retrieves. */
export async function searchAll(
  requests: readonly SearchRequest[],
  embedder: Embedder,
  deps: SearchDeps,
): Promise<PromiseSettledResult<SearchOutcome>[]> {
  const clock = createStopwatch();
  const begun = requests.map((request) => embedAndMatch(request, embedder, deps));
  const matching = (await Promise.allSettled(begun)).reduce(
    (sum, one) => sum + (one.status === 'fulfilled' ? one.value.words : 0),
    0,
  );
  const embed = Math.max(0, clock() - matching) / requests.length;
  return Promise.allSettled(
    begun.map(async (one, i) => {
      const { embedding, matched, words } = await one;
      const times = { embed, words };
      const request = requests[i] as SearchRequest;
      // Others of the batch would wait for the reranker.
      const isBusy = requests.length > 1;
      return retrieve(request, embedding, deps, { matched, times, isBusy });
    }),
  );
}

interface EmbeddedQuery {
  embedding: QueryEmbedding;
  matched: QueryMatches;
  /** Milliseconds that the lexical matches took. */
  words: number;
}

/**
 * The query's vector and its lexical matches. The tokenizer works in a thread of its own, so this
 * thread looks up the terms instead of waiting for it.
 */
async function embedAndMatch(
  { query, filter }: SearchRequest,
  embedder: Embedder,
  deps: SearchDeps,
): Promise<EmbeddedQuery> {
  const lookUp = () =>
    deps.source.view(async (view) => {
      const clock = createStopwatch();
      const allowed = await deps.allowedBy(filter, view);
      const { queryTermsMax } = deps.limits;
      const matched = await matchQuery(query, view, { queryTermsMax, allowed });
      return { matched, words: clock() };
    });
  const [embedding, looked] = await Promise.all([embedder.embedQuery(query), lookUp()]);
  return { embedding, matched: looked.matched, words: looked.words };
}

/** Inputs that a search may already have. */
export interface Precomputed {
  /** The documents of the lanes. */
  external?: readonly ExternalDocument[];
  /** The lexical matches. They are looked up again if the index has changed since. */
  matched?: QueryMatches;
  /** What that took, for the explanation. */
  times?: Pick<SearchTimes, 'embed' | 'words'>;
  /** Whether other searches wait, so that none is reranked. */
  isBusy?: boolean | undefined;
}

/** The part of a search that follows the embedding of its query, in one view of the index. */
export function retrieve(
  request: SearchRequest,
  embedding: QueryEmbedding,
  deps: SearchDeps,
  {
    external = [],
    matched: matchedBefore,
    times = { embed: 0, words: 0 },
    isBusy = false,
  }: Precomputed = {},
): Promise<SearchOutcome> {
  return deps.source.view(async (view) => {
    const clock = createStopwatch();
    const matched = await matchAgain(matchedBefore, request, view, deps);
    const words = times.words + clock();
    const { query } = matched;
    const exclusions = await readExclusions(request.exclude ?? [], view);
    const excluding = await exclude(exclusions.documents, view, deps.limits);
    const { vector, answer } = embedding;
    const allowed = await deps.allowedBy(request.filter, view);
    const wanted = {
      matched,
      vector,
      answer,
      results: request.limit,
      allowed,
      withheld: excluding.withheld,
    };
    const found = await gatherCandidates(wanted, view, excluding.limits);
    const possible = external.filter(
      ({ source }) => !exclusions.hasExternal(source) && matchesFilter(source, request.filter),
    );
    const admitted = await admit(possible, view, excluding.withheld);
    const reader = withExternal(citableIn(view), admitted);
    const candidates = await mergeAdmitted(
      admitted,
      { query, vector, answer, local: found.all },
      reader,
    );
    const interaction = deps.interactionWith?.(query, embedding.words);
    const ranked = await rankIn(view, candidates, {
      interaction,
      weights: rankWeightsFor(request.query),
    });
    const ranking = clock() - found.denseMs;
    const choosing = { query: request.query, weights: deps.sentenceWeights };
    const reranking = planRerank(request, deps);
    const most = reranking?.papersMax ?? request.limit;
    const selected = await selectDistinctPapers(ranked, reader, { limit: most });
    const selectMs = clock();
    const reranked = await reranking?.apply(selected, choosing, isBusy);
    const rerankMs = clock();
    const papers = reranked?.papers ?? selected;
    const top = cutAfterLastExternal(papers.slice(0, request.limit));
    const results = cite(top, await readFacts(top, reader, request), request, choosing);
    const best = found.all.reduce((most, one) => Math.max(most, bestUnitCosine(one.cosines)), 0);
    return {
      answer: shapeAnswer(
        { n: results.length, c: Math.round(clamp(best) * 1000) / 1000, results },
        request,
      ),
      indexVersion: deps.indexVersionOf(await view.state()),
      reranked: reranked?.outcome,
      unread: unreadLanguage(request.query, deps),
      explanation: {
        words: [...new Set(query.terms.map(({ word }) => word))],
        lexicalCandidates: found.lexicalCount,
        denseCandidates: found.denseCount,
        milliseconds: rounded({
          ...times,
          words,
          dense: found.denseMs,
          rank: ranking + selectMs,
          ...(reranked !== undefined && { rerank: rerankMs }),
          cite: clock(),
        }),
        results: top.map((paper) => explain(paper, choosing)),
      },
    };
  });
}

/** The matches that were found before, or those of a new look-up if the index has changed since. */
async function matchAgain(
  before: QueryMatches | undefined,
  { query, filter }: SearchRequest,
  view: IndexView,
  { allowedBy, limits: { queryTermsMax } }: SearchDeps,
): Promise<QueryMatches> {
  if (before !== undefined && before.revision === (await view.revision())) return before;
  return matchQuery(query, view, { queryTermsMax, allowed: await allowedBy(filter, view) });
}

/** What a search withholds besides the retracted papers, and the limits with which it finds others. */
export async function exclude(
  excluded: ReadonlySet<DocumentNumber>,
  view: IndexView,
  limits: SearchLimits,
): Promise<{ withheld: ReadonlyMap<DocumentNumber, unknown>; limits: CandidateLimits }> {
  const known = limits.withheldShown ? NONE : await view.withheld();
  if (excluded.size === 0) return { withheld: known, limits };
  const withheld = new Map<DocumentNumber, unknown>(known);
  for (const document of excluded) withheld.set(document, 'excluded');
  const denseCandidatesMax = limits.denseCandidatesMax + excluded.size;
  return { withheld, limits: { ...limits, denseCandidatesMax } };
}

async function admit(
  external: readonly ExternalDocument[],
  view: IndexView,
  withheld: ReadonlyMap<DocumentNumber, unknown>,
): Promise<AdmittedDocument[]> {
  if (external.length === 0) return [];
  const keys = external.map(({ source }) => schemeKeysOf(source.identifiers));
  return admitExternal(external, await view.withKeys(keys), withheld);
}

async function mergeAdmitted(
  admitted: readonly AdmittedDocument[],
  from: Omit<MergeDeps, 'documents'>,
  reader: CitableReader,
): Promise<readonly Candidate[]> {
  if (admitted.length === 0) return from.local;
  const read = await reader.read(from.local.map(({ document }) => document));
  // A paper of a lane stays if the one of the index is damaged.
  const local = from.local.filter((_, at) => read[at] !== undefined);
  const documents = read.filter((document) => document !== undefined);
  return mergeExternal(admitted, { ...from, local, documents });
}

/** Ranks candidates with the statistics of a view, by default as for a query that asks for no fact. */
export async function rankIn(
  view: IndexView,
  candidates: readonly Candidate[],
  options: RankOptions = {},
): Promise<Ranked[]> {
  const firstStage = rankFirstStage(candidates);
  const statistics = await view.statistics(feedbackTermsOf(firstStage));
  return rank(firstStage, statistics, options);
}

/** Reads what the records of papers say, if the request asks for any of it. */
export async function readFacts(
  papers: readonly DistinctPaper[],
  reader: CitableReader,
  { include }: Pick<SearchRequest, 'include'>,
): ReturnType<CitableReader['factsOf']> {
  if (!needsFacts(include)) return [];
  return reader.factsOf(papers.map(({ document }) => document));
}

/** The highest cosine among the title and the sentences. */
export function bestUnitCosine(cosines: Float64Array): number {
  let best = 0;
  for (let i = 1; i < cosines.length; i++) best = Math.max(best, cosines[i] as number);
  return best;
}

export function explain(paper: DistinctPaper, choosing: Choosing): Explanation['results'][number] {
  const { score, firstScore, candidate, cited } = paper;
  const { bm25, cosines } = candidate;
  const [documentCosine = 0] = cosines;
  return {
    d: cited.id,
    score,
    firstScore,
    bm25,
    documentCosine,
    bestCosine: bestUnitCosine(cosines),
    get quote() {
      return explainQuote(paper, choosing);
    },
  };
}

/** The times, each to the microsecond. */
export function rounded({ embed, words, dense, rank, rerank, cite }: SearchTimes): SearchTimes {
  const round = (milliseconds: number): number => Math.round(milliseconds * 1000) / 1000;
  return {
    embed: round(embed),
    words: round(words),
    dense: round(dense),
    rank: round(rank),
    ...(rerank !== undefined && { rerank: round(rerank) }),
    cite: round(cite),
  };
}
