/** Brave Search: web pages. Its terms forbid keeping results, so nothing of it is ever written. */

import { LaneFailure } from '../lane/lane-errors.ts';
import type { Provider, Quota } from '../lane/provider.ts';
import { plainText } from '../text/plain-text.ts';
import { plainQuery } from '../text/query-text.ts';
import { passageOf, type SplitSentences, wholeSentences } from '../text/whole-sentences.ts';
import type { HttpRequest, HttpResponse } from '../transport/http-client.ts';
import { acceptedBody } from '../transport/response-status.ts';
import {
  arrayOf,
  type JsonObject,
  objectOf,
  objectsOf,
  parseJsonObject,
  stringOf,
} from './json.ts';
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
    papersOf(answer) {
      const error = braveError(answer);
      if (error !== undefined) throw error;
      return parseBrave(acceptedBody(answer), context.split);
    },
    budgetOf: braveBudget,
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

/** The pages, what is shown of them as excerpts. Throws `bad_answer` for anything else. */
function parseBrave(body: string, split: SplitSentences): FoundPaper[] {
  const answer = parseJsonObject(body);
  if (answer['type'] !== 'search') {
    throw new LaneFailure('bad_answer', 'Brave answered with no search');
  }
  // `web` is absent where there is nothing.
  return objectsOf(objectOf(answer['web'])['results']).map((result) => paperOf(result, split));
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

/** What an error's code means, from `error` or the first of `errors`; undefined without a code. */
function braveError(answer: HttpResponse): LaneFailure | undefined {
  if (answer.status < 400) return undefined;
  const code = errorCodeOf(answer.body);
  const message = `status ${answer.status}`;
  if (/^SUBSCRIPTION_/.test(code)) return new LaneFailure('refused', message);
  if (code === 'RATE_LIMITED') return new LaneFailure('rate_limited', message, 1_000);
  if (code !== 'QUOTA_LIMITED') return undefined;
  return new LaneFailure('rate_limited', message, quotaResetMs(answer.headers));
}

function errorCodeOf(body: string): string {
  try {
    const answer = parseJsonObject(body);
    const error = Array.isArray(answer['errors']) ? answer['errors'][0] : answer['error'];
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

/** Lists of a second, a month and the like. A limit of 0 is none, whatever remains of it. */
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

export function braveBudget(headers: HttpResponse['headers']): Quota {
  const spent = windowsOf(headers).filter(
    ({ limit, remaining, resetMs }) => limit > 0 && remaining <= 0 && resetMs > 0,
  );
  if (spent.length === 0) return {};
  return { exhaustedForMs: Math.max(...spent.map(({ resetMs }) => resetMs)) };
}

/** Until the longest window starts again; a day where the headers do not say. */
function quotaResetMs(headers: HttpResponse['headers']): number {
  const resets = windowsOf(headers).map(({ resetMs }) => resetMs);
  return Math.max(...resets.filter(Number.isFinite), 0) || 24 * 3_600_000;
}
