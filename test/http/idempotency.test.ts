/** Idempotency-Key over a real socket: one key is one answer and one charge. */
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { createAnswerReader } from '../../src/accounts/sqlite/ledger/stored-answers.ts';
import { inStore } from '../support/history.ts';
import { createKey } from '../support/service.ts';
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
} from './contract.ts';

const service = useService({
  env: {
    VERBATIM_REQUESTS_PER_MINUTE: '100000',
    VERBATIM_LOCK_WAIT_MS: '60000',
    VERBATIM_IN_FLIGHT_PER_KEY_MAX: '100',
    VERBATIM_REQUEST_TIMEOUT_MS: '60000',
  },
});
const REUSED = {
  status: 422,
  message: 'this Idempotency-Key was used with another request',
  code: 'idempotency_key_reused',
} as const;
const IN_FLIGHT = {
  status: 409,
  message: 'a request with this Idempotency-Key is in flight, retry shortly',
  code: 'idempotency_in_flight',
  headers: { 'retry-after': '1' },
} as const;

let release = (): void => {};
afterEach(() => release());
afterAll(() => expectAudited(service.database));

let accounts = 0;
function account(credits = 10): Caller & { email: string } {
  const email = `customer-${++accounts}@example.org`;
  return { ...addAccount(service, { email, credits }), email };
}

function keyed(key: string, more: Record<string, string> = {}) {
  return { headers: { 'idempotency-key': key, ...more } };
}

function verify({ url, secret }: Caller, body: unknown, key: string): Promise<Got> {
  const headers = { ...bearer(secret), 'content-type': 'application/json' };
  return send(url, {
    method: 'POST',
    path: '/v1/verify',
    headers: { ...headers, 'idempotency-key': key },
    body: JSON.stringify(body),
  });
}

function kindsOf({ email }: { email: string }): string[] {
  return ledger(service.database, email).map(({ kind }) => kind);
}

/** That `repeat` is the answer of `first` again, and says so. */
function expectRepeat(repeat: Got, first: Got): void {
  expect(repeat.status).toBe(200);
  expect(repeat.text).toBe(first.text);
  expect(repeat.headers).toMatchObject({
    'idempotency-replayed': 'true',
    'x-original-request-id': first.headers['x-request-id'],
    'content-type': first.headers['content-type'],
  });
  for (const name of ['x-token-budget', 'x-index-version', 'x-lanes']) {
    expect(repeat.headers[name], name).toBe(first.headers[name]);
  }
}

describe('an Idempotency-Key where no answer is stored', () => {
  it.each([
    ['GET', '/v1/paper?id=sample:psychology-sleep-and-forgetting', undefined],
    ['GET', '/v1/similar?id=sample:psychology-sleep-and-forgetting', undefined],
    ['POST', '/mcp', '{"jsonrpc":"2.0","id":1,"method":"tools/list"}'],
  ])('is refused by %s %s, and nothing is charged', async (method, path, body) => {
    const caller = account();
    const headers = {
      ...bearer(caller.secret),
      ...{ 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    };
    const sent = { method, path, ...(body === undefined ? {} : { body }) };
    const refused = await send(caller.url, {
      ...sent,
      headers: { ...headers, 'idempotency-key': 'x' },
    });
    expectError(refused, {
      status: 400,
      code: 'bad_request',
      message: 'Idempotency-Key: only POST /v1/search, /v1/search/batch, and /v1/verify take it',
    });
    expect(kindsOf(caller)).toEqual(['topup']);
    expect((await send(caller.url, { ...sent, headers })).status).toBe(200);
  });
});

describe('a search with an Idempotency-Key', () => {
  it('is answered and charged once, however often it is sent', async () => {
    const caller = account();
    const first = await search(caller, { query: 'sleep' }, keyed('one'));
    expect(first.status).toBe(200);
    expect(first.headers).not.toHaveProperty('idempotency-replayed');
    expect(first.headers['x-credit-balance']).toBe('9');
    takeRequestId(first);
    // The charge was durable before the answer left.
    expect(kindsOf(caller)).toEqual(['settle', 'hold', 'topup']);
    for (const key of ['one', '"one"', ' one ']) {
      const repeat = await search(caller, { query: 'sleep' }, keyed(key));
      expectRepeat(repeat, first);
      expect(repeat.headers['x-credit-balance']).toBe('9');
      takeRequestId(repeat);
    }
    expect(await readUsage(caller)).toMatchObject({ requests: 1, credits: 1, balance: 9 });
  });

  it('is repeated for another API key of the customer, and for nobody else', async () => {
    const caller = account();
    const first = await search(caller, { query: 'sleep' }, keyed('shared'));
    const { secret } = await createKey(service.database, { email: caller.email });
    expectRepeat(await search({ ...caller, secret }, { query: 'sleep' }, keyed('shared')), first);
    const other = account();
    const theirs = await search(other, { query: 'shade and coffee' }, keyed('shared'));
    expect(theirs.status).toBe(200);
    expect(theirs.headers).not.toHaveProperty('idempotency-replayed');
  });

  it('is repeated compressed, without credit, and tells the balance of today', async () => {
    const caller = account(2);
    const body = { query: 'sleep', limit: 20, fields: 'abstract' };
    const first = await search(caller, body, keyed('last'));
    expect((await search(caller, body)).status).toBe(200);
    await expect.poll(async () => (await readUsage(caller)).balance).toBe(0);
    const repeat = await search(caller, body, keyed('last'));
    expectRepeat(repeat, first);
    expect(repeat.headers['x-credit-balance']).toBe('0');
    const small = await search(caller, body, keyed('last', { 'accept-encoding': 'gzip' }));
    expect(small.headers['content-encoding']).toBe('gzip');
    expect(small.bytes.length).toBeLessThan(first.bytes.length);
  });

  it('keeps the report of the lanes', async () => {
    const caller = account();
    const first = await search(caller, { query: 'sleep' }, keyed('lanes', { 'x-lanes': '1' }));
    expect(first.headers).toHaveProperty('x-lanes');
    expectRepeat(await search(caller, { query: 'sleep' }, keyed('lanes')), first);
  });

  it('gets 422 for another body or path', async () => {
    const caller = account();
    const first = await search(caller, { query: 'sleep' }, keyed('used'));
    expectError(await search(caller, { query: 'sleep ' }, keyed('used')), REUSED);
    expectError(await search(caller, '{"query":"sleep" }', keyed('used')), REUSED);
    expectError(await verify(caller, { items: [{ quote: 'a b c' }] }, 'used'), REUSED);
    expectRepeat(await search(caller, { query: 'sleep' }, keyed('used')), first);
    expect(await readUsage(caller)).toMatchObject({ requests: 1, balance: 9 });
  });

  it.each<[header: string, message: string | RegExp]>([
    ['', 'idempotency-key: expected a value, got nothing'],
    ['two words', /^Idempotency-Key: expected visible ASCII characters/],
    ['x'.repeat(256), 'Idempotency-Key: expected at most 255 characters, got 256'],
  ])('gets 400 for the key "%s"', async (header, message) => {
    const caller = account();
    const got = await search(caller, { query: 'sleep' }, keyed(header));
    expect(got.status).toBe(400);
    if (typeof message === 'string') expect(got.text).toBe(message);
    else expect(got.text).toMatch(message);
    expect(kindsOf(caller)).toEqual(['topup']);
  });

  it('gets 400 for two keys', async () => {
    const caller = account();
    const { socket, text, closed } = await openConnection(service.url);
    const body = '{"query":"sleep"}';
    const head = [
      ...['POST /v1/search HTTP/1.1', 'Host: x', `Authorization: Bearer ${caller.secret}`],
      ...['Content-Type: application/json', `Content-Length: ${body.length}`],
      ...['Idempotency-Key: a', 'Idempotency-Key: b', '', ''],
    ];
    socket.write(head.join('\r\n') + body);
    await closed;
    expect(text()).toContain('HTTP/1.1 400');
    expect(text()).toContain('idempotency-key: expected one value, got more than one');
    expect(kindsOf(caller)).toEqual(['topup']);
  });

  it('gets 409 while the first is in flight, and 422 if it differs from it', async () => {
    const caller = account();
    release = holdWriters(service.database);
    const first = search(caller, { query: 'sleep' }, keyed('busy'));
    await expect
      .poll(async () => (await search(caller, { query: 'sleep' }, keyed('busy'))).status)
      .toBe(409);
    expectError(await search(caller, { query: 'sleep' }, keyed('busy')), IN_FLIGHT);
    expectError(await search(caller, { query: 'other' }, keyed('busy')), REUSED);
    release();
    const answered = await first;
    expectRepeat(await search(caller, { query: 'sleep' }, keyed('busy')), answered);
  });

  it('is charged once, of 50 at the same time', async () => {
    const caller = account();
    const got = await Promise.all(
      Array.from({ length: 50 }, () => search(caller, { query: 'sleep' }, keyed('race'))),
    );
    const statuses = new Set(got.map(({ status }) => status));
    expect([...statuses].filter((status) => ![200, 409].includes(status))).toEqual([]);
    const answered = got.filter(({ status }) => status === 200);
    expect(new Set(answered.map(({ text }) => text)).size).toBe(1);
    expect(kindsOf(caller)).toEqual(['settle', 'hold', 'topup']);
  });

  it('is charged when its client vanishes, whose repeat is answered', async () => {
    const caller = account();
    release = holdWriters(service.database);
    const { socket, text } = await openConnection(service.url);
    const body = '{"query":"sleep"}';
    const head = [
      ...['POST /v1/search HTTP/1.1', 'Host: x', `Authorization: Bearer ${caller.secret}`],
      ...['Content-Type: application/json', `Content-Length: ${body.length}`],
      ...['Idempotency-Key: gone', '', ''],
    ];
    socket.write(head.join('\r\n') + body);
    const repeat = (): Promise<Got> => search(caller, body, keyed('gone'));
    await expect.poll(async () => (await repeat()).status).toBe(409);
    socket.destroy();
    release();
    await expect.poll(async () => (await repeat()).status).toBe(200);
    expect((await repeat()).headers['idempotency-replayed']).toBe('true');
    expect(text()).toBe('');
    expect(kindsOf(caller)).toEqual(['settle', 'hold', 'topup']);
  });
});

describe('what is not stored', () => {
  it('is a search without credit: the key is free', async () => {
    const caller = account(1);
    expect((await search(caller, { query: 'sleep' }, keyed('first'))).status).toBe(200);
    expect((await search(caller, { query: 'sleep' }, keyed('second'))).status).toBe(402);
    expect((await search(caller, { query: 'shade' }, keyed('second'))).status).toBe(402);
    const { answers } = inStore(service.database, (db) => {
      const customer = db.prepare('SELECT id FROM customers WHERE email = ?').pluck();
      return createAnswerReader(db).totalsOf(Number(customer.get(caller.email)));
    });
    expect(answers).toBe(1);
  });

  it('is a search that is wrong', async () => {
    const caller = account();
    expect((await search(caller, { query: '' }, keyed('wrong'))).status).toBe(400);
    const fixed = await search(caller, { query: 'sleep' }, keyed('wrong'));
    expect(fixed.status).toBe(200);
    expect(fixed.headers).not.toHaveProperty('idempotency-replayed');
  });
});

describe('a verification with an Idempotency-Key', () => {
  it('is repeated, also if it was free', async () => {
    const caller = account();
    const known = { items: [{ quote: 'people forget less over a night of sleep' }] };
    const first = await verify(caller, known, 'known');
    expect(first.headers['x-credit-balance']).toBe('9');
    expectRepeat(await verify(caller, known, 'known'), first);
    const unknown = { items: [{ quote: 'whatever it says', id: '10.9999/unknown' }] };
    const free = await verify(caller, unknown, 'unknown');
    expectRepeat(await verify(caller, unknown, 'unknown'), free);
    expect(free.headers['x-credit-balance']).toBe('9');
    expect(await readUsage(caller)).toMatchObject({ requests: 1, balance: 9 });
  });
});

describe('stored answers', () => {
  it('expire: the key is free', async () => {
    const caller = account();
    const first = await search(caller, { query: 'sleep' }, keyed('old'));
    inStore(service.database, (db) => {
      db.exec('DROP TRIGGER stored_answers_no_update');
      db.exec("UPDATE stored_answers SET expires_at = 1 WHERE idempotency_key = 'old'");
    });
    const again = await search(caller, { query: 'another' }, keyed('old'));
    expect(again.status).toBe(200);
    expect(again.text).not.toBe(first.text);
    expect(again.headers).not.toHaveProperty('idempotency-replayed');
    expect((await readUsage(caller)).balance).toBe(8);
  });
});
