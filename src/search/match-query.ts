/** The lexical half of a search. It needs no query vector, so it can run while the query is embedded. */
import type { AllowedDocuments } from '../store/index/facets/allowed-documents.ts';
import type { LexicalRetriever, WordMatches } from '../store/index/lexical/lexical-retrieval.ts';
import type { TermStatistics } from '../store/index/lexical/term-statistics.ts';
import { withoutAskingPhrases } from '../text/asking-phrases.ts';
import { type WeightedQuery, weightQuery } from './weight-query.ts';

export interface MatchQueryDeps {
  statisticsNow: () => TermStatistics;
  /** The revision of the index that the connection sees. */
  revisionNow: () => number;
  lexical: LexicalRetriever;
  limits: { queryTermsMax: number };
}

/** The weighted query and its matches, valid for one revision of the index. */
export interface QueryMatches {
  revision: number;
  query: WeightedQuery;
  matches: WordMatches;
}

/**
 * Weights the terms of what the query asks for and looks them up, among the allowed documents if they are given. Call
 * it within one snapshot of the index.
 */
export function matchQuery(
  query: string,
  { statisticsNow, revisionNow, lexical, limits }: MatchQueryDeps,
  allowed?: AllowedDocuments,
): QueryMatches {
  const asked = withoutAskingPhrases(query);
  const weighted = weightQuery(asked, statisticsNow(), limits.queryTermsMax);
  const matches = lexical.retrieve([...weighted.terms, ...weighted.joined], allowed);
  return { revision: revisionNow(), query: weighted, matches };
}
