/** The operator's pages at the service's own address: closed to everybody but operators, at every path. */
import { describe, expect, it } from 'vitest';
import { findCustomer } from '../../../src/accounts/sql/customers.ts';
import { listActions } from '../../../src/accounts/sql/operator-trail.ts';
import { removeOperator } from '../../../src/accounts/sql/operators.ts';
import {
  entryPages,
  operatorPages,
  ownPages,
} from '../../../src/dashboard/operator/operator-routes.ts';
import { changeOnSqlite, runOnSqlite } from '../../../src/database/sqlite/run-on-sqlite.ts';
import { addSomeone, inStore } from '../../support/history.ts';
import {
  addEnrolledOperator,
  type EnrolledOperator,
  operatorClient,
} from '../../support/operators.ts';
import {
  type Client,
  createClient,
  formTokenIn,
  signedInClient,
  useServer,
} from '../../support/pages.ts';

const CUSTOMER = 'ada@example.org';
/** An operator who is a customer, too. */
const BOTH = 'both@example.org';
const SIGN_IN = '/operator/sign-in';

const known = { customer: 0, both: {} as EnrolledOperator, other: {} as EnrolledOperator };
const server = useServer(async (database) => {
  known.customer = addSomeone(database, { email: CUSTOMER, credits: 5 }).customerId;
  addSomeone(database, { email: BOTH });
  known.both = addEnrolledOperator(database, BOTH);
  known.other = addEnrolledOperator(database, 'other@example.org');
});
const bare = useServer(async (database) => {
  addSomeone(database, { email: CUSTOMER });
});

const guarded = [...operatorPages, ...ownPages].map(({ path }) => path);
const pathOf = (path: string): string => path.replaceAll(/:\w+/g, '1');
const odd = ['/operator/', '/operator/nothing', '/operator/%2e%2e/x', '/operator/customers/1/x'];

/** What an answer tells, without what is new in each. */
async function answerTo(client: Client, method: string, path: string) {
  const { status, headers, text } =
    method === 'POST' ? await client.post(path, {}) : await client.get(path);
  return { status, location: String(headers.location).split('?')[0], text };
}

describe('without operators', () => {
  it('there is nothing at any path, and no listener on loopback', async () => {
    expect(bare.service.operatorUrl).toBe('http://localhost:undefined');
    const client = createClient(bare.url);
    const missing = await client.get('/nothing');
    for (const path of [...guarded, SIGN_IN, '/operator/link?token=x', ...odd].map(pathOf)) {
      const got = await client.get(path);
      expect([path, got.status]).toEqual([path, 404]);
      expect(titleOf(got.text)).toBe(titleOf(missing.text));
      const program = await client.get(path, { accept: 'application/json' });
      expect([program.status, program.headers['x-error-code']]).toEqual([404, 'not_found']);
    }
    expect(client.cookie).not.toContain('operator');
  });
});

describe('a stranger', () => {
  it.each(['GET', 'POST'])('gets one answer to %s, at every path', async (method) => {
    const strangers: [string, Client][] = [
      ['nobody', createClient(server.url)],
      ['a visitor', await withVisitorCookie()],
      ['a customer', await signedInClient(server.url, CUSTOMER)],
      ['an operator who is signed in as a customer', await signedInClient(server.url, BOTH)],
      ['a made-up token', operatorClient(server.url, { token: 'x'.repeat(43) })],
    ];
    const customer = strangers[2]?.[1].cookie.split('=')[1] ?? '';
    strangers.push(['a stolen session', operatorClient(server.url, { token: customer })]);
    for (const [who, client] of strangers) {
      const answers = new Set<string>();
      for (const path of [...guarded.map(pathOf), ...odd]) {
        answers.add(JSON.stringify(await answerTo(client, method, path)));
      }
      const only = { status: 303, location: SIGN_IN, text: '' };
      expect(
        [...answers].map((text) => JSON.parse(text)),
        who,
      ).toEqual([only]);
    }
  });

  it('changes nothing, even with the token of a form', async () => {
    const client = await withVisitorCookie();
    const { text } = await client.get(SIGN_IN);
    const idempotencyKey = '00000000-0000-4000-8000-000000000000';
    const fields = { form_token: formTokenIn(text), form_copy: idempotencyKey, credits: '9' };
    const got = await client.post(`/operator/customers/${known.customer}/credit`, fields);
    expect(got.status).toBe(303);
    expect(inStore(server.database, (db) => runOnSqlite(db, findCustomer(CUSTOMER)).balance)).toBe(
      5,
    );
  });

  it('finds pages of customers where they were', async () => {
    const client = operatorClient(server.url, known.both);
    expect((await client.get('/dashboard')).status).toBe(303);
    const stolen = createClient(server.url, `verbatim=${known.both.token}`);
    expect((await stolen.get('/dashboard/keys')).status).toBe(303);
  });
});

describe('an operator', () => {
  it('sees every page that can be read', async () => {
    const client = operatorClient(server.url, known.both);
    for (const { path, get } of [...operatorPages, ...ownPages]) {
      if (get === undefined || path.includes(':')) continue;
      const got = await client.get(path);
      expect([path, got.status]).toEqual([path, 200]);
      expect(got.text).toContain(BOTH);
    }
    expect((await client.get('/operator/nothing')).status).toBe(404);
    expect((await client.get(`/operator/customers/${known.customer}`)).text).toContain(CUSTOMER);
  });

  it('changes things under their address, from their own site only', async () => {
    const client = operatorClient(server.url, known.both);
    const page = `/operator/customers/${known.customer}`;
    const fields = { ...(await client.hidden(page)), credits: '7' };
    const send = (headers: Record<string, string>, form: Record<string, string> = fields) =>
      client.post(`${page}/credit`, form, headers);
    const foreign = [
      send({ origin: 'https://evil.example' }),
      send({ 'sec-fetch-site': 'cross-site' }),
      send({ 'sec-fetch-site': 'same-site' }),
      send({}, { ...fields, form_token: 'x'.repeat(43) }),
      send({ origin: 'https://evil.example', host: 'localhost' }),
    ];
    expect((await Promise.all(foreign)).map(({ status }) => status)).toEqual(
      foreign.map(() => 403),
    );
    const sent = await send({ 'sec-fetch-site': 'same-origin' });
    expect(sent.headers.location).toBe(`${page}?done=credit`);
    const [latest] = inStore(server.database, (db) =>
      runOnSqlite(db, listActions({ customerId: known.customer, limit: 1 })),
    );
    expect(latest).toMatchObject({ actor: BOTH, action: 'credit add', details: '7 credits' });
  });

  it('who is removed is out at once, with the form that was open', async () => {
    const client = operatorClient(server.url, known.other);
    const page = `/operator/customers/${known.customer}`;
    const hidden = await client.hidden(page);
    const balance = () =>
      inStore(server.database, (db) => runOnSqlite(db, findCustomer(CUSTOMER)).balance);
    const before = balance();
    inStore(server.database, (db) =>
      changeOnSqlite(db, removeOperator({ email: known.other.email })),
    );
    const fields = { ...hidden, credits: '7' };
    expect((await client.post(`${page}/credit`, fields)).headers.location).toBe(SIGN_IN);
    expect((await client.get('/operator')).headers.location).toBe(`${SIGN_IN}?next=%2Foperator`);
    expect(balance()).toBe(before);
  });
});

describe('the table of pages', () => {
  it('has no path outside of the guard, and few for everybody', () => {
    expect(entryPages.map(({ path }) => path)).toEqual([
      SIGN_IN,
      '/operator/sign-out',
      '/operator/link',
    ]);
    for (const path of guarded) expect(path).toMatch(/^\/operator(\/|$)/);
    expect(new Set(guarded).size).toBe(guarded.length);
  });
});

/** Somebody who has loaded the form of the sign-in. */
async function withVisitorCookie(): Promise<Client> {
  const client = createClient(server.url);
  expect((await client.get(SIGN_IN)).status).toBe(200);
  expect(client.cookie).toContain('verbatim-operator-session=');
  return client;
}

function titleOf(html: string): string | undefined {
  return /<title>([^<]+)</.exec(html)?.[1];
}
