/** What the providers of the web lane have in common. */

import type { HttpResponse, Provider } from '../lane/provider.ts';
import { stringOf } from './response-json.ts';
import { type DocumentContext, type FoundPaper, toDocuments } from './to-documents.ts';

export interface WebSettings {
  webGapMs: number;
  webConcurrencyMax: number;
  laneResultsMax: number;
  laneQueryCharactersMax: number;
}

/** What differs between the providers of the web lane. */
export interface WebProviderDeps extends Pick<Provider, 'requestFor'> {
  /** The papers of a response. Throws a LaneFailure for anything unexpected. */
  papersOf(response: HttpResponse): FoundPaper[];
  /** Absent: its headers say nothing about rate limits. */
  budgetOf?: Provider['quotaOf'];
  retriesMax?: number;
}

/** A provider that takes one request for a question, at the rate limits of the web lane. */
export function createWebProvider(
  settings: WebSettings,
  context: DocumentContext,
  { requestFor, papersOf, budgetOf = () => ({}), retriesMax = 0 }: WebProviderDeps,
): Provider {
  return {
    name: context.provider,
    lane: context.lane,
    isStorable: context.isStorable,
    rateLimits: { gapMs: settings.webGapMs, concurrencyMax: settings.webConcurrencyMax },
    retriesMax,
    requestFor,
    quotaOf: budgetOf,
    ask: async (query, exchange) =>
      exchange(requestFor(query), (response) => toDocuments(papersOf(response), context)),
  };
}

/** The address of a web page. '' for anything else, such as a script or a path. */
export function pageAddress(value: unknown): string {
  const text = stringOf(value).trim();
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol) ? text : '';
}
