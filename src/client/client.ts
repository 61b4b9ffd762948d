/**
 * A client of the HTTP API for programs in TypeScript and JavaScript. It has no dependencies and
 * runs wherever `fetch` does. `npm run measure -- client` builds it to one ES module with types.
 */
import type { Answer } from '../types.ts';
import type { BatchAnswer, Changes, Papers, Usage, Verified } from './answers.ts';
import {
  type BibliographyFormat,
  bibliographyTypes,
  type CallOptions,
  type ChangesOptions,
  type ChangesStart,
  changesPath,
  type PapersOptions,
  papersPath,
  type Question,
  type QuestionOptions,
  questionFields,
  type RepeatableCallOptions,
  type ResultOptions,
  similarPath,
  type VerifyItem,
  type VerifyOptions,
} from './requests.ts';
import { parseRetryAfterMs, waitMs } from './retries.ts';

export type {
  Answer,
  Citation,
  Identifiers,
  Notice,
  PaperType,
  Quote,
  ResultExtra,
} from '../types.ts';
export type {
  AnsweredQuestion,
  BatchAnswer,
  ChangedPaper,
  Changes,
  FailedQuestion,
  Outcome,
  Paper,
  Papers,
  Usage,
  Verified,
} from './answers.ts';
export type {
  BibliographyFormat,
  CallOptions,
  ChangesOptions,
  ChangesStart,
  Filter,
  Question,
  QuestionOptions,
  RepeatableCallOptions,
  ResultOptions,
  VerifyItem,
  VerifyOptions,
} from './requests.ts';

export interface ClientOptions {
  /** The address of the server, such as `https://search.example.org`. */
  baseUrl: string;
  /** The API key: `sk_live_...`. */
  key: string;
  /** How often a request is repeated, 3 by default. With 0 the client sends no `Idempotency-Key`. */
  retriesMax?: number;
  /** The longest wait before a repetition, 30 s by default. A longer `Retry-After` ends the call. */
  retryWaitMsMax?: number;
  /** How long each request may take, 60 s by default. */
  timeoutMs?: number;
  /** Replaces the global `fetch`. */
  fetch?: typeof globalThis.fetch;
}

/** A response with an error, or none at all. */
export class VerbatimApiError extends Error {
  override readonly name = 'VerbatimApiError';
  /** 0 if there was no response. */
  readonly status: number;
  /** As in the table of errors; `no_response` if there was none. */
  readonly code: string;
  /** The id to name when you ask for a refund; empty if there was no response. */
  readonly requestId: string;

  constructor(
    message: string,
    about: { status: number; code: string; requestId: string },
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.status = about.status;
    this.code = about.code;
    this.requestId = about.requestId;
  }
}

interface Call extends RepeatableCallOptions {
  path: string;
  accept?: string;
  /** The body of a POST. */
  body?: unknown;
  isFree?: boolean;
}

type Attempt = { text: string } | { error: VerbatimApiError; retryAfterMs: number | undefined };

/** Its methods reject with a `VerbatimApiError`, or with the reason of the signal. */
export class VerbatimClient {
  readonly #options: Required<ClientOptions>;
  /** When the server may store answers for this customer again, in milliseconds since 1970. */
  #storesAnswersFrom = 0;

  constructor(options: ClientOptions) {
    const defaults = {
      retriesMax: 3,
      retryWaitMsMax: 30_000,
      timeoutMs: 60_000,
      fetch: globalThis.fetch,
    };
    this.#options = { ...defaults, ...options, baseUrl: options.baseUrl.replace(/\/+$/, '') };
  }

  /** Finds papers for a question, each with the sentence that answers it. 1 credit. */
  async search(
    query: string,
    options: QuestionOptions & RepeatableCallOptions = {},
  ): Promise<Answer> {
    const body = questionFields({ query, ...options });
    return await this.#json({ path: '/v1/search', body, ...callOptions(options) });
  }

  /**
   * Answers up to 32 questions. Each has its own outcome, so look at all of them: the call succeeds
   * even if a question fails. 1 credit for each answer.
   */
  async batch(
    questions: readonly Question[],
    options: RepeatableCallOptions = {},
  ): Promise<BatchAnswer> {
    const body = { questions: questions.map(questionFields) };
    const call = { path: '/v1/search/batch', body, ...callOptions(options) };
    return await this.#json(call);
  }

  /** Tells whether quotes and references are real. 1 credit for each 20 items begun, up to 100. */
  async verify(
    items: readonly VerifyItem[],
    { include, lanes, ...options }: VerifyOptions = {},
  ): Promise<Verified[]> {
    const body = { items, include: include?.join(','), lanes };
    const call = { path: '/v1/verify', body, ...callOptions(options) };
    return (await this.#json<{ items: Verified[] }>(call)).items;
  }

  /** Returns papers by any identifier. 1 credit for up to 100 ids. */
  async papers(ids: readonly string[], options: PapersOptions = {}): Promise<Papers> {
    return await this.#json({ path: papersPath(ids, options), ...callOptions(options) });
  }

  /** Returns papers in the format of a bibliography. 1 credit for up to 100 ids. */
  bibliography(
    ids: readonly string[],
    format: BibliographyFormat,
    options: CallOptions = {},
  ): Promise<string> {
    const accept = bibliographyTypes[format];
    return this.#call({ path: papersPath(ids), accept, ...callOptions(options) });
  }

  /** Finds the papers that are most similar to one. 1 credit. */
  async similar(id: string, options: ResultOptions & CallOptions = {}): Promise<Answer> {
    const call = { path: similarPath(id, options), ...callOptions(options) };
    return await this.#json(call);
  }

  /**
   * Lists the papers that were added, changed, or withdrawn since a time, or since an earlier list. Rejects with
   * the code `cursor_over` if the index was replaced: then start again with a time. Free.
   */
  async changes(start: ChangesStart, options: ChangesOptions = {}): Promise<Changes> {
    const path = changesPath(start, options);
    return await this.#json({ path, isFree: true, ...callOptions(options) });
  }

  /** Returns what the key has used in this month, and the balance. Free. */
  async usage(options: CallOptions = {}): Promise<Usage> {
    const call = { path: '/v1/usage', isFree: true, ...callOptions(options) };
    return await this.#json(call);
  }

  /** The value of the body of a response with status 200. */
  async #json<Value>(call: Call): Promise<Value> {
    return parseJson(await this.#call(call)) as Value;
  }

  /**
   * Returns the body of a response with status 200. Repeats the request as the server asks for it,
   * unless that could be charged a second time.
   */
  async #call(call: Call): Promise<string> {
    const { retriesMax, retryWaitMsMax } = this.#options;
    // The same key for each repetition, so that an answer that was lost is not paid twice.
    let idempotencyKey = call.idempotencyKey ?? this.#ownKey(call);
    for (let attempt = 0; ; attempt++) {
      const got = await this.#send(call, idempotencyKey);
      if ('text' in got) return got.text;
      const { error, retryAfterMs } = got;
      if (error.code === 'too_many_answers' && this.#canDoWithout(call, idempotencyKey)) {
        this.#storesAnswersFrom = Date.now() + (retryAfterMs ?? retryWaitMsMax);
        idempotencyKey = undefined;
        continue;
      }
      const isFreeToRepeat = call.isFree === true || idempotencyKey !== undefined;
      const wait = waitMs(attempt, { status: error.status, retryAfterMs, isFreeToRepeat });
      if (attempt >= retriesMax || wait === undefined || wait > retryWaitMsMax) throw error;
      await sleep(wait, call.signal);
    }
  }

  /** A key for a request that may be repeated; undefined if the server can store no answer to it. */
  #ownKey({ body }: Call): string | undefined {
    const isRepeatable = body !== undefined && this.#options.retriesMax > 0;
    return isRepeatable && Date.now() >= this.#storesAnswersFrom ? crypto.randomUUID() : undefined;
  }

  /** Whether the client may send a call without its key. It must not if the caller chose the key. */
  #canDoWithout(call: Call, idempotencyKey: string | undefined): boolean {
    return idempotencyKey !== undefined && call.idempotencyKey === undefined;
  }

  async #send(
    { path, accept = 'application/json', body, signal }: Call,
    idempotencyKey: string | undefined,
  ): Promise<Attempt> {
    const { baseUrl, key, timeoutMs, fetch } = this.#options;
    const timeout = AbortSignal.timeout(timeoutMs);
    const headers = new Headers({ Authorization: `Bearer ${key}`, Accept: accept });
    const init: RequestInit = {
      headers,
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    };
    if (body !== undefined) {
      init.method = 'POST';
      init.body = JSON.stringify(body);
      headers.set('Content-Type', 'application/json');
    }
    if (idempotencyKey !== undefined) headers.set('Idempotency-Key', quoted(idempotencyKey));
    try {
      const response = await fetch(`${baseUrl}${path}`, init);
      const text = await response.text();
      if (response.ok) return { text };
      const about = {
        status: response.status,
        code: response.headers.get('x-error-code') ?? 'unknown',
        requestId: response.headers.get('x-request-id') ?? '',
      };
      const retryAfterMs = parseRetryAfterMs(response.headers.get('retry-after'));
      return { error: new VerbatimApiError(text, about), retryAfterMs };
    } catch (cause) {
      if (signal?.aborted) throw signal.reason;
      const about = { status: 0, code: 'no_response', requestId: '' };
      const reason = timeout.aborted ? `no response within ${timeoutMs} ms` : String(cause);
      return { error: new VerbatimApiError(reason, about, { cause }), retryAfterMs: undefined };
    }
  }
}

/** A string of a structured field (RFC 9651, section 3.3.3). */
function quoted(text: string): string {
  return `"${text.replaceAll(/["\\]/g, '\\$&')}"`;
}

/** Returns the value of a body. Throws a `VerbatimApiError` if it is not JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    // A proxy answered in place of the server.
    const about = { status: 200, code: 'not_json', requestId: '' };
    throw new VerbatimApiError('the response is not JSON', about, { cause });
  }
}

/** The options that are about the call itself. */
function callOptions({ signal, idempotencyKey }: RepeatableCallOptions): RepeatableCallOptions {
  const options: RepeatableCallOptions = {};
  if (signal !== undefined) options.signal = signal;
  if (idempotencyKey !== undefined) options.idempotencyKey = idempotencyKey;
  return options;
}

function sleep(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, milliseconds);
    signal?.addEventListener('abort', stop, { once: true });
    if (signal?.aborted) stop();
  });
}
