/** arXiv's query API: an Atom feed, searched by words of title, abstract, and authors. */

import { isWithdrawnByAuthors } from '../../identity/withheld.ts';
import { childOf, childrenOf, textOfChild, type XmlElement } from '../../text/xml-tree.ts';
import { LaneFailure } from '../lane/lane-errors.ts';
import type { HttpRequest, Inquiry, Provider } from '../lane/provider.ts';
import { anyWordOf } from '../text/query-text.ts';
import { acceptedBody } from '../transport/response-status.ts';
import { parseXml } from './feed-xml.ts';
import { type DocumentContext, type FoundPaper, toDocuments } from './to-documents.ts';

export interface ArxivSettings {
  arxivUrl: string;
  arxivGapMs: number;
  laneResultsMax: number;
  laneWordsMax: number;
  laneXmlDepthMax: number;
}

export function createArxiv(settings: ArxivSettings, context: DocumentContext): Provider {
  const inquiry = (parametersOf: () => ArxivParameters): Inquiry => ({
    request: () => arxivRequest(parametersOf(), settings),
    find: async (exchange) => {
      const parameters = parametersOf();
      return exchange(arxivRequest(parameters, settings), (response) => {
        // A refused query is a feed, too, with the status 200 or 400.
        const body = response.status === 400 ? response.body : acceptedBody(response);
        const { search_query: searchQuery = '' } = parameters;
        const papers = parseArxivFeed(body, searchQuery, settings.laneXmlDepthMax);
        return toDocuments(papers, context);
      });
    },
  });
  return {
    name: 'arxiv',
    lane: 'arxiv',
    isStorable: context.isStorable,
    rateLimits: { gapMs: settings.arxivGapMs, concurrencyMax: 1 },
    // arXiv blocks clients for longer if they go on after "Rate exceeded.".
    retriesMax: 0,
    inquire: (query) => inquiry(() => ({ search_query: arxivQuery(query, settings.laneWordsMax) })),
    lookUp: {
      byIdentifiers: ({ arxiv }) =>
        arxiv === undefined ? undefined : inquiry(() => ({ id_list: arxiv })),
      byTitle: (title, author) =>
        inquiry(() => ({ search_query: titleQuery(title, author, settings.laneWordsMax) })),
    },
    quotaOf: () => ({}),
  };
}

/** The words of a question as a `search_query` that matches any of them. */
export function arxivQuery(query: string, wordsMax: number): string {
  return anyWordOf(query, wordsMax, (word) => `all:${word}`);
}

/** Words of the title, and the last word of the author's name. Papers with more of them come first. */
function titleQuery(title: string, author: string, wordsMax: number): string {
  const words = anyWordOf(title, wordsMax, (word) => `ti:${word}`);
  const [name] = author.match(/[\p{L}\p{M}]+$/u) ?? [];
  return name === undefined ? words : `${words} OR au:${name}`;
}

type ArxivParameters = { search_query: string } | { search_query?: never; id_list: string };

function arxivRequest(parameters: ArxivParameters, settings: ArxivSettings): HttpRequest {
  const url = new URL('/api/query', settings.arxivUrl);
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  url.searchParams.set('start', '0');
  url.searchParams.set('max_results', String(settings.laneResultsMax));
  url.searchParams.set('sortBy', 'relevance');
  url.searchParams.set('sortOrder', 'descending');
  return { url };
}

/**
 * The papers of a feed, whatever its count says. Throws `bad_answer` for anything but a feed, or for
 * the feed of another query, and `bad_query` for an entry that is an error.
 */
function parseArxivFeed(body: string, searchQuery: string, depthMax: number): FoundPaper[] {
  const feed = parseXml(body, depthMax);
  if (feed.name !== 'feed') throw new LaneFailure('bad_answer', 'the response is not an Atom feed');
  const entries = childrenOf(feed, 'entry');
  if (entries.some(isError)) throw new LaneFailure('bad_query', 'arXiv returned an error');
  assertSameQuery(textOfChild(feed, 'title'), searchQuery);
  return entries.map(paperOf);
}

function isError(entry: XmlElement): boolean {
  return /\/api\/errors/.test(textOfChild(entry, 'id'));
}

/** arXiv silently rewrites an unknown prefix. The feed's title holds the query that it ran. */
function assertSameQuery(title: string, searchQuery: string): void {
  const executed = /search_query=(.*?)(?:&id_list=|$)/s.exec(title)?.[1];
  if (executed === undefined || comparable(executed) === comparable(searchQuery)) return;
  throw new LaneFailure('bad_answer', 'arXiv ran another query');
}

function comparable(searchQuery: string): string {
  return searchQuery
    .replace(/[()"\s+]+/g, ' ')
    .trim()
    .toLowerCase();
}

function isWithdrawn(entry: XmlElement): boolean {
  const [abstract, comments] = ['summary', 'comment'].map((name) =>
    textOfChild(entry, name).replace(/\s+/g, ' ').trim(),
  );
  return isWithdrawnByAuthors({ abstract: abstract ?? '', comments: comments ?? '' });
}

function paperOf(entry: XmlElement): FoundPaper {
  return {
    id: '',
    identifiers: { arxiv: textOfChild(entry, 'id'), doi: textOfChild(entry, 'doi') },
    title: textOfChild(entry, 'title'),
    abstract: textOfChild(entry, 'summary'),
    year: textOfChild(entry, 'published'),
    authors: childrenOf(entry, 'author').map((author) => childOf(author, 'name')?.text),
    venue: textOfChild(entry, 'journal_ref'),
    withheld: isWithdrawn(entry) ? 'withdrawn' : undefined,
  };
}
