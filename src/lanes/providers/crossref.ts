/** Crossref's REST API: records of publishers. A question finds only those with an abstract. */
import { type CrossrefUpdate, readCrossrefUpdate } from '../../identity/crossref-updates.ts';
import { ARXIV_DOI, normalizeDoi } from '../../identity/identifiers.ts';
import type { Notice } from '../../types.ts';
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
} from './response-json.ts';
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
    requestFor: (query) => crossrefRequest(query, 'has-abstract:true', settings),
    lookUp: {
      byIdentifiers: ({ doi }) =>
        // A comma would separate it into two filters.
        doi === undefined || doi.includes(',') || ARXIV_DOI.test(doi)
          ? undefined
          : worksRequest({ filter: `doi:${doi}` }, settings),
      byTitle: (title, author) => crossrefRequest(`${title} ${author}`, undefined, settings),
    },
    papersOf: (response) => parseCrossref(acceptedBody(response)),
    budgetOf: crossrefQuota,
  });
}

function crossrefRequest(
  query: string,
  filter: string | undefined,
  settings: CrossrefSettings,
): HttpRequest {
  const charactersMax = settings.laneQueryCharactersMax;
  const words = { 'query.bibliographic': plainQuery(query, { charactersMax }) };
  return worksRequest({ ...words, ...(filter && { filter }) }, settings);
}

function worksRequest(
  parameters: Readonly<Record<string, string>>,
  settings: CrossrefSettings,
): HttpRequest {
  const url = new URL('/works', settings.crossrefUrl);
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
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
  const works = objectsOf(items);
  const announced = works.flatMap(noticesIn);
  return works.flatMap(papersOf).map((paper) => {
    const doi = doiOf(paper.identifiers?.doi);
    const others = announced.filter(({ paper: about }) => about === doi);
    return { ...paper, notices: [...(paper.notices ?? []), ...others.map(({ notice }) => notice)] };
  });
}

/** What the record of a notice announces about papers, which the answer may have as well. */
function noticesIn(item: JsonObject): { paper: string; notice: Notice }[] {
  const id = doiOf(item['DOI']);
  return updatesIn(item, 'update-to').map(({ doi, kind, date }) => ({
    paper: doi,
    notice: { kind, date, id },
  }));
}

/**
 * The paper of a work. The record of a notice is not shown as a paper: it gives the papers that it
 * takes back. Some journals turn the record of the paper itself into the notice.
 */
function papersOf(item: JsonObject): FoundPaper[] {
  if (objectsOf(item['update-to']).length > 0) {
    return updatesIn(item, 'update-to').flatMap(({ doi, withheld }): FoundPaper[] =>
      withheld === undefined ? [] : [{ id: '', identifiers: { doi }, title: '', withheld }],
    );
  }
  return NO_PAPERS.has(item['type']) ? [] : [paperOf(item)];
}

function paperOf(item: JsonObject): FoundPaper {
  const updates = updatesIn(item, 'updated-by');
  return {
    id: stringOf(item['DOI']),
    identifiers: { doi: item['DOI'] },
    title: arrayOf(item['title'])[0],
    abstract: item['abstract'],
    year: yearOf(item['published']) ?? yearOf(item['issued']),
    authors: objectsOf(item['author']).map(nameOf),
    venue: arrayOf(item['container-title'])[0],
    withheld: updates.find(({ withheld }) => withheld !== undefined)?.withheld,
    notices: updates.map(({ kind, date, doi: id }) => ({ kind, date, id })),
  };
}

function updatesIn(item: JsonObject, field: string): CrossrefUpdate[] {
  return objectsOf(item[field]).flatMap((update) => readCrossrefUpdate(update) ?? []);
}

function doiOf(value: unknown): string {
  return normalizeDoi(stringOf(value));
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
