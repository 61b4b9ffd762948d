/** The service on parts of paper, for what cannot be timed in a running server. */
import { expect } from 'vitest';
import { createRateLimiter, type RateState } from '../../src/accounts/ports/key-rate-limiter.ts';
import type { ApiKey } from '../../src/accounts/sql/api-keys.ts';
import { createConcurrencyLimiter } from '../../src/http/concurrency-limiter.ts';
import type { HttpRequest } from '../../src/http/messages.ts';
import type { TextResponse } from '../../src/http/responses.ts';
import { createService } from '../../src/http/service.ts';
import type { ServiceDeps } from '../../src/http/service-deps.ts';
import type { LogFields } from '../../src/log.ts';
import { readSettings } from '../../src/settings/config.ts';

const NOW = Date.UTC(2026, 2, 14);
export const key: ApiKey = {
  id: 1,
  customerId: 1,
  customer: 'ada@example.org',
  name: 'default',
  prefix: 'abc',
  requestsPerMinute: null,
  inFlightMax: null,
  creditsPerMonthMax: null,
  lanes: null,
  customerLanes: null,
  createdAt: NOW,
  revokedAt: null,
  expiresAt: null,
  oldPrefix: null,
  oldSecretEndsAt: null,
  client: null,
};
const times = { embed: 1, words: 1, dense: 1, rank: 1, cite: 1 };
const answer = {
  json: JSON.stringify({ n: 0, c: 0, results: [] }),
  c: 0,
  indexVersion: 'v1',
  times,
};

export interface Fake {
  deps: ServiceDeps;
  /** What was done with the credit, in order. */
  steps: string[];
  logged: { event: string; fields: LogFields }[];
}

export function takeRate(now: number): RateState {
  return createRateLimiter(1).take(key.id, 120, now);
}

/** Parts that serve, but for what a test replaces. */
export function fakeDeps(replaced: Partial<ServiceDeps> = {}): Fake {
  const steps: string[] = [];
  const logged: Fake['logged'] = [];
  const put = (event: string, fields: LogFields = {}): void => {
    logged.push({ event, fields });
  };
  const step = (name: string, balance: number) => async (): Promise<number> => {
    steps.push(name);
    return balance;
  };
  const deps: ServiceDeps = {
    settings: {
      ...readSettings({}, {}),
      requestsPerMinute: 120,
      inFlightMax: 8,
      inFlightPerKeyMax: 8,
      requestTimeoutMs: 1_000,
      bodyBytesMax: 1_000,
      bodyTimeoutMs: 1_000,
      usageWaitMs: 1_000,
      webhookBytesMax: 1_000,
      uncompressedBytesMax: 1_000,
      slowSearchMs: 1_000,
      logQuestions: false,
      keepQuestions: false,
      keptQuestionsMax: 10,
      laneConfidence: 0.5,
      rejectionLinesMax: 1_000,
      promptRejectionsMax: 1_000,
      promptRejectionsPerSecond: 1_000,
      promptRejectionsPerSearch: 1,
      rejectionBatchMs: 20,
      rejectionDelayMs: 1_000,
      rejectionsDelayedMax: 1_000,
      publicUrl: '',
      answerAgeMsMax: 60_000,
      idempotencyKeyCharactersMax: 255,
      answersPerCustomerMax: 10,
      answerBytesPerCustomerMax: 10_000,
      answerBytesMax: 10_000,
      batchBodyBytesMax: 1_000,
      batchSearchesInFlightMax: 2,
      reranker: '',
      batchTimeoutMs: 1_000,
    },
    log: { debug: () => {}, info: put, warn: put, error: put },
    observer: {
      responded: () => {},
      searched: () => {},
      answered: () => {},
      notReranked: () => {},
    },
    clientAccess: undefined,
    searchLimiter: createConcurrencyLimiter(8, { permitMsMax: 15_000 }),
    store: {
      admit: async ({ secret, now }) =>
        secret === 'good'
          ? { key, rate: takeRate(now), credit: { balance: 5, monthLeft: null } }
          : undefined,
      admitOwnKey: () => Promise.reject(new Error('nobody tries a search here')),
      takeRates: () => Promise.reject(new Error('no batch is sent here')),
      hold: step('hold', 4),
      settle: step('settle', 4),
      release: step('release', 5),
      storeAnswer: step('store', 4),
      findAnswer: () => Promise.reject(new Error('nothing is repeated here')),
      findKeyOfSecret: async () => undefined,
      readBalance: async () => 5,
      readKeyAccount: async () => ({ usage: { requests: 7, credits: 6 }, balance: 5 }),
      recordPaymentEvent: async () => ({ outcome: 'foreign' }),
      flush: async () => {},
      fault: () => undefined,
      counts: () => expect.fail('no metrics are read here'),
      readAnswerTotals: () => expect.fail('no metrics are read here'),
    },
    requests: { record: () => {}, flush: async () => {} },
    requestsInFlight: new Map(),
    topUp: {
      offer: undefined,
      createCheckout: () => Promise.reject(new Error('no top-up')),
      continueCheckout: () => Promise.reject(new Error('no top-up')),
      cancelCheckout: () => Promise.reject(new Error('no top-up')),
      endCheckouts: () => Promise.reject(new Error('no top-up')),
      paymentOrigins: [],
      automatic: undefined,
      readEvent: () => undefined,
    },
    webhookLimiter: createConcurrencyLimiter(8, { permitMsMax: 15_000 }),
    search: async () => {
      steps.push('search');
      return answer;
    },
    similar: () => Promise.reject(new Error('nothing similar is asked for here')),
    listChanges: () => Promise.reject(new Error('no changes are asked for here')),
    findPapers: () => Promise.reject(new Error('no paper is asked for here')),
    summarizeIndex: () => Promise.reject(new Error('nothing is counted here')),
    verify: () => Promise.reject(new Error('nothing is verified here')),
    lanes: undefined,
    respondToMcp: () => Promise.reject(new Error('no agent calls here')),
    indexEngine: 'sqlite',
    totals: async () => ({ documents: 2, sentences: 9 }),
    indexVersion: async () => 'v1',
    countDocuments: async () => 2,
    state: () => 'ok',
    damage: { all: () => [], blockingReason: () => undefined },
    version: '1.2.3',
    modelName: async () => 'paper',
    now: () => NOW,
    ...replaced,
  };
  return { deps, steps, logged };
}

export interface Asked {
  method?: string;
  path?: string;
  query?: string;
  body?: () => Promise<Buffer>;
  idempotencyKey?: string;
}

export function ask(
  { deps }: Fake,
  { method = 'GET', path = '/health', query = '', body, idempotencyKey }: Asked = {},
): Promise<TextResponse> {
  const headers: Record<string, string> = {
    authorization: 'Bearer good',
    'content-type': 'application/json',
    ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
  };
  const request: HttpRequest = {
    method,
    path,
    query,
    fault: undefined,
    header: (name) => headers[name] ?? '',
    remoteAddress: () => '127.0.0.1',
    readBody: body ?? (async () => Buffer.from('{"query":"sleep"}')),
  };
  return createService(deps)(request) as Promise<TextResponse>;
}

export const search: Asked = { method: 'POST', path: '/v1/search' };
