/** The front of the service on parts of paper: what cannot be timed in a running server. */
import { describe, expect, it } from 'vitest';
import { VerbatimError } from '../../src/errors.ts';
import { ask, fakeDeps, key, search, takeRate } from './fake-service.ts';

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
      index_engine: 'sqlite',
      model: 'paper',
      uptime_s: Math.floor(process.uptime()),
    });
  });
});

describe('/health of a server whose data is damaged', () => {
  const usage = { part: 'usage_days', isBlocking: false, reason: 'page 7', noticedAt: 0 };

  it('names what searches do not need, at 200', async () => {
    const damage = { all: () => [usage], blockingReason: () => undefined };
    const answer = await ask(fakeDeps({ damage }));
    expect(answer.status).toBe(200);
    expect(JSON.parse(answer.body)).toMatchObject({
      status: 'ok',
      damaged: [{ part: 'usage_days', reason: 'page 7', since: '1970-01-01T00:00:00.000Z' }],
    });
  });

  it('returns 503 with the reason if searches need it, also if the totals cannot be read', async () => {
    const reason = 'index: the database is damaged';
    const damage = { all: () => [usage], blockingReason: () => reason };
    const totals = () => Promise.reject(new VerbatimError('degraded'));
    for (const replaced of [{ damage }, { damage, totals }]) {
      const answer = await ask(fakeDeps(replaced));
      expect(answer.status).toBe(503);
      expect(JSON.parse(answer.body)).toEqual({ status: 'degraded', reason });
    }
  });
});

describe('/health without its index', () => {
  it('returns 503 with the reason', async () => {
    const reason = 'PostgreSQL: connect ECONNREFUSED';
    const totals = () => Promise.reject(new VerbatimError('degraded', reason));
    const answer = await ask(fakeDeps({ totals }));
    expect(answer.status).toBe(503);
    expect(JSON.parse(answer.body)).toEqual({ status: 'degraded', reason });
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
  it.each([
    ['starting', false],
    ['ok', false],
    ['stopping', true],
  ] as const)(
    'is answered while the service is %s; the connection then closes: %s',
    async (state, close) => {
      expect(await ask(fakeDeps({ state: () => state }), search)).toMatchObject({
        status: 200,
        close,
      });
    },
  );

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

  it('returns 503 with the balance if its credit cannot be held, without logging it again', async () => {
    const fake = fakeDeps();
    fake.deps.store.hold = degraded;
    const answer = await ask(fake, search);
    answer.onSent?.(true);
    expect(answer).toMatchObject({ status: 503, headers: { 'X-Credit-Balance': '5' } });
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

describe('what a key may spend', () => {
  it.each([
    ['no credit', { balance: 0, monthLeft: null }, 'insufficient_credit'],
    ['debt', { balance: -3, monthLeft: 9 }, 'insufficient_credit'],
    ['nothing left of its cap', { balance: 9, monthLeft: 0 }, 'key_cap_reached'],
    ['more used than a cap that was lowered', { balance: 9, monthLeft: -4 }, 'key_cap_reached'],
  ])('is checked before anything is held: %s', async (_what, credit, code) => {
    const fake = fakeDeps();
    fake.deps.store.admit = async ({ now }) => ({ key, rate: takeRate(now), credit });
    const answer = await ask(fake, search);
    expect(answer).toMatchObject({ status: 402, headers: { 'X-Error-Code': code } });
    expect(answer.headers['X-Credit-Balance']).toBe(String(Math.max(0, credit.balance)));
    expect(fake.steps).toEqual([]);
  });

  it('is decided by the hold, whatever was known before', async () => {
    const fake = fakeDeps();
    fake.deps.store.hold = async () => undefined;
    fake.deps.store.readBalance = async () => 0;
    const answer = await ask(fake, search);
    expect(answer).toMatchObject({ status: 402, headers: { 'X-Credit-Balance': '0' } });
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
