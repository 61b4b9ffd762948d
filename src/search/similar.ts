/**
 * Papers that are similar to a paper of the index. The paper takes the place of the query: its own
 * vector, and the terms that tell it apart from others. The ranking is that of a search.
 */
import { VerbatimError } from '../errors.ts';
import { identifiersOf, schemes } from '../identity/identifiers.ts';
import { idKeyOf, schemeKeysOf } from '../identity/record-keys.ts';
import { dequantizeOwn, ownVectorOf } from '../store/index/dense/embeddings.ts';
import type { StoredDocument } from '../store/index/documents/documents.ts';
import type { AllowedDocuments } from '../store/index/facets/allowed-documents.ts';
import type { ForwardEntry } from '../store/index/forward-index.ts';
import { decodeTermVector, findTerm } from '../store/index/lexical/term-vectors.ts';
import type { DocumentNumber, SimilarRequest } from '../types.ts';
import { saturate } from './bm25.ts';
import { bm25Parameters, type Candidate, gatherCandidates } from './candidates.ts';
import { cite } from './cite.ts';
import { selectDistinctPapers } from './deduplicate.ts';
import { createExclusions } from './exclusions.ts';
import type { QueryMatches } from './match-query.ts';
import { clamp, rank } from './rank.ts';
import type { Ranked } from './ranked.ts';
import {
  bestUnitCosine,
  createStopwatch,
  explain,
  rounded,
  type SearchDeps,
  type SearchOutcome,
  withoutDocuments,
} from './search.ts';
import { shapeAnswer } from './shape-answer.ts';
import { areVersions, type Wording, wordingOf } from './versions.ts';
import { type WeightedQuery, weightQuery } from './weight-query.ts';

/** Distinct words of the paper that are weighted. Longer abstracts are rare. */
const WORDS_MAX = 1_000;

/**
 * Finds the papers that are most similar to one, without it and its versions. `c` is the highest
 * cosine of the paper with a title or a sentence of another one. Throws `unknown_paper`, and
 * `bad_request` if several papers have the id.
 */
export function findSimilar(request: SimilarRequest, deps: SearchDeps): SearchOutcome {
  return deps.inSnapshot(() => {
    const clock = createStopwatch();
    const number = findNumber(request.similarTo, deps);
    const document = deps.documents.read(number);
    const [entry] = deps.documents.readForwardEntries([number]) as [ForwardEntry];
    const own = wordingOf(document);
    const vector = dequantizeOwn(ownVectorOf(entry.vectors, deps.dimensions));
    const allowed = deps.allowedBy(request.filter);
    const matched = matchPaper(document, entry, deps, allowed);
    const words = clock();
    const exclusions = createExclusions(request.exclude ?? [], deps.documents);
    const view = withoutDocuments(deps, new Set([number, ...exclusions.documents]));
    const found = gatherCandidates({ matched, vector, results: request.limit, allowed }, view);
    const ranked = rank(found.all, matched.query);
    const ranking = clock() - found.denseMs;
    const papers = selectDistinctPapers(ranked, deps.documents, request.limit, own);
    const results = cite(papers.ranked, papers.documents, request);
    const c = Math.round(clamp(confidence(found.all, own, deps)) * 1000) / 1000;
    const milliseconds = { embed: 0, words, dense: found.denseMs, rank: ranking, cite: clock() };
    return {
      answer: shapeAnswer({ n: results.length, c, results }, request),
      indexVersion: deps.indexVersionNow(),
      explanation: {
        words: matched.query.terms.map(({ word }) => word),
        lexicalCandidates: found.lexicalCount,
        denseCandidates: found.denseCount,
        milliseconds: rounded(milliseconds),
        results: results.map(({ d }, at) => explain(d, papers.ranked[at] as Ranked)),
      },
    };
  });
}

/** Returns the number of the document with an id in any form. */
function findNumber(name: string, { documents }: SearchDeps): DocumentNumber {
  const id = name.trim();
  const forms = identifiersOf(Object.fromEntries(schemes.map((scheme) => [scheme, id])));
  const keys = [idKeyOf(id), ...schemeKeysOf(forms)];
  const numbers = [...new Set(documents.withIdOrKeys(id, keys))];
  const [number, ...others] = numbers;
  if (number === undefined) throw new VerbatimError('unknown_paper');
  if (others.length === 0 || documents.read(number).id === id) return number;
  const ids = numbers.map((each) => documents.read(each).id).join(', ');
  throw new VerbatimError('bad_request', `id: several papers have "${id}"; use one of ${ids}`);
}

/** Finds documents that share the paper's most distinctive terms. */
function matchPaper(
  document: StoredDocument,
  entry: ForwardEntry,
  { statisticsNow, lexical, revisionNow, limits }: SearchDeps,
  allowed: AllowedDocuments | undefined,
): QueryMatches {
  const { title, abstract } = document;
  const all = weightQuery(`${title} ${abstract}`, statisticsNow(), WORDS_MAX);
  const query = withDistinctiveTerms(all, entry, limits.queryTermsMax);
  return { revision: revisionNow(), query, matches: lexical.retrieve(query.terms, allowed) };
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
function confidence(all: readonly Candidate[], own: Wording, { documents }: SearchDeps): number {
  const nearest = all
    .map(({ document, cosines }) => ({ document, cosine: bestUnitCosine(cosines) }))
    .sort((a, b) => b.cosine - a.cosine);
  const other = nearest.find(
    ({ document }) => !areVersions(own, wordingOf(documents.read(document))),
  );
  return other?.cosine ?? 0;
}
