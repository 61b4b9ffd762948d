/** The front of the service on parts of paper: what cannot be timed in a running server. */
import { describe, expect, it } from 'vitest';
import { createRateLimiter } from '../../src/account-store/rate-limiter.ts';
import { VerbatimError } from '../../src/errors.ts';
import { createConcurrencyLimiter } from '../../src/http/concurrency-limiter.ts';
import type { HttpRequest } from '../../src/http/messages.ts';
import type { TextResponse } from '../../src/http/responses.ts';
import { createService } from '../../src/http/service.ts';
import type { ServiceDeps } from '../../src/http/service-deps.ts';
import type { LogFields } from '../../src/log.ts';
import type { ApiKey } from '../../src/store/accounts/api-keys.ts';

const NOW = Date.UTC(2026, 2, 14);
const key: ApiKey = {
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

interface Fake {
  deps: ServiceDeps;
  /** What was done with the credit, in order. */
  steps: string[];
  logged: { event: string; fields: LogFields }[];
}

/** Parts that serve, but for what a test replaces. */
function fakeDeps(replaced: Partial<ServiceDeps> = {}): Fake {
  const steps: string[] = [];
  const logged: Fake['logged'] = [];
  const put = (event: string, fields: LogFields = {}): void => {
    logged.push({ event, fields });
  };
  const step = (name: string, balance: number) => async (): Promise<number> => {
    steps.push(name);
    return balance;
  };
  const rates = createRateLimiter(10);
  const deps: ServiceDeps = {
    settings: {
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
      batchTimeoutMs: 1_000,
    },
    log: { debug: () => {}, info: put, warn: put, error: put },
    observer: { responded: () => {}, searched: () => {} },
    clientAccess: undefined,
    searchLimiter: createConcurrencyLimiter(8, { permitMsMax: 15_000 }),
    store: {
      admit: async ({ secret, now }) =>
        secret === 'good'
          ? { key, rate: rates.take(key.id, 120, now), credit: { balance: 5, monthLeft: null } }
          : undefined,
      admitOwnKey: () => Promise.reject(new Error('nobody tries a search here')),
      takeRates: () => Promise.reject(new Error('no batch is sent here')),
      hold: step('hold', 4),
      settle: step('settle', 4),
      release: step('release', 5),
      storeAnswer: step('store', 4),
      findAnswer: () => Promise.reject(new Error('nothing is repeated here')),
      readBalance: async () => 5,
      readKeyAccount: async () => ({ usage: { requests: 7, credits: 6 }, balance: 5 }),
      recordPaymentEvent: async () => ({ outcome: 'foreign' }),
      flush: async () => {},
      fault: () => undefined,
      counts: () => expect.fail('no metrics are read here'),
      readAnswerTotals: () => expect.fail('no metrics are read here'),
    },
    requestsInFlight: new Map(),
    topUp: {
      offer: undefined,
      createCheckout: () => Promise.reject(new Error('no top-up')),
      readEvent: () => undefined,
    },
    webhookLimiter: createConcurrencyLimiter(8, { permitMsMax: 15_000 }),
    search: async () => {
      steps.push('search');
      return answer;
    },
    similar: () => Promise.reject(new Error('nothing similar is asked for here')),
    findPapers: () => Promise.reject(new Error('no paper is asked for here')),
    summarizeIndex: () => Promise.reject(new Error('nothing is counted here')),
    verify: () => Promise.reject(new Error('nothing is verified here')),
    lanes: undefined,
    respondToMcp: () => Promise.reject(new Error('no agent calls here')),
    totals: () => ({ documents: 2, sentences: 9 }),
    indexVersion: () => 'v1',
    countDocuments: () => 2,
    state: () => 'ok',
    version: '1.2.3',
    modelName: 'paper',
    now: () => NOW,
    ...replaced,
  };
  return { deps, steps, logged };
}

interface Asked {
  method?: string;
  path?: string;
  query?: string;
  body?: () => Promise<Buffer>;
}

function ask(
  { deps }: Fake,
  { method = 'GET', path = '/health', query = '', body }: Asked = {},
): Promise<TextResponse> {
  const headers: Record<string, string> = {
    authorization: 'Bearer good',
    'content-type': 'application/json',
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

const search: Asked = { method: 'POST', path: '/v1/search' };

describe('/health', () => {
  it('returns 503 while the service is starting', async () => {
    const answer = await ask(fakeDeps({ state: () => 'starting' }));
    expect(answer).toMatchObject({ status: 503, body: '{"status":"starting"}' });
    expect(answer.headers).toMatchObject({
      'Content-Type': 'application/json',
      'Retry-After': '1',
    });
  });

  it('returns 200 with the size of the index when it has started', async () => {
    const answer = await ask(fakeDeps());
    expect(answer.status).toBe(200);
    expect(JSON.parse(answer.body)).toEqual({
      status: 'ok',
      version: '1.2.3',
      documents: 2,
      sentences: 9,
      model: 'paper',
      uptime_s: Math.floor(process.uptime()),
    });
  });
});

describe('/health?live', () => {
  it.each(['starting', 'ok', 'stopping'] as const)(
    'is 200 while the state is %s',
    async (state) => {
      const answer = await ask(fakeDeps({ state: () => state }), { query: 'live' });
      expect(answer.status).toBe(200);
      expect(JSON.parse(answer.body)).toMatchObject({ status: state });
    },
  );
});

describe('a search', () => {
  it('returns 503 before the service is ready, and charges nothing', async () => {
    const fake = fakeDeps({ state: () => 'starting' });
    const answer = await ask(fake, search);
    expect(answer).toMatchObject({ status: 503, body: 'server at capacity, retry shortly' });
    expect(answer.headers['Retry-After']).toBe('1');
    expect(fake.steps).toEqual([]);
  });

  it.each([
    [true, ['search', 'hold', 'settle']],
    [false, ['search', 'hold', 'release']],
  ])('is settled after its answer, when that has left: %s', async (left, steps) => {
    const fake = fakeDeps();
    const answer = await ask(fake, search);
    expect(fake.steps).toEqual(['search', 'hold']);
    answer.onSent?.(left);
    expect(fake.steps).toEqual(steps);
    expect(fake.logged.map(({ event, fields }) => [event, fields['sent']])).toEqual([
      ['request', left],
    ]);
  });

  it('is in flight until its response has left', async () => {
    const fake = fakeDeps();
    const answer = await ask(fake, search);
    await new Promise((resolve) => setImmediate(resolve));
    expect(fake.deps.searchLimiter.inFlight()).toBe(1);
    answer.onSent?.(true);
    await new Promise((resolve) => setImmediate(resolve));
    expect(fake.deps.searchLimiter.inFlight()).toBe(0);
  });

  it.each([
    ['fails', new Error('secret detail'), 500, 'internal error'],
    [
      "fails for the operator's reasons",
      new VerbatimError('model_unusable', 'secret detail'),
      500,
      'internal error',
    ],
    ['times out', new VerbatimError('search_timeout'), 504, 'search timed out'],
  ])('that %s is released before its answer', async (_name, error, status, body) => {
    const fake = fakeDeps({ search: () => Promise.reject(error) });
    const answer = await ask(fake, search);
    expect(answer).toMatchObject({ status, body });
    expect(answer.headers['X-Credit-Balance']).toBe('5');
    expect(fake.steps).toEqual(['hold', 'release']);
    answer.onSent?.(true);
    expect(fake.steps).toEqual(['hold', 'release']);
    expect(JSON.stringify(answer)).not.toContain('secret detail');
    // The operator learns of it, once, unless it was isExpectedError for customers.
    const failures = fake.logged.filter(({ event }) => event === 'search_failed');
    expect(failures).toHaveLength(status === 500 ? 1 : 0);
  });
});

describe('a search whose ledger fails', () => {
  const degraded = () => Promise.reject(new VerbatimError('degraded'));

  it('reports the final balance if its credit cannot be released yet', async () => {
    const fake = fakeDeps({ search: () => Promise.reject(new VerbatimError('search_timeout')) });
    fake.deps.store.release = degraded;
    const answer = await ask(fake, search);
    expect(answer).toMatchObject({ status: 504, headers: { 'X-Credit-Balance': '6' } });
  });

  it('returns 500 with the balance if its credit cannot be held, without logging it again', async () => {
    const fake = fakeDeps();
    fake.deps.store.hold = degraded;
    const answer = await ask(fake, search);
    answer.onSent?.(true);
    expect(answer).toMatchObject({ status: 500, headers: { 'X-Credit-Balance': '5' } });
    expect(fake.logged).toMatchObject([{ event: 'request', fields: { degraded: true } }]);
  });

  it('returns 503 if too many credits are held', async () => {
    const fake = fakeDeps();
    fake.deps.store.hold = () => Promise.reject(new VerbatimError('at_capacity'));
    const answer = await ask(fake, search);
    expect(answer).toMatchObject({ status: 503, headers: { 'Retry-After': '1' } });
  });

  it('is not started if the ledger is known to be degraded', async () => {
    const fake = fakeDeps();
    fake.deps.store.fault = () => 'the disk is full';
    const answer = await ask(fake, search);
    expect(answer).toMatchObject({ status: 503, body: 'service degraded, retry shortly' });
    expect(answer.headers['Retry-After']).toBe('1');
    expect(fake.steps).toEqual([]);
  });
});

describe('a key', () => {
  it('gets its permit back whatever the outcome of its requests', async () => {
    const settings = {
      ...fakeDeps().deps.settings,
      inFlightPerKeyMax: 1,
      requestsPerMinute: 100,
    };
    const fake = fakeDeps({ settings });
    const bodies: (() => Promise<Buffer>)[] = [
      async () => Buffer.from('{'),
      () => Promise.reject(new VerbatimError('body_timeout')),
      () => Promise.reject(new Error('defect')),
      async () => Buffer.from('{"query":"sleep"}'),
    ];
    const statuses: number[] = [];
    for (const body of [...bodies, ...bodies]) {
      const answer = await ask(fake, { ...search, body });
      statuses.push(answer.status);
      answer.onSent?.(answer.status !== 408);
    }
    expect(statuses).toEqual([400, 408, 500, 200, 400, 408, 500, 200]);
  });
});

describe('a defect', () => {
  it('returns 500 without details and is logged once, with the id', async () => {
    const fake = fakeDeps({
      totals: () => {
        throw new Error('secret detail');
      },
    });
    const answer = await ask(fake);
    answer.onSent?.(true);
    expect(answer).toMatchObject({ status: 500, body: 'internal error' });
    expect(fake.logged.map(({ event }) => event)).toEqual(['request_failed', 'request']);
    const [failed, request] = fake.logged;
    expect(failed?.fields['reason']).toContain('secret detail');
    expect(failed?.fields['request_id']).toBe(answer.headers['X-Request-Id']);
    expect(request?.fields['request_id']).toBe(answer.headers['X-Request-Id']);
  });
});
