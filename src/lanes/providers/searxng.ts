/** SearXNG: the operator's instance, whose science engines are asked for JSON. */
import { LaneFailure } from '../lane/lane-errors.ts';
import type { HttpRequest, Provider } from '../lane/provider.ts';
import { plainText } from '../text/plain-text.ts';
import { plainQuery } from '../text/query-text.ts';
import { type SplitSentences, wholeSentences } from '../text/whole-sentences.ts';
import { acceptedBody } from '../transport/response-status.ts';
import { arrayOf, type JsonObject, objectsOf, parseJsonObject, stringOf } from './response-json.ts';
import type { DocumentContext, FoundPaper } from './to-documents.ts';
import { createWebProvider, pageAddress, type WebSettings } from './web-provider.ts';

export interface SearxngSettings extends WebSettings {
  searxngUrl: string;
}

export function createSearxng(settings: SearxngSettings, context: DocumentContext): Provider {
  return createWebProvider(settings, context, {
    requestFor: (query) => searxngRequest(query, settings),
    papersOf: (response) => parseSearxng(acceptedBody(response), context.split),
  });
}

function searxngRequest(query: string, settings: SearxngSettings): HttpRequest {
  // An instance may have a path of its own.
  const url = new URL('search', settings.searxngUrl.replace(/\/*$/, '/'));
  const charactersMax = settings.laneQueryCharactersMax;
  url.searchParams.set('q', plainQuery(query, { charactersMax }));
  url.searchParams.set('format', 'json');
  url.searchParams.set('categories', 'science');
  url.searchParams.set('language', 'en');
  url.searchParams.set('pageno', '1');
  return { url };
}

/**
 * The results, with their contents as excerpts, because engines cut them. Throws `bad_answer` for
 * anything else, and `engines_down` if there are no results because engines did not respond.
 */
function parseSearxng(body: string, split: SplitSentences): FoundPaper[] {
  const response = parseJsonObject(body);
  const { results } = response;
  if (!Array.isArray(results)) {
    throw new LaneFailure('bad_answer', 'SearXNG did not return results');
  }
  if (results.length === 0 && arrayOf(response['unresponsive_engines']).length > 0) {
    throw new LaneFailure('engines_down', "SearXNG's engines did not respond");
  }
  return objectsOf(results).map((result) => paperOf(result, split));
}

function paperOf(result: JsonObject, split: SplitSentences): FoundPaper {
  const url = pageAddress(result['url']);
  return {
    id: url,
    identifiers: { doi: stringOf(result['doi']) || url, arxiv: url },
    title: result['title'],
    excerpt: wholeSentences(plainText(stringOf(result['content'])), split),
    year: result['publishedDate'],
    authors: arrayOf(result['authors']),
    venue: result['journal'],
  };
}
