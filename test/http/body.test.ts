/** The frame of a search request: its media type, its size and its JSON. */
import { describe, expect, it } from 'vitest';
import { createCustomer } from '../support/service.ts';
import { useService } from '../support/use-service.ts';
import {
  bearer,
  type Caller,
  expectError,
  ledger,
  logged,
  openConnection,
  readUsage,
  search,
  send,
} from './contract.ts';

const BODY_BYTES_MAX = 65_536;
const MEDIA_TYPE_MESSAGE = 'Expected request with `Content-Type: application/json`';

let caller: Caller;

const service = useService({
  fill: (database) => {
    const { secret } = createCustomer(database);
    return { secret };
  },
  env: { VERBATIM_REQUESTS_PER_MINUTE: '100000' },
  ready: (service, { secret }) => {
    caller = { url: service.url, secret };
  },
});

/** A request of exactly so many bytes. */
function bodyOfBytes(bytes: number): string {
  return JSON.stringify({ query: 'sleep', limit: 1 }).padEnd(bytes);
}

describe('Content-Type', () => {
  it.each([
    'application/json',
    'application/json; charset=utf-8',
    'application/json;charset=UTF-8',
    'application/json ; charset="utf-8"',
    'Application/JSON',
    'APPLICATION/JSON; CHARSET=UTF-8',
  ])('accepts %s as JSON', async (type) => {
    const got = await search(caller, { query: 'sleep' }, { headers: { 'content-type': type } });
    expect(got.status, got.text).toBe(200);
  });

  it.each([
    '',
    'text/plain',
    'text/json',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/jsonp',
    'application/jsonlines',
    'application/ld+json',
    'application/json+verbatim',
    'application',
    'json',
    'text/plain; application/json',
    'text/plain, application/json',
  ])('returns 415 for "%s"', async (type) => {
    const got = await search(caller, { query: 'sleep' }, { headers: { 'content-type': type } });
    expectError(got, { status: 415, message: MEDIA_TYPE_MESSAGE });
  });

  it('returns 415 without a Content-Type', async () => {
    const got = await send(service.url, {
      method: 'POST',
      path: '/v1/search',
      headers: bearer(caller.secret),
      body: JSON.stringify({ query: 'sleep' }),
    });
    expectError(got, { status: 415, message: MEDIA_TYPE_MESSAGE });
  });
});

describe('the size of a body', () => {
  it.each([
    ['with a length', {}],
    ['chunked', { 'transfer-encoding': 'chunked' }],
  ])('accepts a body of exactly 64 KiB, %s', async (_name, headers) => {
    const got = await search(caller, bodyOfBytes(BODY_BYTES_MAX), { headers });
    expect(got.status, got.text).toBe(200);
  });

  it.each([
    ['a byte more, with a length', BODY_BYTES_MAX + 1, {}],
    ['a byte more, chunked', BODY_BYTES_MAX + 1, { 'transfer-encoding': 'chunked' }],
    ['1 MiB, with a length', 1024 * 1024, {}],
    ['1 MiB, chunked', 1024 * 1024, { 'transfer-encoding': 'chunked' }],
  ])('returns 413 for a body of %s', async (_name, bytes, headers) => {
    const got = await search(caller, bodyOfBytes(bytes), { headers });
    expectError(got, { status: 413, message: 'request body must be at most 65536 bytes' });
  });
});

describe('a body', () => {
  it.each([
    ['filterr', { filterr: { year: { from: 2020 } } }, 'filter'],
    ['min_scor', { min_scor: 0.99 }, 'min_score'],
    ['Limit', { Limit: 0 }, 'limit'],
    ['constructor', { constructor: 1 }, undefined],
    ['größe', { größe: 1 }, undefined],
  ])('returns 400 for the unknown field %s and charges nothing', async (name, fields, meant) => {
    const { balance } = await readUsage(caller);
    const got = await search(caller, { query: 'sleep', ...fields });
    expectError(got, { status: 400, message: /^the request: unknown field / });
    expect(got.text).toContain(`"${name}", known are query, limit`);
    expect(got.text.split('; did you mean ')[1]).toBe(meant && `${meant}?`);
    expect((await readUsage(caller)).balance).toBe(balance);
  });

  it('accepts a chunked body', async () => {
    const whole = await search(caller, { query: 'sleep' });
    const headers = { 'transfer-encoding': 'chunked' };
    expect((await search(caller, { query: 'sleep' }, { headers })).text).toBe(whole.text);
  });

  it.each([
    ['null', 'null'],
    ['an array', '[]'],
    ['an array of a search', '[{"query":"sleep"}]'],
    ['a string', '"sleep"'],
    ['a number', '7'],
    ['a boolean', 'true'],
  ])('returns 400 for a body that is %s and says what was expected', async (_name, body) => {
    const message = /^expected a JSON object, got \w+/;
    expectError(await search(caller, body), { status: 400, message });
  });

  it.each([
    ['nothing', ''],
    ['white space', ' \n '],
    ['half of it', '{"query":"sleep"'],
    ['more than one value', '{"query":"sleep"}{"query":"sleep"}'],
    ['single quotes', "{'query':'sleep'}"],
    ['a trailing comma', '{"query":"sleep",}'],
    ['a form', 'query=sleep'],
    ['a bare word', '{"query":sleep}'],
    ['a raw line end in a string', '{"query":"a\nb"}'],
    ['no UTF-8', Buffer.from('{"query":"caf\xe9"}', 'latin1')],
    ['a surrogate half in UTF-8', Buffer.from('7b227175657279223a22eda080227d', 'hex')],
    ['binary rubbish', Buffer.from(Array.from({ length: 256 }, (_, byte) => byte))],
    ['60,000 brackets', '['.repeat(60_000)],
  ])('returns 400 for a body with %s, which is not JSON', async (_name, body) => {
    expectError(await search(caller, body), { status: 400, message: /^expected a JSON object/ });
  });

  it.each(['{}', '{"limit":1}'])('of %s has no query', async (body) => {
    const message = 'query: expected a string, got nothing';
    expectError(await search(caller, body), { status: 400, message });
  });

  it('returns 400 at once for a missing body', async () => {
    const got = await send(service.url, {
      method: 'POST',
      path: '/v1/search',
      headers: { ...bearer(caller.secret), 'content-type': 'application/json' },
    });
    expectError(got, { status: 400, message: /^expected a JSON object/ });
  });
});

describe('a rejected request', () => {
  it('writes nothing to the ledger', async () => {
    const before = ledger(service.database);
    await search(caller, { query: '' });
    await search(caller, { query: 'sleep', limit: 0 });
    await search(caller, '{');
    await search(caller, bodyOfBytes(BODY_BYTES_MAX + 1));
    await search(caller, { query: 'sleep' }, { headers: { 'content-type': 'text/plain' } });
    expect(ledger(service.database)).toEqual(before);
  });
});

// Found by `npm run measure -- fuzz --target http --seed 18`.
it('drops a large body of an ambiguous request without an error', async () => {
  const body = 'a'.repeat(70_000);
  const head = [
    ...['POST /v1/search HTTP/1.1', 'Host: localhost', 'Authorization: Bearer x'],
    ...['Authorization: Bearer y', `Content-Length: ${body.length}`, '', ''],
  ].join('\r\n');
  const { socket, text, closed } = await openConnection(service.url);
  socket.write(head + body);
  await closed;
  expect(text()).toMatch(/^HTTP\/1\.1 400 /);
  // The log comes in order: what belongs to that request stands before the next one.
  const id = (await send(service.url, { path: '/health' })).headers['x-request-id'];
  const ids = (): unknown[] => logged(service, 'request').map((entry) => entry['request_id']);
  await expect.poll(ids).toContain(id);
  expect(service.log.filter(({ level }) => level === 'error')).toEqual([]);
});
