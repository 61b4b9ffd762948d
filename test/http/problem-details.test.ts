/** Errors as problem details, for the clients that ask for them. */
import { describe, expect, it } from 'vitest';
import { createCustomer } from '../support/service.ts';
import { useService } from '../support/use-service.ts';
import {
  addAccount,
  bearer,
  type Caller,
  expectError,
  type Got,
  search,
  send,
} from './contract.ts';

const PROBLEM = 'application/problem+json';

let caller: Caller;

const service = useService({
  fill: createCustomer,
  ready: ({ url }, { secret }) => {
    caller = { url, secret };
  },
});

function searchEmpty(accept?: string): Promise<Got> {
  return search(caller, { query: '' }, { headers: accept === undefined ? {} : { accept } });
}

describe('an error', () => {
  it.each([
    ...[PROBLEM, `application/json, ${PROBLEM};q=0.5`, ' Application/Problem+JSON ; charset=utf-8'],
  ])('is a problem for a client that accepts "%s"', async (accept) => {
    const { status, headers, text } = await searchEmpty(accept);
    expect(status).toBe(400);
    expect(headers['content-type']).toBe(PROBLEM);
    expect(headers['x-error-code']).toBe('empty_query');
    expect(JSON.parse(text)).toEqual({
      type: 'about:blank',
      title: 'Bad Request',
      status: 400,
      detail: 'empty query',
      instance: `urn:uuid:${headers['x-request-id']}`,
      code: 'empty_query',
    });
  });

  it.each([
    ...[undefined, '', '*/*', 'application/*', 'application/json', 'application/problem+xml'],
    ...[`${PROBLEM};q=0`, `${PROBLEM}; q=0.000`, `x${PROBLEM}`, ',;,;q=', `"${PROBLEM}"`],
  ])('is a text for a client that accepts "%s"', async (accept) => {
    const error = { status: 400, message: 'empty query', code: 'empty_query' } as const;
    expectError(await searchEmpty(accept), error);
  });

  it('names the seconds to wait', async () => {
    const { secret } = addAccount(service, { email: 'bo@example.org', requestsPerMinute: 1 });
    const headers = { ...bearer(secret), accept: PROBLEM };
    await send(service.url, { path: '/v1/usage', headers });
    const got = await send(service.url, { path: '/v1/usage', headers });
    expect(got.status).toBe(429);
    expect(JSON.parse(got.text)).toMatchObject({
      title: 'Too Many Requests',
      code: 'rate_limited',
      detail: 'rate limit exceeded',
      retry_after: Number(got.headers['retry-after']),
    });
  });

  it('is a problem before the key is known, and on unknown paths', async () => {
    const headers = { accept: PROBLEM };
    const unknown = await send(service.url, { path: '/v1/unknown', headers });
    expect(JSON.parse(unknown.text)).toMatchObject({ status: 404, code: 'not_found' });
    const keyless = await send(service.url, { path: '/v1/usage', headers });
    expect(JSON.parse(keyless.text)).toMatchObject({ status: 401, code: 'invalid_key' });
    expect(keyless.headers['www-authenticate']).toMatch(/^Bearer /);
  });
});

describe('what is no error', () => {
  it('stays as it is', async () => {
    const body = { query: 'sleep' };
    const plain = await search(caller, body);
    const asked = await search(caller, body, { headers: { accept: PROBLEM } });
    expect(asked.status).toBe(200);
    expect(asked.text).toBe(plain.text);
    expect(asked.headers['content-type']).toBe('application/json');
  });
});
