/** What an operator does with customers on the pages: each acts once, is in the trail, and is guarded. */
import { describe, expect, it } from 'vitest';
import { listEntries } from '../../../src/accounts/sql/credit-entries.ts';
import { findCustomer, saveProfile } from '../../../src/accounts/sql/customers.ts';
import { listActions } from '../../../src/accounts/sql/operator-trail.ts';
import { operatorPages } from '../../../src/dashboard/operator/operator-routes.ts';
import { changeOnSqlite, runOnSqlite } from '../../../src/database/sqlite/run-on-sqlite.ts';
import { addKey, addReturned, addSomeone, inStore } from '../../support/history.ts';
import { withLimits } from '../../support/limits.ts';
import { type Client, createClient, signedInClient, useServer } from '../../support/pages.ts';
import { PATIENT } from '../../support/patient.ts';
import { postSearch } from '../../support/service.ts';
import { runJson } from '../../support/verbatim.ts';

const ADA = 'ada@example.org';
const EVE = 'eve@example.org';
const ODD = `o'dd+"><script>@example.org`;

const ada = { id: 0, prefix: '', secret: '', charged: '', refunded: '' };
const server = useServer(
  async (database) => {
    const { customerId } = addSomeone(database, { email: ADA, credits: 50 });
    const { key, secret } = addKey(database, customerId, 'Notebook');
    const { refunded } = addReturned(database, { customerId, keyId: key.id });
    Object.assign(ada, { id: customerId, prefix: key.prefix, secret, refunded });
    const eve = addSomeone(database, { email: EVE });
    inStore(database, (db) =>
      changeOnSqlite(db, saveProfile({ ...eve, name: 'Tide Lab', timeZone: 'UTC' })),
    );
  },
  { VERBATIM_OPERATOR: 'true', ...withLimits({ refundsAtOnceMax: 2 }) },
);

const operator = (): Client => createClient(server.service.operatorUrl);
const balanceOf = (email: string): number =>
  inStore(server.database, (db) => runOnSqlite(db, findCustomer(email)).balance);
const trailOf = (customerId: number) =>
  inStore(server.database, (db) => runOnSqlite(db, listActions({ customerId, limit: 99 })));

const submit = (path: string, fields: Record<string, string>, from = path) =>
  operator().submit(path, fields, from);

const pageOf = (id: number): string => `/operator/customers/${id}`;

describe('the list of customers', () => {
  it.each([
    ['', [ADA, EVE]],
    ['?text=ADA', [ADA]],
    ['?text=tide', [EVE]],
    ['?text=%25', []],
    ['?state=disabled', []],
    ['?state=enabled&order=email', [ADA, EVE]],
    ['?order=balance', [ADA, EVE]],
  ])('with %j', async (query, emails) => {
    const { status, text } = await operator().get(`/operator/customers${query}`);
    expect(status).toBe(200);
    const whole = text.replaceAll(/<wbr\/?>/g, '');
    const shown = [...whole.matchAll(/href="\/operator\/customers\/\d+">([^<]+)</g)];
    expect(shown.map(([, email]) => email).sort()).toEqual(emails);
  });

  it.each([
    ['?order=color', 'There is no order “color”.'],
    ['?state=x', 'There is no state “x”.'],
    ['?page=0', 'is not the number of a page'],
    ['?text=a&text=b', 'Enter this field only once.'],
    [`?text=${'x'.repeat(300)}`, 'at most 254 characters'],
  ])('refuses %s', async (query, why) => {
    const { status, text } = await operator().get(`/operator/customers${query}`);
    expect(status).toBe(400);
    expect(text).toContain(why);
  });
});

describe('adding a customer', () => {
  it('gives them credit and a link, which is shown', async () => {
    const added = await submit(
      '/operator/customers',
      { email: ' New@Example.org ', credits: '25' },
      '/operator/customers',
    );
    expect(added.status).toBe(303);
    const { text } = await operator().get(String(added.headers.location));
    const [, token = ''] = /\/dashboard\/link\?token=([\w-]{43})/.exec(text) ?? [];
    const link = await createClient(server.url).get(`/dashboard/link?token=${token}`);
    expect(link.text).toContain('new@example.org');
    expect(balanceOf('new@example.org')).toBe(25);
  });

  it.each([
    [{ email: ADA }, 'already exists'],
    [{ email: 'nobody' }, 'is not an e-mail address'],
    [{ email: ODD }, 'is not an e-mail address'],
    [{ email: 'x@example.org', credits: '-5' }, 'or leave it empty'],
    [{ email: 'x@example.org', credits: '1.5' }, 'or leave it empty'],
  ])('refuses %o', async (fields, why) => {
    const got = await submit('/operator/customers', fields, '/operator/customers');
    expect(got.status).toBe(422);
    expect(got.text).toContain(why);
    expect(got.text).not.toContain('<script>@');
  });
});

describe('the page of a customer', () => {
  it('adds credit with a note, once for each idempotency key', async () => {
    const client = operator();
    const hidden = await client.hidden(pageOf(ada.id));
    const fields = { ...hidden, credits: '7', note: 'sorry' };
    const before = balanceOf(ADA);
    const send = () => client.post(`${pageOf(ada.id)}/credit`, fields);
    const sent = [...(await Promise.all([send(), send(), send()])), await send()];
    expect(sent.map(({ status }) => status)).toEqual([303, 303, 303, 303]);
    const results = sent.map(({ headers }) => String(headers.location).split('=')[1]);
    expect(results.sort()).toEqual(['credit', 'repeated', 'repeated', 'repeated']);
    expect(balanceOf(ADA)).toBe(before + 7);
    expect(trailOf(ada.id)[0]).toMatchObject({
      actor: 'loopback',
      action: 'credit add',
      details: '7 credits, sorry',
    });
  });

  it('writes the same trail as the command line', async () => {
    await runJson(['credit', 'add', ADA, '7', '--note', 'sorry', '--db', server.database]);
    const [typed, clicked] = trailOf(ada.id);
    const same = { id: typed?.id, at: typed?.at, actor: 'command line' };
    expect(typed).toEqual({ ...clicked, ...same });
    const listed = await runJson<{ actor: string }[]>([
      ...['operator', 'trail', '--customer', ADA, '--db', server.database],
    ]);
    expect(listed.map(({ actor }) => actor).slice(0, 2)).toEqual(['command line', 'loopback']);
    const { text } = await operator().get('/operator/trail');
    expect(text).toContain('command line');
  });

  it('refunds a search of this customer, and of nobody else', async () => {
    const response = await postSearch(server.url, ada.secret);
    const request = response.headers.get('x-request-id') ?? '';
    const eve = inStore(server.database, (db) => runOnSqlite(db, findCustomer(EVE)).id);
    await expect
      .poll(() =>
        inStore(server.database, (db) =>
          runOnSqlite(db, listEntries({ customerId: ada.id, limit: 1 })),
        ),
      )
      .toMatchObject([{ kind: 'settle' }]);
    const wrong = await submit(`${pageOf(eve)}/refund`, { request }, pageOf(eve));
    expect(wrong.status).toBe(422);
    expect(wrong.text).toContain(`The ledger has no search ${request}.`);
    const right = await submit(`${pageOf(ada.id)}/refund`, { request }, pageOf(ada.id));
    expect(right.headers.location).toBe(`${pageOf(ada.id)}?done=refund`);
    const again = await submit(`${pageOf(ada.id)}/refund`, { request }, pageOf(ada.id));
    expect(again.text).toContain('was already refunded');
    expect(trailOf(ada.id)[0]).toMatchObject({ action: 'credit refund', subject: request });
  });

  it('disables a customer at once, and enables them again', async () => {
    const path = pageOf(ada.id);
    await submit(`${path}/disable`, { reason: 'chargeback' });
    expect((await postSearch(server.url, ada.secret)).status).toBe(401);
    expect((await operator().get(path)).text).toContain('chargeback');
    expect(trailOf(ada.id)[0]).toMatchObject({ action: 'customer disable', details: 'chargeback' });
    const refused = await submit(`${path}/link`, { member: ADA }, path);
    expect(refused.text).toContain('is disabled');
    await submit(`${path}/enable`, {}, path);
    expect((await postSearch(server.url, ada.secret)).status).toBe(200);
  });

  it('takes back credit that was given by mistake, after a question', async () => {
    const path = pageOf(ada.id);
    const before = balanceOf(ADA);
    await submit(`${path}/credit`, { credits: '900' }, path);
    const { text } = await operator().get(path);
    const [, taking = ''] = /href="(\/operator\/customers\/\d+\/credit\/\d+)"/.exec(text) ?? [];
    const question = await operator().get(taking);
    expect(question.text).toContain(`The balance is ${before + 900} and becomes ${before};`);
    const taken = await submit(taking, { reason: 'typo' });
    expect(taken.headers.location).toBe(`${path}?done=taken`);
    expect(balanceOf(ADA)).toBe(before);
    const again = await submit(taking, { reason: 'typo' });
    expect([again.status, again.text.includes('was already taken back')]).toEqual([422, true]);
    expect((await operator().get(path)).text).toContain('taken back');
    expect((await operator().get(`${path}/credit/999999`)).status).toBe(404);
  });

  it('refunds the requests of a filter, some at once, after a look at them', async () => {
    const settled = () =>
      inStore(server.database, (db) =>
        runOnSqlite(db, listEntries({ customerId: ada.id, limit: 99 })),
      ).filter(({ kind }) => kind === 'settle').length;
    const charged = settled();
    for (let i = 0; i < 3; i++) await postSearch(server.url, ada.secret);
    await expect.poll(settled, PATIENT).toBe(charged + 3);
    const query = `key=${ada.prefix}&path=%2Fv1%2Fsearch`;
    const list = await operator().get(`${pageOf(ada.id)}/requests?${query}`);
    const [, href = ''] = /href="([^"]+\/refunds\?[^"]+)"/.exec(list.text) ?? [];
    const path = href.replaceAll('&amp;', '&');
    const titleOf = async () => /<h1>([^<]+)/.exec((await operator().get(path)).text)?.[1];
    expect(await titleOf()).toBe('Refund 2 requests?');
    const before = balanceOf(ADA);
    const first = await submit(path, { reason: 'outage' });
    expect(first.headers.location).toBe(`${pageOf(ada.id)}?done=refunds`);
    expect(balanceOf(ADA)).toBe(before + 2);
    expect(trailOf(ada.id)[0]).toMatchObject({
      action: 'credit refund-many',
      details: `2 credits, 2 requests, path=%2Fv1%2Fsearch&key=${ada.prefix}, outage`,
    });
    while ((await titleOf()) !== 'Refund 0 requests?') await submit(path, {});
    expect(balanceOf(ADA)).toBeGreaterThanOrEqual(before + 3);
    expect((await operator().get(`${pageOf(ada.id)}/refunds?from=yesterday`)).status).toBe(400);
  });

  it('keeps a note, which its customer never sees', async () => {
    const path = pageOf(ada.id);
    const about = 'rings at <b>noon</b>';
    const saved = await submit(`${path}/note`, { about }, path);
    expect(saved.headers.location).toBe(`${path}?done=note`);
    expect((await operator().get(path)).text).toContain('rings at &lt;b>noon&lt;/b>');
    const customer = await signedInClient(server.url, ADA);
    for (const page of ['/dashboard', '/dashboard/account', '/dashboard/account/data']) {
      expect((await customer.get(page)).text).not.toContain('rings at');
    }
  });

  it('revokes one of the keys', async () => {
    const { key, secret } = inStore(server.database, () =>
      addKey(server.database, ada.id, 'Leaked'),
    );
    expect((await postSearch(server.url, secret)).status).toBe(200);
    const path = `/operator/keys/${key.prefix}/revoke`;
    const revoked = await submit(path, { reason: 'leaked' });
    expect(revoked.headers.location).toBe(`${pageOf(ada.id)}?done=revoked`);
    expect((await postSearch(server.url, secret)).status).toBe(401);
    expect((await postSearch(server.url, ada.secret)).status).toBe(200);
    expect(trailOf(ada.id)[0]).toMatchObject({
      action: 'key revoke',
      subject: key.prefix,
      details: 'leaked',
    });
  });

  it('makes a link, and leads all submissions of one copy to it', async () => {
    const client = operator();
    const hidden = await client.hidden(pageOf(ada.id));
    const send = () => client.post(`${pageOf(ada.id)}/link`, { ...hidden, member: ADA });
    const [first, second] = await Promise.all([send(), send()]);
    expect(first.headers.location).toMatch(/^\/operator\/links\/[\w-]+$/);
    expect(second.headers.location).toBe(first.headers.location);
    expect((await client.get('/operator/links/unknown')).status).toBe(410);
    const other = await submit(`${pageOf(ada.id)}/link`, { member: EVE }, pageOf(ada.id));
    expect(other.text).toContain('Choose one of the members.');
  });

  it('sets the rates of a key from the next request on', async () => {
    const path = `/operator/keys/${ada.prefix}`;
    await submit(path, { rate: '1', in_flight: '3' }, path);
    const { headers } = await postSearch(server.url, ada.secret);
    expect(headers.get('ratelimit-policy')).toContain('1');
    expect(trailOf(ada.id)[0]).toMatchObject({
      action: 'key rates',
      subject: ada.prefix,
      details: 'requests a minute: 1, in flight: 3',
    });
    for (const rate of ['0', '-1', 'many', '1e3', '9999999']) {
      expect((await submit(path, { rate, in_flight: '' }, path)).status, rate).toBe(422);
    }
    await submit(path, { rate: '', in_flight: '' }, path);
    expect((await operator().get(path)).text).toContain('name="rate" type="text" value aria');
  });

  it.each(['/operator/customers/0', '/operator/customers/999999', '/operator/customers/x'])(
    'is not found at %s',
    async (path) => {
      expect((await operator().get(path)).status).toBe(404);
    },
  );

  it.each(['/operator/keys/0', '/operator/keys/g', '/operator/keys/0123456789'])(
    'nor a key at %s',
    async (path) => {
      expect((await operator().get(path)).status).toBe(404);
    },
  );
});

describe('a form of the operator', () => {
  const credit = (): string => `${pageOf(ada.id)}/credit`;

  it.each<[what: string, headers: Record<string, string>, token?: string]>([
    ['of another site', { 'sec-fetch-site': 'cross-site' }],
    ['of another port', { 'sec-fetch-site': 'same-site' }],
    ['of another origin', { origin: 'http://attacker.example' }],
    ['of no origin', { origin: 'null' }],
    ['of another host', { host: 'attacker.example' }],
    ['without its token', {}, ''],
  ])('%s is refused by every page', async (_what, headers, token) => {
    const client = operator();
    const hidden = await client.hidden(pageOf(ada.id));
    const fields = { ...hidden, ...(token !== undefined && { form_token: token }) };
    const before = [balanceOf(ADA), trailOf(ada.id)];
    for (const { path, post } of operatorPages) {
      if (post === undefined) continue;
      const at = path
        .replace(':id', String(ada.id))
        .replace(':prefix', ada.prefix)
        .replace(':entry', '1');
      const sent = { ...fields, credits: '1000', path: '', question: 'sleep', rate: '1' };
      expect((await client.post(at, sent, headers)).status, at).toBe(403);
    }
    expect([balanceOf(ADA), trailOf(ada.id)]).toEqual(before);
  });

  it.each(['', "' OR 1=1"])('with the idempotency key %j changes nothing', async (form_copy) => {
    const client = operator();
    const hidden = await client.hidden(pageOf(ada.id));
    const before = balanceOf(ADA);
    const got = await client.post(credit(), { ...hidden, credits: '1000', form_copy });
    expect([400, 422]).toContain(got.status);
    expect(balanceOf(ADA)).toBe(before);
  });

  it('with the token of another browser is refused', async () => {
    const hidden = await operator().hidden(pageOf(ada.id));
    const stranger = operator();
    await stranger.get('/operator');
    expect((await stranger.post(credit(), { ...hidden, credits: '9' })).status).toBe(403);
  });

  it('shows odd texts as they are', async () => {
    const note = '<img src=x onerror=alert(1)>';
    await submit(credit(), { credits: '1', note }, pageOf(ada.id));
    const { text } = await operator().get(pageOf(ada.id));
    expect(text).not.toContain('<img src=x');
    expect(text).toContain('&lt;img src=x');
  });
});
