/** Brave Search: web pages. Its terms of use forbid storing results, so none is ever written. */
import { LaneFailure } from '../lane/lane-errors.ts';
import type { HttpRequest, HttpResponse, Provider, Quota } from '../lane/provider.ts';
import { plainText } from '../text/plain-text.ts';
import { plainQuery } from '../text/query-text.ts';
import { passageOf, type SplitSentences, wholeSentences } from '../text/whole-sentences.ts';
import { acceptedBody } from '../transport/response-status.ts';
import {
  arrayOf,
  type JsonObject,
  objectOf,
  objectsOf,
  parseJsonObject,
  stringOf,
} from './response-json.ts';
import type { DocumentContext, FoundPaper } from './to-documents.ts';
import { createWebProvider, pageAddress, type WebSettings } from './web-provider.ts';

export interface BraveSettings extends WebSettings {
  braveUrl: string;
  braveKey: string;
}

const QUERY_CHARACTERS_MAX = 400;
const QUERY_WORDS_MAX = 50;
const COUNT_MAX = 20;

export function createBrave(settings: BraveSettings, context: DocumentContext): Provider {
  return createWebProvider(settings, context, {
    requestFor: (query) => braveRequest(query, settings),
    papersOf(response) {
      const error = braveError(response);
      if (error !== undefined) throw error;
      return parseBrave(acceptedBody(response), context.split);
    },
    budgetOf: braveQuota,
    retriesMax: 1,
  });
}

function braveRequest(query: string, settings: BraveSettings): HttpRequest {
  const url = new URL('/res/v1/web/search', settings.braveUrl);
  const charactersMax = Math.min(QUERY_CHARACTERS_MAX, settings.laneQueryCharactersMax);
  url.searchParams.set('q', plainQuery(query, { charactersMax, wordsMax: QUERY_WORDS_MAX }));
  url.searchParams.set('count', String(Math.min(COUNT_MAX, settings.laneResultsMax)));
  url.searchParams.set('text_decorations', 'false');
  url.searchParams.set('extra_snippets', 'true');
  return { url, secretHeaders: { 'x-subscription-token': settings.braveKey } };
}

/** The pages, with their snippets as excerpts. Throws `bad_answer` for anything else. */
function parseBrave(body: string, split: SplitSentences): FoundPaper[] {
  const response = parseJsonObject(body);
  if (response['type'] !== 'search') {
    throw new LaneFailure('bad_answer', 'Brave did not return a search');
  }
  // `web` is absent if there are no results.
  return objectsOf(objectOf(response['web'])['results']).map((result) => paperOf(result, split));
}

function paperOf(result: JsonObject, split: SplitSentences): FoundPaper {
  const url = pageAddress(result['url']);
  const shown = [result['description'], ...arrayOf(result['extra_snippets'])];
  const sentences = shown.flatMap((text) => {
    const passage = wholeSentences(plainText(stringOf(text)), split);
    return passage.sentences.map(({ start, end }) => passage.text.slice(start, end));
  });
  return {
    id: url,
    identifiers: { doi: url, arxiv: url },
    title: result['title'],
    excerpt: passageOf([...new Set(sentences)]),
    year: result['page_age'],
  };
}

/** What the code of `error`, or of the first of `errors`, means. Undefined without a code. */
function braveError(response: HttpResponse): LaneFailure | undefined {
  if (response.status < 400) return undefined;
  const code = errorCodeOf(response.body);
  const message = `status ${response.status}`;
  if (/^SUBSCRIPTION_/.test(code)) return new LaneFailure('refused', message);
  if (code === 'RATE_LIMITED') return new LaneFailure('rate_limited', message, 1_000);
  if (code !== 'QUOTA_LIMITED') return undefined;
  return new LaneFailure('rate_limited', message, quotaResetMs(response.headers));
}

function errorCodeOf(body: string): string {
  try {
    const response = parseJsonObject(body);
    const error = Array.isArray(response['errors']) ? response['errors'][0] : response['error'];
    return stringOf(objectOf(error)['code']);
  } catch {
    return '';
  }
}

interface Window {
  limit: number;
  remaining: number;
  resetMs: number;
}

/** The rate windows, such as a second and a month. A limit of 0 means no limit. */
function windowsOf(headers: HttpResponse['headers']): Window[] {
  const list = (name: string): number[] => (headers[name] ?? '').split(',').map(Number);
  const remaining = list('x-ratelimit-remaining');
  const reset = list('x-ratelimit-reset');
  return list('x-ratelimit-limit').map((limit, index) => ({
    limit,
    remaining: remaining[index] ?? Number.NaN,
    resetMs: (reset[index] ?? Number.NaN) * 1_000,
  }));
}

export function braveQuota(headers: HttpResponse['headers']): Quota {
  const spent = windowsOf(headers).filter(
    ({ limit, remaining, resetMs }) => limit > 0 && remaining <= 0 && resetMs > 0,
  );
  if (spent.length === 0) return {};
  return { exhaustedForMs: Math.max(...spent.map(({ resetMs }) => resetMs)) };
}

/** The time until the longest window starts again. A day if the headers do not say. */
function quotaResetMs(headers: HttpResponse['headers']): number {
  const resets = windowsOf(headers).map(({ resetMs }) => resetMs);
  return Math.max(...resets.filter(Number.isFinite), 0) || 24 * 3_600_000;
}
