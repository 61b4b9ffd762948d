/** What the providers of the web lane have in common. */

import type { Identifiers } from '../../types.ts';
import type { HttpRequest, HttpResponse, Inquiry, Provider } from '../lane/provider.ts';
import { stringOf } from './response-json.ts';
import { type DocumentContext, type FoundPaper, toDocuments } from './to-documents.ts';

export interface WebSettings {
  webGapMs: number;
  webConcurrencyMax: number;
  laneResultsMax: number;
  laneQueryCharactersMax: number;
}

/** What differs between the providers of the web lane. */
export interface WebProviderDeps {
  /** Throws a LaneSkip `no_words` when a question leaves nothing to ask for. */
  requestFor(query: string): HttpRequest;
  /** The requests that look up a reference, with responses as those to a question. */
  lookUp?: {
    /** Undefined if the provider knows none of the schemes. */
    byIdentifiers(identifiers: Identifiers): HttpRequest | undefined;
    byTitle(title: string, author: string): HttpRequest;
  };
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
  { requestFor, lookUp, papersOf, budgetOf = () => ({}), retriesMax = 0 }: WebProviderDeps,
): Provider {
  const inquiry = (request: () => HttpRequest): Inquiry => ({
    request,
    find: async (exchange) =>
      exchange(request(), (response) => toDocuments(papersOf(response), context)),
  });
  return {
    name: context.provider,
    lane: context.lane,
    isStorable: context.isStorable,
    rateLimits: { gapMs: settings.webGapMs, concurrencyMax: settings.webConcurrencyMax },
    retriesMax,
    quotaOf: budgetOf,
    inquire: (query) => inquiry(() => requestFor(query)),
    ...(lookUp && {
      lookUp: {
        byIdentifiers(identifiers) {
          const request = lookUp.byIdentifiers(identifiers);
          return request && inquiry(() => request);
        },
        byTitle: (title, author) => inquiry(() => lookUp.byTitle(title, author)),
      },
    }),
  };
}

/** The address of a web page. '' for anything else, such as a script or a path. */
export function pageAddress(value: unknown): string {
  const text = stringOf(value).trim();
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol) ? text : '';
}
