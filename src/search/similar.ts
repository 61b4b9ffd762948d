/**
 * Papers that are similar to a paper of the index. The paper takes the place of the query: its own
 * vector, and the terms that tell it apart from others. The ranking is that of a search.
 */
import { VerbatimError } from '../errors.ts';
import { dequantizeOwn, ownVectorOf } from '../index/dense/embeddings.ts';
import type { StoredDocument } from '../index/documents/stored-document.ts';
import type { AllowedDocuments } from '../index/facets/allowed-documents.ts';
import type { ForwardEntry } from '../index/forward-index.ts';
import { decodeTermVector, findTerm } from '../index/lexical/term-vectors.ts';
import { findAmong } from '../index/ports/find-among.ts';
import { findNamed } from '../index/ports/find-named.ts';
import type { IndexView } from '../index/ports/index-source.ts';
import type { DocumentNumber, SimilarRequest } from '../types.ts';
import { saturate } from './bm25.ts';
import { bm25Parameters, type Candidate, gatherCandidates } from './candidates.ts';
import { citableIn } from './citable-document.ts';
import { cite } from './cite.ts';
import { selectDistinctPapers } from './deduplicate.ts';
import { readExclusions } from './exclusions.ts';
import type { QueryMatches } from './match-query.ts';
import { clamp } from './rank.ts';
import {
  bestUnitCosine,
  exclude,
  explain,
  rankIn,
  readFacts,
  rounded,
  type SearchDeps,
  type SearchOutcome,
} from './search.ts';
import { topicalWeights } from './sentence-weights.ts';
import { shapeAnswer } from './shape-answer.ts';
import { createStopwatch } from './stopwatch.ts';
import { areVersions, type Wording, wordingOf } from './versions.ts';
import { parseQuery, termsToWeigh, type WeightedQuery, weightQuery } from './weight-query.ts';

/** Distinct words of the paper that are weighted. Longer abstracts are rare. */
const WORDS_MAX = 1_000;

/**
 * Finds the papers that are most similar to one, without it and its versions. `c` is the highest
 * cosine of the paper with a title or a sentence of another one. Rejects with `unknown_paper`, also if
 * what is stored of the paper is damaged, and with `bad_request` if several papers have the id.
 */
export function findSimilar(request: SimilarRequest, deps: SearchDeps): Promise<SearchOutcome> {
  return deps.source.view(async (view) => {
    const clock = createStopwatch();
    const number = await findNumber(request.similarTo, view);
    const [document] = await view.documents([number]);
    if (document === undefined) throw new VerbatimError('unknown_paper');
    const [entry] = (await view.forwardEntries([number])) as [ForwardEntry];
    const own = wordingOf(document);
    const vector = dequantizeOwn(ownVectorOf(entry.vectors, deps.dimensions));
    const allowed = await deps.allowedBy(request.filter, view);
    const { queryTermsMax } = deps.limits;
    const matched = await matchPaper({ document, entry }, view, { queryTermsMax, allowed });
    const words = clock();
    const { documents: excluded } = await readExclusions(request.exclude ?? [], view);
    const excluding = await exclude(new Set([number, ...excluded]), view, deps.limits);
    const { withheld, limits } = excluding;
    const wanted = { matched, vector, results: request.limit, allowed, withheld };
    const found = await gatherCandidates(wanted, view, limits);
    const ranked = await rankIn(view, found.all);
    const ranking = clock() - found.denseMs;
    const reader = citableIn(view);
    const papers = await selectDistinctPapers(ranked, reader, { limit: request.limit, known: own });
    const facts = await readFacts(papers, reader, request);
    const choosing = { query: '', weights: topicalWeights };
    const results = cite(papers, facts, request, choosing);
    const c = Math.round(clamp(await confidence(found.all, own, view)) * 1000) / 1000;
    const milliseconds = { embed: 0, words, dense: found.denseMs, rank: ranking, cite: clock() };
    return {
      answer: shapeAnswer({ n: results.length, c, results }, request),
      indexVersion: deps.indexVersionOf(await view.state()),
      explanation: {
        words: matched.query.terms.map(({ word }) => word),
        lexicalCandidates: found.lexicalCount,
        denseCandidates: found.denseCount,
        milliseconds: rounded(milliseconds),
        results: papers.map((paper) => explain(paper, choosing)),
      },
    };
  });
}

/** Returns the number of the document with an id in any form. */
async function findNumber(name: string, view: IndexView): Promise<DocumentNumber> {
  const id = name.trim();
  const numbers = await findNamed(view, id);
  const [number, ...others] = numbers;
  if (number === undefined) throw new VerbatimError('unknown_paper');
  if (others.length === 0) return number;
  const ids = (await view.documents(numbers)).flatMap((each) => each?.id ?? []).join(', ');
  throw new VerbatimError('bad_request', `id: several papers have "${id}"; use one of ${ids}`);
}

/** Finds documents that share the paper's most distinctive terms. */
async function matchPaper(
  { document, entry }: { document: StoredDocument; entry: ForwardEntry },
  view: IndexView,
  { queryTermsMax, allowed }: { queryTermsMax: number; allowed: AllowedDocuments | undefined },
): Promise<QueryMatches> {
  const { title, abstract } = document;
  const parsed = parseQuery(`${title} ${abstract}`, WORDS_MAX);
  const all = weightQuery(parsed, await view.statistics(termsToWeigh(parsed)));
  const query = withDistinctiveTerms(all, entry, queryTermsMax);
  const matches = await view.matchWords(query.terms, allowed);
  return { revision: await view.revision(), query, matches };
}

/** Keeps the terms with the largest weight in the paper. A term of no other paper finds nothing. */
function withDistinctiveTerms(
  { terms, statistics }: WeightedQuery,
  entry: ForwardEntry,
  termsMax: number,
): WeightedQuery {
  const vector = decodeTermVector(entry.terms);
  const length = vector.length / statistics.lengthMean;
  const valued = terms
    .filter(({ frequency }) => frequency > 1)
    .flatMap((term) => {
      const at = findTerm(vector, term.term);
      if (at < 0) return [];
      return [{ term, value: term.weight * saturate(vector, at, length, bm25Parameters) }];
    })
    .sort((a, b) => b.value - a.value || a.term.term - b.term.term)
    .slice(0, termsMax);
  const sum = valued.reduce((total, { term }) => total + term.share, 0);
  return {
    terms: valued.map(({ term }) => ({ ...term, share: term.share / sum })),
    joined: [],
    statistics,
  };
}

/** The highest cosine with a unit of a candidate that is no version of the paper. */
async function confidence(
  all: readonly Candidate[],
  own: Wording,
  view: IndexView,
): Promise<number> {
  const nearest = all
    .map(({ document, cosines }) => ({ document, cosine: bestUnitCosine(cosines) }))
    .sort((a, b) => b.cosine - a.cosine);
  const numbers = nearest.map(({ document }) => document);
  const at = await findAmong(
    numbers,
    (some) => view.documents(some),
    (document) => document !== undefined && !areVersions(own, wordingOf(document)),
  );
  return nearest[at]?.cosine ?? 0;
}
