/** POST /v1/search/batch over a real socket: each question has an outcome and a price of its own. */
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { topUp } from '../../src/accounts/sql/credit-entries.ts';
import { findCustomer } from '../../src/accounts/sql/customers.ts';
import { changeOnSqlite, runOnSqlite } from '../../src/database/sqlite/run-on-sqlite.ts';
import { inStore } from '../support/history.ts';
import { useService } from '../support/use-service.ts';
import {
  addAccount,
  bearer,
  type Caller,
  expectAudited,
  expectError,
  type Got,
  holdWriters,
  ledger,
  openConnection,
  readUsage,
  search,
  send,
  takeRequestId,
  untilUsage,
} from './contract.ts';

const service = useService({
  env: {
    VERBATIM_REQUESTS_PER_MINUTE: '100000',
    VERBATIM_LOCK_WAIT_MS: '60000',
    VERBATIM_IN_FLIGHT_PER_KEY_MAX: '4',
    VERBATIM_REQUEST_TIMEOUT_MS: '60000',
  },
});
let release = (): void => {};
afterEach(() => release());
afterAll(() => expectAudited(service.database));

let accounts = 0;
function account(
  credits = 10,
  limits: { requestsPerMinute?: number; inFlightMax?: number } = {},
): Caller & { email: string } {
  const email = `customer-${++accounts}@example.org`;
  return { ...addAccount(service, { email, credits, ...limits }), email };
}

interface Outcome {
  status: number;
  request_id: string;
  index_version?: string;
  lanes?: string;
  answer?: unknown;
  code?: string;
  error?: string;
  retry_after?: number;
}

interface Batch {
  n: number;
  credits: number;
  outcomes: Outcome[];
}

function post({ url, secret }: Caller, body: unknown, headers = {}): Promise<Got> {
  return send(url, {
    method: 'POST',
    path: '/v1/search/batch',
    headers: { ...bearer(secret), 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
}

const ask = (caller: Caller, questions: unknown[], headers = {}): Promise<Got> =>
  post(caller, { questions }, headers);

function batchOf(got: Got): Batch {
  expect(got.status, got.text).toBe(200);
  return JSON.parse(got.text) as Batch;
}

const statusesOf = ({ outcomes }: Batch): number[] => outcomes.map(({ status }) => status);

describe('a batch', () => {
  it('has the answers that single searches have, in the order of the questions', async () => {
    const caller = account(100);
    const questions = [
      { query: 'does sleep help memory', limit: 2 },
      { query: 'how is ammonia made from nitrogen', limit: 1, fields: 'abstract' },
      { query: 'snapshot isolation anomalies', sentences: 2, include: 'url' },
      { query: 'shade and coffee', limit: 50 },
      { query: 'does sleep help memory', limit: 2 },
    ];
    const got = await ask(caller, questions);
    const batch = batchOf(got);
    expect(batch).toMatchObject({ n: 5, credits: 5 });
    expect(got.headers['x-credit-balance']).toBe('95');
    expect(got.headers['x-token-budget']).toBe(String(Math.ceil(got.text.length / 4)));
    const id = takeRequestId(got);
    for (const [index, question] of questions.entries()) {
      const single = await search(caller, question);
      expect(batch.outcomes[index]).toEqual({
        status: 200,
        request_id: `${id}-${index + 1}`,
        index_version: single.headers['x-index-version'],
        answer: JSON.parse(single.text),
      });
    }
    await untilUsage(caller, { requests: 10, credits: 10, balance: 90 });
    const ids = ledger(service.database, caller.email).map(({ requestId }) => requestId);
    for (const { request_id } of batch.outcomes) expect(ids).toContain(request_id);
  });

  it('of 32 questions is answered, beyond the searches in flight of its key', async () => {
    const caller = account(40, { inFlightMax: 1 });
    const got = await ask(caller, Array(32).fill({ query: 'sleep', limit: 1 }));
    expect(new Set(statusesOf(batchOf(got)))).toEqual(new Set([200]));
    await untilUsage(caller, { requests: 32, credits: 32, balance: 8 });
  });

  it('reports lanes on demand', async () => {
    const got = await ask(account(), [{ query: 'sleep' }], { 'x-lanes': '1' });
    expect(batchOf(got).outcomes[0]).toMatchObject({ status: 200, lanes: 'off' });
  });

  it('is paid from the first question on, as far as the credit goes', async () => {
    const caller = account(3);
    const got = await ask(caller, Array(6).fill({ query: 'sleep', limit: 1 }));
    const batch = batchOf(got);
    expect(statusesOf(batch)).toEqual([200, 200, 200, 402, 402, 402]);
    expect(batch.credits).toBe(3);
    expect(batch.outcomes[5]).toMatchObject({
      code: 'insufficient_credit',
      error: 'insufficient credit balance — top up to continue',
    });
    expect(batch.outcomes[5]).not.toHaveProperty('answer');
    expect(got.headers['x-credit-balance']).toBe('0');
    await untilUsage(caller, { requests: 3, credits: 3, balance: 0 });
    expectError(await ask(caller, [{ query: 'sleep' }]), {
      status: 402,
      message: 'insufficient credit balance — top up to continue',
      headers: { 'x-credit-balance': '0' },
    });
  });

  it('answers the other questions if some are wrong', async () => {
    const caller = account();
    const wrong = [
      { query: '' },
      null,
      'text',
      [],
      { query: 5 },
      { limit: 1 },
      { query: 'x', limit: 0 },
      { query: 'x', min_scor: 0.9 },
    ];
    const batch = batchOf(await ask(caller, [...wrong, { query: 'sleep' }]));
    expect(statusesOf(batch)).toEqual([...Array(8).fill(400), 200]);
    expect(batch.outcomes.slice(0, 8).map(({ code, error }) => [code, error])).toEqual([
      ['empty_query', 'empty query'],
      ['bad_request', 'questions[1]: expected an object, got null'],
      ['bad_request', 'questions[2]: expected an object, got a string'],
      ['bad_request', 'questions[3]: expected an object, got an array'],
      ['bad_request', 'query: expected a string, got the number 5'],
      ['bad_request', 'query: expected a string, got nothing'],
      ['limit_too_small', 'limit must be >= 1'],
      [
        'bad_request',
        'questions[7]: unknown field "min_scor", known are query, limit, fields, lanes, include, sentences, min_score, min_answer, exclude, sort, rerank, max_tokens, filter; did you mean min_score?',
      ],
    ]);
    await untilUsage(caller, { requests: 1, credits: 1, balance: 9 });
  });

  it('counts each question against the rate of its key', async () => {
    const caller = account(10, { requestsPerMinute: 4 });
    const got = await ask(caller, Array(6).fill({ query: 'sleep', limit: 1 }));
    const batch = batchOf(got);
    expect(statusesOf(batch)).toEqual([200, 200, 200, 200, 429, 429]);
    const late = batch.outcomes[5];
    expect(late).toMatchObject({ code: 'rate_limited', error: 'rate limit exceeded' });
    expect(late?.retry_after).toBeGreaterThan(0);
    expect(got.headers['ratelimit-remaining']).toBe('0');
    expect((await ask(caller, [{ query: 'sleep' }])).status).toBe(429);
  });

  it.each<[what: string, body: unknown, message: string | RegExp]>([
    ['no JSON', '{', 'expected a JSON object in UTF-8, got a body that is not JSON'],
    ['an array', [{ query: 'x' }], 'expected a JSON object, got an array'],
    ['no questions', {}, 'questions: expected an array, got nothing'],
    ['null', { questions: null }, 'questions: expected an array, got null'],
    ['an object', { questions: { query: 'x' } }, 'questions: expected an array, got an object'],
    ['none', { questions: [] }, 'questions: expected at least one, got none'],
    ['33', { questions: Array(33).fill({ query: 'x' }) }, 'questions: expected at most 32, got 33'],
    [
      'an unknown name',
      { questions: [{ query: 'x' }], limit: 5 },
      'the request: unknown field "limit", known are questions',
    ],
  ])('is refused with %s', async (_what, body, message) => {
    const caller = account();
    expectError(await post(caller, body), { status: 400, message, code: 'bad_request' });
    expect((await readUsage(caller)).balance).toBe(10);
  });

  it('may have a larger body than a search, up to a limit', async () => {
    const bodyOf = (bytes: number): string =>
      JSON.stringify({ questions: [{ query: 'sleep', limit: 1 }] }) + ' '.repeat(bytes);
    expect(statusesOf(batchOf(await post(account(), bodyOf(200_000))))).toEqual([200]);
    const large = bodyOf(600_000);
    expectError(await post(account(), large), {
      status: 413,
      message: 'request body must be at most 524288 bytes',
    });
  });

  it('is for POST and JSON only', async () => {
    const caller = account();
    const headers = { ...bearer(caller.secret), 'content-type': 'text/plain' };
    const sent = { path: '/v1/search/batch', headers };
    expect((await send(service.url, sent)).status).toBe(405);
    expect((await send(service.url, { ...sent, method: 'POST', body: '{}' })).status).toBe(415);
    expect((await post({ ...caller, secret: 'sk_live_no' }, {})).status).toBe(401);
  });

  it('leaves permits to others: no more than its key has, and not more than the setting', async () => {
    const caller = account(50, { inFlightMax: 3 });
    const other = account(5);
    release = holdWriters(service.database);
    const asking = ask(caller, Array(8).fill({ query: 'sleep', limit: 1 }));
    // Three of its searches are in flight, and a fourth call of the key finds no permit.
    await expect.poll(async () => (await search(caller, '{')).status).toBe(429);
    const single = search(other);
    release();
    expect((await single).status).toBe(200);
    expect(new Set(statusesOf(batchOf(await asking)))).toEqual(new Set([200]));
    expect((await search(caller)).status).toBe(200);
  });
});

describe('a client that vanishes', () => {
  async function vanish(caller: Caller, headers: string[]): Promise<void> {
    release = holdWriters(service.database);
    const { socket } = await openConnection(service.url);
    const body = JSON.stringify({ questions: Array(5).fill({ query: 'sleep', limit: 1 }) });
    const head = [
      ...['POST /v1/search/batch HTTP/1.1', 'Host: x', `Authorization: Bearer ${caller.secret}`],
      ...['Content-Type: application/json', `Content-Length: ${body.length}`, ...headers, '', ''],
    ];
    socket.write(head.join('\r\n') + body);
    await expect.poll(async () => (await search(caller, '{')).status).toBe(429);
    socket.destroy();
    for (let i = 0; i < 3; i++) await readUsage(caller);
    release();
  }

  it('pays for nothing', async () => {
    const caller = account(10, { inFlightMax: 1 });
    await vanish(caller, []);
    const gone = () => service.log.filter(({ sent }) => sent === false);
    await expect.poll(() => gone().length).toBe(1);
    expect(gone()[0]).toMatchObject({ path: '/v1/search/batch', questions: 5, answered: 5 });
    await expect.poll(async () => (await readUsage(caller)).balance).toBe(10);
    const kinds = ledger(service.database, caller.email).map(({ kind }) => kind);
    expect(kinds.toSorted()).toEqual([
      ...[...Array(5).fill('hold'), ...Array(5).fill('release')],
      'topup',
    ]);
  });

  it('pays with an Idempotency-Key, and gets its answers with a repeat', async () => {
    const caller = account(10, { inFlightMax: 1 });
    await vanish(caller, ['Idempotency-Key: gone']);
    const questions = Array(5).fill({ query: 'sleep', limit: 1 });
    const repeat = (): Promise<Got> => ask(caller, questions, { 'idempotency-key': 'gone' });
    await expect.poll(async () => (await repeat()).status).toBe(200);
    const got = await repeat();
    expect(got.headers['idempotency-replayed']).toBe('true');
    expect(batchOf(got)).toMatchObject({ n: 5, credits: 5 });
    expect(await readUsage(caller)).toMatchObject({ requests: 5, credits: 5, balance: 5 });
  });
});

describe('a batch with an Idempotency-Key', () => {
  const key = { 'idempotency-key': 'batch' };

  it('is charged once, and stored as it was answered', async () => {
    const caller = account(2);
    const questions = Array(2).fill({ query: 'sleep', limit: 1 });
    const first = await ask(caller, questions, key);
    expect(statusesOf(batchOf(first))).toEqual([200, 200]);
    const kinds = ledger(service.database, caller.email).map(({ kind }) => kind);
    expect(kinds.toSorted()).toEqual(['hold', 'hold', 'settle', 'settle', 'topup']);
    const repeat = await ask(caller, questions, key);
    expect(repeat.text).toBe(first.text);
    expect(repeat.headers).toMatchObject({
      'idempotency-replayed': 'true',
      'x-original-request-id': first.headers['x-request-id'],
    });
    expect((await ask(caller, [{ query: 'other' }], key)).status).toBe(422);
  });

  it('searches again for what has failed, and charges only that', async () => {
    const caller = account(2, { inFlightMax: 1 });
    const questions = ['sleep', 'tides', 'sleep', 'tides'].map((query) => ({ query, limit: 1 }));
    const first = batchOf(await ask(caller, questions, key));
    expect(statusesOf(first)).toEqual([200, 200, 402, 402]);
    const again = batchOf(await ask(caller, questions, key));
    expect(statusesOf(again)).toEqual([200, 200, 402, 402]);
    expect(again.outcomes.slice(0, 2)).toEqual(first.outcomes.slice(0, 2));
    inStore(service.database, (db) => {
      const { id } = runOnSqlite(db, findCustomer(caller.email));
      changeOnSqlite(db, topUp({ customerId: id, credits: 5, now: Date.now() }));
    });
    const whole = await ask(caller, questions, key);
    expect(whole.headers).not.toHaveProperty('idempotency-replayed');
    const { n, credits, outcomes } = batchOf(whole);
    expect([n, credits, outcomes.map(({ status }) => status)]).toEqual([4, 4, Array(4).fill(200)]);
    expect(outcomes.slice(0, 2)).toEqual(first.outcomes.slice(0, 2));
    expect(outcomes[3]?.answer).toEqual(outcomes[1]?.answer);
    expect(await readUsage(caller)).toMatchObject({ requests: 4, credits: 4, balance: 3 });
    const stored = await ask(caller, questions, key);
    expect(stored.headers['idempotency-replayed']).toBe('true');
    expect(stored.text).toBe(whole.text);
    expect(await readUsage(caller)).toMatchObject({ credits: 4, balance: 3 });
  });

  it('searches once for what has failed, however many repeats come at once', async () => {
    const caller = account(1, { inFlightMax: 4 });
    const questions = Array(3).fill({ query: 'sleep', limit: 1 });
    expect(statusesOf(batchOf(await ask(caller, questions, key)))).toEqual([200, 402, 402]);
    inStore(service.database, (db) => {
      const { id } = runOnSqlite(db, findCustomer(caller.email));
      changeOnSqlite(db, topUp({ customerId: id, credits: 9, now: Date.now() }));
    });
    const repeats = await Promise.all(Array.from({ length: 3 }, () => ask(caller, questions, key)));
    for (const got of repeats) {
      if (got.status === 200) expect(statusesOf(batchOf(got))).toEqual([200, 200, 200]);
      else expect([409, 429]).toContain(got.status);
    }
    expect(await readUsage(caller)).toMatchObject({ requests: 3, credits: 3, balance: 7 });
  });

  it('is not stored if no question has an answer', async () => {
    const caller = account();
    const wrong = await ask(caller, [{ query: '' }], key);
    expect(statusesOf(batchOf(wrong))).toEqual([400]);
    const again = await ask(caller, [{ query: 'sleep' }], key);
    expect(statusesOf(batchOf(again))).toEqual([200]);
  });
});

it('each question has a line in the log, and the request has their number', async () => {
  const caller = account(2);
  const got = await ask(caller, [{ query: 'quokkasaurus one' }, { query: '' }]);
  const id = String(got.headers['x-request-id']);
  const lines = () => service.log.filter(({ request_id }) => String(request_id).startsWith(id));
  await expect.poll(() => lines().length).toBe(3);
  expect(lines().map(({ event, request_id, status }) => [event, request_id, status])).toEqual(
    expect.arrayContaining([
      ['batch_search', `${id}-1`, 200],
      ['batch_search', `${id}-2`, 400],
      ['request', id, 200],
    ]),
  );
  expect(lines().at(-1)).toMatchObject({ questions: 2, answered: 1, path: '/v1/search/batch' });
  expect(JSON.stringify(service.log)).not.toContain('quokkasaurus');
});
