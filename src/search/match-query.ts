/** The lexical half of a search. It needs no query vector, so it can run while the query is embedded. */

import type { AllowedDocuments } from '../index/facets/allowed-documents.ts';
import type { WordMatches } from '../index/lexical/lexical-retrieval.ts';
import type { IndexView } from '../index/ports/index-source.ts';
import { withoutStopStructures } from '../text/stop-structures.ts';
import { parseQuery, termsToWeigh, type WeightedQuery, weightQuery } from './weight-query.ts';

/** The weighted query and its matches, valid for one revision of the index. */
export interface QueryMatches {
  revision: string;
  query: WeightedQuery;
  matches: WordMatches;
}

export interface MatchOptions {
  queryTermsMax: number;
  /** The documents to which a filter limits the search. Absent: all. */
  allowed?: AllowedDocuments | undefined;
}

/** Weighs the terms of what the query asks for and looks them up. */
export async function matchQuery(
  query: string,
  view: IndexView,
  { queryTermsMax, allowed }: MatchOptions,
): Promise<QueryMatches> {
  const parsed = parseQuery(withoutStopStructures(query), queryTermsMax);
  const weighted = weightQuery(parsed, await view.statistics(termsToWeigh(parsed)));
  const matches = await view.matchWords([...weighted.terms, ...weighted.joined], allowed);
  return { revision: await view.revision(), query: weighted, matches };
}
