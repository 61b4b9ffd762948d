/** What providers of the web lane have in common. */

import type { Provider } from '../lane/provider.ts';
import type { HttpResponse } from '../transport/http-client.ts';
import { stringOf } from './json.ts';
import { type DocumentContext, type FoundPaper, toDocuments } from './to-documents.ts';

export interface WebSettings {
  webGapMs: number;
  webConcurrencyMax: number;
  laneResultsMax: number;
  laneQueryCharactersMax: number;
}

/** What tells one provider of the web lane from another. */
export interface WebProviderDeps extends Pick<Provider, 'requestFor'> {
  /** Throws a LaneFailure for what is no answer. */
  papersOf(answer: HttpResponse): FoundPaper[];
  /** Absent: its headers say nothing of what is left. */
  budgetOf?: Provider['quotaOf'];
  retriesMax?: number;
}

/** A provider that is asked one thing a question, at the pace of the web lane. */
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
      exchange(requestFor(query), (answer) => toDocuments(papersOf(answer), context)),
  };
}

/** The address of a page on the web, '' for anything else: links of scripts, paths, rubbish. */
export function pageAddress(value: unknown): string {
  const text = stringOf(value).trim();
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol) ? text : '';
}
