/**
 * Every status that /openapi.json documents is reached, for every operation: here, or where the list
 * of reasons says. `send` compares each answer with the document.
 */
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { type Operation, operations } from '../../src/dashboard/docs/operations.ts';
import { useService } from '../support/use-service.ts';
import { addAccount, type Caller, expectAudited, type Got, holdWriters, send } from './contract.ts';

/** What needs more than a request: the same code answers for all operations. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  408: 'a body that does not arrive: connections.test.ts',
  431: 'headers that are too long, before the path is known: ../abuse/ambiguous-requests.test.ts',
  500: 'a defect: failures.test.ts',
  504: 'a search that takes too long: failures.test.ts, batch-limits.test.ts',
};
const DOCUMENT = 'sample:psychology-sleep-and-forgetting';
const REQUESTS: Readonly<Record<string, { path: string; body?: unknown }>> = {
  search: { path: '/v1/search', body: { query: 'does sleep help memory' } },
  batch: { path: '/v1/search/batch', body: { questions: [{ query: 'does sleep help memory' }] } },
  verify: {
    path: '/v1/verify',
    body: { items: [{ quote: 'Sleep after learning improves memory' }] },
  },
  paper: { path: `/v1/paper?id=${DOCUMENT}` },
  similar: { path: `/v1/similar?id=${DOCUMENT}` },
  changes: { path: '/v1/changes?since=2026-01-01' },
  usage: { path: '/v1/usage' },
  health: { path: '/health' },
};

const service = useService({
  env: { VERBATIM_LOCK_WAIT_MS: '60000', VERBATIM_IN_FLIGHT_MAX: '1' },
});
let release = (): void => {};
afterEach(() => release());
afterAll(() => expectAudited(service.database));

let accounts = 0;
const account = (credits = 10, requestsPerMinute = 100): Caller =>
  addAccount(service, {
    email: `customer-${++accounts}@example.org`,
    credits,
    requestsPerMinute,
  });

interface Changed {
  secret?: string;
  path?: string;
  body?: string;
  headers?: Record<string, string>;
}

/** A valid call, but for what is changed. */
function call({ id, method }: Operation, { secret = '', path, body, headers }: Changed = {}) {
  const request = REQUESTS[id] ?? expect.fail(`a request of ${id} is missing`);
  const text = body ?? (request.body === undefined ? undefined : JSON.stringify(request.body));
  return send(service.url, {
    method: method.toUpperCase(),
    path: path ?? request.path,
    headers: {
      ...(secret === '' ? {} : { authorization: `Bearer ${secret}` }),
      ...(text === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(text === undefined ? {} : { body: text }),
  });
}

/** Makes two calls while nothing can be charged. Returns the answer of the one that is refused. */
async function refusedOfTwo(operation: Operation, both: readonly Changed[]): Promise<Got> {
  release = holdWriters(service.database);
  const calls = both.map((changed) => call(operation, changed));
  const refused = await Promise.race(calls);
  release();
  const statuses = (await Promise.all(calls)).map(({ status }) => status);
  expect(statuses.sort()).toEqual([200, refused.status]);
  return refused;
}

const keyed = (key: string) => ({ headers: { 'idempotency-key': key } });

/** How a status is reached. */
const provoke: Readonly<Record<string, (operation: Operation) => Promise<Got>>> = {
  200: (operation) => call(operation, { secret: account().secret }),
  400: (operation) => {
    const path = REQUESTS[operation.id]?.path.split('?')[0] ?? '';
    const isPost = operation.method === 'post';
    return call(operation, { secret: account().secret, path, ...(isPost && { body: '{' }) });
  },
  401: (operation) => call(operation),
  402: (operation) => call(operation, { secret: account(0).secret }),
  404: (operation) => {
    const path = `/v1/${operation.id}?id=10.5555/unknown`;
    return call(operation, { secret: account().secret, path });
  },
  406: (operation) =>
    call(operation, { secret: account().secret, headers: { accept: 'image/png' } }),
  409: (operation) => {
    const changed = { secret: account().secret, ...keyed('busy') };
    return refusedOfTwo(operation, [changed, changed]);
  },
  410: (operation) => {
    const path = `/v1/changes?cursor=${'0'.repeat(32)}.1.1`;
    return call(operation, { secret: account().secret, path });
  },
  413: (operation) => call(operation, { secret: account().secret, body: 'x'.repeat(2_000_000) }),
  415: (operation) =>
    call(operation, { secret: account().secret, headers: { 'content-type': 'text/plain' } }),
  422: async (operation) => {
    const { secret } = account();
    await call(operation, { secret, ...keyed('once') });
    const body = JSON.stringify(REQUESTS[operation.id]?.body).replace('leep', 'lept');
    return call(operation, { secret, body, ...keyed('once') });
  },
  429: async (operation) => {
    const { secret } = account(10, 1);
    await call(operation, { secret });
    return call(operation, { secret });
  },
  503: (operation) =>
    refusedOfTwo(operation, [{ secret: account().secret }, { secret: account().secret }]),
};

/**
 * Nothing of these is charged, so they keep no place here. `changes` says 503 in changes.test.ts, the others
 * while the index or the ledger is out of order.
 */
const FREE = ['changes', 'usage', 'health'];

const reached = operations.flatMap((operation) =>
  ['200', ...operation.errors]
    .filter((status) => ELSEWHERE[status] === undefined)
    .filter((status) => status !== '503' || !FREE.includes(operation.id))
    .map((status) => ({ operation, status, name: `${operation.id} ${status}` })),
);

describe('a documented status', () => {
  it.each(reached)('$name', async ({ operation, status }) => {
    const act =
      provoke[status] ?? expect.fail(`nothing leads to ${status}, and no reason is given`);
    expect((await act(operation)).status).toBe(Number(status));
  });

  it('is among those that are reached, or has a reason', () => {
    const documented = new Set(operations.flatMap(({ errors }) => errors));
    expect(Object.keys(ELSEWHERE).filter((status) => !documented.has(status))).toEqual([]);
    expect(reached.length).toBeGreaterThan(40);
  });
});
