/** Crossref's REST API: records of publishers, only those with an abstract. */
import { type Withheld, withheldByUpdate } from '../../identity/withheld.ts';
import { LaneFailure } from '../lane/lane-errors.ts';
import type { HttpRequest, HttpResponse, Provider, Quota } from '../lane/provider.ts';
import { plainQuery } from '../text/query-text.ts';
import { acceptedBody, numberOf } from '../transport/response-status.ts';
import {
  arrayOf,
  type JsonObject,
  objectOf,
  objectsOf,
  parseJsonObject,
  stringOf,
} from './json.ts';
import type { DocumentContext, FoundPaper } from './to-documents.ts';
import { createWebProvider, type WebSettings } from './web-provider.ts';

export interface CrossrefSettings extends WebSettings {
  crossrefUrl: string;
  laneContact: string;
}

const FIELDS =
  'DOI,type,title,author,issued,published,abstract,container-title,update-to,updated-by';
/** Parts and reviews of works, and containers of works. */
const NO_PAPERS: ReadonlySet<unknown> = new Set([
  ...['component', 'peer-review', 'journal', 'journal-issue', 'journal-volume'],
  ...['proceedings', 'proceedings-series', 'book-series', 'grant'],
]);

export function createCrossref(settings: CrossrefSettings, context: DocumentContext): Provider {
  return createWebProvider(settings, context, {
    requestFor: (query) => crossrefRequest(query, settings),
    papersOf: (response) => parseCrossref(acceptedBody(response)),
    budgetOf: crossrefQuota,
  });
}

function crossrefRequest(query: string, settings: CrossrefSettings): HttpRequest {
  const url = new URL('/works', settings.crossrefUrl);
  const charactersMax = settings.laneQueryCharactersMax;
  url.searchParams.set('query.bibliographic', plainQuery(query, { charactersMax }));
  url.searchParams.set('filter', 'has-abstract:true');
  url.searchParams.set('rows', String(settings.laneResultsMax));
  url.searchParams.set('select', FIELDS);
  url.searchParams.set('mailto', settings.laneContact);
  return { url };
}

/** The papers of a list of works. Throws `bad_answer` for anything else. */
function parseCrossref(body: string): FoundPaper[] {
  const response = parseJsonObject(body);
  const { items } = objectOf(response['message']);
  if (response['status'] !== 'ok' || !Array.isArray(items)) {
    throw new LaneFailure('bad_answer', 'Crossref did not return a list of works');
  }
  return objectsOf(items).flatMap(papersOf);
}

/**
 * The paper of a work. A retraction notice is not a paper: it gives the papers that it retracts.
 * Some journals turn the work of the paper itself into the notice.
 */
function papersOf(item: JsonObject): FoundPaper[] {
  const updates = objectsOf(item['update-to']);
  if (updates.length > 0) {
    return updates.flatMap(({ DOI: doi, type }): FoundPaper[] => {
      const withheld = withheldByUpdate(stringOf(type));
      return withheld === undefined ? [] : [{ id: '', identifiers: { doi }, title: '', withheld }];
    });
  }
  return NO_PAPERS.has(item['type']) ? [] : [paperOf(item)];
}

function paperOf(item: JsonObject): FoundPaper {
  return {
    id: stringOf(item['DOI']),
    identifiers: { doi: item['DOI'] },
    title: arrayOf(item['title'])[0],
    abstract: item['abstract'],
    year: yearOf(item['published']) ?? yearOf(item['issued']),
    authors: objectsOf(item['author']).map(nameOf),
    venue: arrayOf(item['container-title'])[0],
    withheld: withheldOf(item),
  };
}

function withheldOf(item: JsonObject): Withheld | undefined {
  const updates = objectsOf(item['updated-by']).map(({ type }) => withheldByUpdate(stringOf(type)));
  return updates.find((withheld) => withheld !== undefined);
}

/** `{"date-parts":[[2019,5]]}`, or `[[null]]`. */
function yearOf(date: unknown): number | undefined {
  const year = arrayOf(arrayOf(objectOf(date)['date-parts'])[0])[0];
  return typeof year === 'number' ? year : undefined;
}

/** A person, or a group with a single name. */
function nameOf(author: JsonObject): string {
  const parts = [author['given'], author['family'], author['suffix']].map(stringOf);
  return parts.filter((part) => part !== '').join(' ') || stringOf(author['name']);
}

/** `x-rate-limit-limit` requests in `x-rate-limit-interval`, `x-concurrency-limit` concurrently. */
export function crossrefQuota(headers: HttpResponse['headers']): Quota {
  const limit = numberOf(headers['x-rate-limit-limit']);
  const seconds = numberOf(headers['x-rate-limit-interval']?.replace(/s$/, ''));
  const concurrency = numberOf(headers['x-concurrency-limit']) ?? Infinity;
  const hasRate = limit !== undefined && seconds !== undefined && limit > 0;
  // All concurrent requests may start at once, so the interval must have room for them.
  const concurrencyMax = Math.min(concurrency, hasRate ? limit : Infinity);
  return {
    ...(hasRate ? { gapMs: (seconds * 1_000) / limit } : {}),
    ...(concurrencyMax >= 1 && concurrencyMax < Infinity ? { concurrencyMax } : {}),
  };
}
