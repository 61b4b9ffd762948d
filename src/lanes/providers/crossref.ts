/** Crossref's REST API: records of publishers; those with an abstract are asked for. */
import { acceptedBody, numberOf } from '../answers.ts';
import { type DocumentContext, type FoundPaper, toDocuments } from '../document.ts';
import { LaneFailure } from '../failure.ts';
import type { HttpAnswer, HttpRequest } from '../http-client.ts';
import {
  arrayOf,
  type JsonObject,
  objectOf,
  objectsOf,
  parseJsonObject,
  stringOf,
} from '../json.ts';
import type { Budget, Provider } from '../provider.ts';
import { plainQuery } from '../query-text.ts';
import type { WebSettings } from './web.ts';

export interface CrossrefSettings extends WebSettings {
  crossrefUrl: string;
  laneContact: string;
}

const FIELDS = 'DOI,type,title,author,issued,published,abstract,container-title,update-to';
/** Parts and reviews of works, and what holds works. */
const NO_PAPERS: ReadonlySet<unknown> = new Set([
  ...['component', 'peer-review', 'journal', 'journal-issue', 'journal-volume'],
  ...['proceedings', 'proceedings-series', 'book-series', 'grant'],
]);

export function createCrossref(settings: CrossrefSettings, context: DocumentContext): Provider {
  return {
    ...{ name: 'crossref', lane: 'web', isStorable: context.isStorable },
    pace: { gapMs: settings.webGapMs, concurrencyMax: settings.webConcurrencyMax },
    ...{ retriesMax: 0, requestsPerQuestion: 1 },
    ask: async (query, exchange) =>
      exchange(crossrefRequest(query, settings), (answer) =>
        toDocuments(parseCrossref(acceptedBody(answer)), context),
      ),
    budgetOf: crossrefBudget,
  };
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
  const answer = parseJsonObject(body);
  const { items } = objectOf(answer['message']);
  if (answer['status'] !== 'ok' || !Array.isArray(items)) {
    throw new LaneFailure('bad_answer', 'Crossref answered with no list of works');
  }
  return objectsOf(items).filter(isPaper).map(paperOf);
}

/** A notice that another paper was changed or withdrawn is no paper of its own. */
function isPaper(item: JsonObject): boolean {
  return !NO_PAPERS.has(item['type']) && arrayOf(item['update-to']).length === 0;
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
  };
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

/** `x-rate-limit-limit` requests in `x-rate-limit-interval`, `x-concurrency-limit` at a time. */
export function crossrefBudget(headers: HttpAnswer['headers']): Budget {
  const limit = numberOf(headers['x-rate-limit-limit']);
  const seconds = numberOf(headers['x-rate-limit-interval']?.replace(/s$/, ''));
  const concurrency = numberOf(headers['x-concurrency-limit']);
  return {
    ...(limit !== undefined && seconds !== undefined && limit > 0
      ? { gapMs: (seconds * 1_000) / limit }
      : {}),
    ...(concurrency !== undefined && concurrency >= 1 ? { concurrencyMax: concurrency } : {}),
  };
}
