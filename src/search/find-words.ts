/** What a search can find before its question's vector is there: the words, and who has them. */
import type { LexicalRetriever, WordMatches } from '../store/index/lexical/lexical-retrieval.ts';
import type { TermStatistics } from '../store/index/lexical/term-statistics.ts';
import { type WeighedQuery, weighQuery } from './weigh-query.ts';

export interface FindWordsDeps {
  statisticsNow: () => TermStatistics;
  /** The state of the index that the connection sees. */
  revisionNow: () => number;
  lexical: LexicalRetriever;
  limits: {
    queryTermsMax: number;
    /** Matches that are walked. */
    postingsMax: number;
  };
}

/** They hold for one state of the index. */
export interface FoundWords {
  revision: number;
  query: WeighedQuery;
  matches: WordMatches;
}

/** Weighs and looks up the words of a question; to be called in one view of the index. */
export function findWords(
  question: string,
  { statisticsNow, revisionNow, lexical, limits }: FindWordsDeps,
): FoundWords {
  const query = weighQuery(question, statisticsNow(), limits.queryTermsMax);
  const matches = lexical.retrieve([...query.terms, ...query.joined]);
  return { revision: revisionNow(), query, matches };
}
