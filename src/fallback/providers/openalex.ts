/** OpenAlex: works by words, abstracts as an index of words that is put together again. */

import { LaneFailure } from '../lane/lane-errors.ts';
import type { Provider, Quota } from '../lane/provider.ts';
import { anyWordOf } from '../text/query-text.ts';
import type { SplitSentences } from '../text/whole-sentences.ts';
import type { HttpRequest, HttpResponse } from '../transport/http-client.ts';
import { acceptedBody, numberOf } from '../transport/response-status.ts';
import { textOfInvertedIndex } from './inverted-index.ts';
import { type JsonObject, objectOf, objectsOf, parseJsonObject, stringOf } from './json.ts';
import type { DocumentContext, FoundPaper } from './to-documents.ts';
import { createWebProvider, type WebSettings } from './web-provider.ts';

export interface OpenalexSettings extends WebSettings {
  openalexUrl: string;
  openalexKey: string;
  laneWordsMax: number;
}

const FIELDS =
  'id,doi,ids,display_name,publication_year,authorships,abstract_inverted_index,is_retracted';

export function createOpenalex(settings: OpenalexSettings, context: DocumentContext): Provider {
  return createWebProvider(settings, context, {
    requestFor: (query) => openalexRequest(query, settings),
    papersOf: (answer) => parseOpenalex(acceptedBody(answer), context.split),
    budgetOf: openalexBudget,
  });
}

function openalexRequest(query: string, settings: OpenalexSettings): HttpRequest {
  const url = new URL('/works', settings.openalexUrl);
  url.searchParams.set('search', anyWordOf(query, settings.laneWordsMax));
  url.searchParams.set('filter', 'has_abstract:true');
  url.searchParams.set('per_page', String(settings.laneResultsMax));
  url.searchParams.set('select', FIELDS);
  const { openalexKey: key } = settings;
  // It takes the key in the address too, where logs on the way would see it.
  return key === '' ? { url } : { url, secretHeaders: { authorization: `Bearer ${key}` } };
}

/** The papers of a list of works. Throws `bad_answer` for anything else. */
function parseOpenalex(body: string, split: SplitSentences): FoundPaper[] {
  const { results } = parseJsonObject(body);
  if (!Array.isArray(results)) {
    throw new LaneFailure('bad_answer', 'OpenAlex answered with no list of works');
  }
  return objectsOf(results).map((work) => paperOf(work, split));
}

function paperOf(work: JsonObject, split: SplitSentences): FoundPaper {
  const ids = objectOf(work['ids']);
  return {
    id: '',
    identifiers: {
      doi: work['doi'],
      openalex: work['id'],
      pmid: ids['pmid'],
      pmcid: ids['pmcid'],
    },
    title: work['display_name'],
    abstract: textOfInvertedIndex(work['abstract_inverted_index'], split),
    year: work['publication_year'],
    authors: objectsOf(work['authorships']).map(
      (authorship) =>
        stringOf(objectOf(authorship['author'])['display_name']) ||
        stringOf(authorship['raw_author_name']),
    ),
    withheld: work['is_retracted'] === true ? 'retracted' : undefined,
  };
}

/** Nothing left of the day's requests or dollars: until midnight UTC, in seconds from now. */
export function openalexBudget(headers: HttpResponse['headers']): Quota {
  const resetSeconds = numberOf(headers['x-ratelimit-reset']);
  const remaining = numberOf(headers['x-ratelimit-remaining']);
  const dollars = numberOf(headers['x-ratelimit-remaining-usd']);
  const prepaid = numberOf(headers['x-ratelimit-prepaid-remaining-usd']) ?? 0;
  const cost = numberOf(headers['x-ratelimit-cost-usd']) ?? 0;
  const isSpent =
    (remaining ?? 1) <= 0 || (dollars !== undefined && (dollars <= 0 || dollars < cost));
  if (!isSpent || prepaid > 0 || resetSeconds === undefined) return {};
  return { exhaustedForMs: resetSeconds * 1_000 };
}
