/** How operators enroll and sign in, in a browser and against strangers who send forms. */
import { describe, expect, it } from 'vitest';
import { listActions } from '../../../src/accounts/sql/operator-trail.ts';
import { removeOperator } from '../../../src/accounts/sql/operators.ts';
import { changeOnSqlite, runOnSqlite } from '../../../src/database/sqlite/run-on-sqlite.ts';
import { secretOf } from '../../support/authenticator.ts';
import { useBrowser } from '../../support/browser.ts';
import { inStore, PASSWORD } from '../../support/history.ts';
import {
  addEnrolledOperator,
  addLinkedOperator,
  type EnrolledOperator,
  enrollByForm,
  linkAgain,
  operatorClient,
  operatorCode,
} from '../../support/operators.ts';
import { type Client, createClient, useServer } from '../../support/pages.ts';

const NEW_PASSWORD = 'gravel window trumpet';
const SIGN_IN = '/operator/sign-in';
const ACCOUNT = '/operator/account';

const known = {} as Record<'eve' | 'dan' | 'bob' | 'gus', EnrolledOperator>;
const server = useServer(async (database) => {
  for (const name of ['eve', 'dan', 'bob', 'gus'] as const) {
    known[name] = addEnrolledOperator(database, `${name}@example.org`);
  }
});
const browser = useBrowser();

/** Sends the form of the sign-in, from a new browser. */
function signIn(fields: Record<string, string>, client = createClient(server.url)) {
  return client.submit(SIGN_IN, { next: '', password: PASSWORD, ...fields });
}

const codesIn = (html: string): string[] =>
  /id="recovery-codes">([^<]+)</.exec(html)?.[1]?.split('\n') ?? [];

describe('a new operator', () => {
  it('enrolls by keyboard and without JavaScript, signs in, and signs out', async () => {
    const email = 'new@example.org';
    const path = addLinkedOperator(server.database, email);
    const { page } = await browser.visit(server.url, { isWithoutScript: true });
    await page.goto(path);
    const key = (await page.locator('#setup-key').textContent()) ?? '';
    await page.reload();
    expect(await page.locator('#setup-key').textContent()).toBe(key);
    const secret = secretOf(key);
    const fill = async (code: string, password: string) => {
      await page.getByLabel('Code from the app').focus();
      await page.keyboard.type(code);
      for (const text of [password, password]) {
        await page.keyboard.press('Tab');
        await page.keyboard.type(text);
      }
      await page.keyboard.press('Enter');
    };
    await fill('12345', NEW_PASSWORD);
    await page.locator('.wrong', { hasText: 'not the code that the app shows' }).waitFor();
    await fill(operatorCode({ secret }), 'short');
    await page.locator('.wrong', { hasText: 'at least 12 characters' }).waitFor();
    // The secret stays the same, so the app need not be set up again.
    await fill(operatorCode({ secret }), NEW_PASSWORD);
    await page.waitForURL('**/recovery-codes/*');
    expect(codesIn(await page.content())).toHaveLength(10);
    await page.getByRole('link', { name: 'I have saved the codes' }).click();
    expect(await page.locator('main').textContent()).toContain('10 recovery codes are left.');

    await page.getByRole('banner').getByRole('button', { name: 'Sign out' }).click();
    await page.getByText('You are signed out.').waitFor();
    await page.goto('/operator/customers?state=disabled');
    await page.getByLabel('E-mail address').fill(email);
    await page.getByLabel('Password').fill(NEW_PASSWORD);
    await page.getByLabel('Code').fill(operatorCode({ secret }, 1));
    await page.keyboard.press('Enter');
    await page.waitForURL('**/operator/customers?state=disabled');
    expect(await page.getByRole('banner').getByRole('link', { name: email }).count()).toBe(1);
  });

  it('sees nothing before the enrollment, and no half of it counts', async () => {
    const path = addLinkedOperator(server.database, 'half@example.org');
    const client = createClient(server.url);
    const { text } = await client.get(path);
    const secret = secretOf(/id="setup-key">([A-Z2-7 ]+)</.exec(text)?.[1] ?? '');
    const [, token = ''] = /token=([\w-]+)/.exec(path) ?? [];
    const password = { new_password: NEW_PASSWORD, new_password_again: NEW_PASSWORD };
    const code = operatorCode({ secret });
    for (const fields of [
      password,
      { ...password, code: '' },
      { ...password, code: '000000' },
      { code },
      { code, new_password: NEW_PASSWORD },
    ]) {
      const got = await client.submit('/operator/link', { token, ...fields }, path);
      expect([400, 401], got.text).toContain(got.status);
      expect((await client.get('/operator')).status).toBe(303);
    }
    const early = await signIn({ email: 'half@example.org', password: NEW_PASSWORD, code });
    expect(early.status).toBe(401);
    // Another browser has another secret, so who saw the link cannot compute the codes.
    expect((await createClient(server.url).get(path)).text).not.toContain(
      /id="setup-key">([^<]+)</.exec(text)?.[1],
    );
  });

  it('uses a link once, also of two at once', async () => {
    const path = addLinkedOperator(server.database, 'once@example.org');
    const both = [createClient(server.url), createClient(server.url)];
    const outcomes = await Promise.allSettled(both.map((client) => enrollByForm(client, path)));
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const again = await createClient(server.url).get(path);
    expect([again.status, again.headers['x-error-code']]).toEqual([410, 'link_over']);
  });

  it.each([
    ['an unknown link', () => '/operator/link?token=none'],
    ['no link', () => '/operator/link'],
    ['a link that expired', () => addLinkedOperator(server.database, 'late@example.org', -1)],
  ])('gets nowhere with %s', async (_what, pathOf) => {
    const got = await createClient(server.url).get(pathOf());
    expect([got.status, got.headers['x-error-code']]).toEqual([410, 'link_over']);
    expect(got.text).not.toContain('@example.org');
  });
});

describe('signing in', () => {
  it('tells nobody what was wrong', async () => {
    const { eve } = known;
    const code = operatorCode(eve, 1);
    const attempts = [
      { email: eve.email, password: 'wrong', code },
      { email: eve.email, code: '000000' },
      { email: eve.email, code: 'abcd-efgh-jkmn' },
      { email: eve.email, code: '' },
      { email: 'nobody@example.org', code },
      { email: 'half@example.org', code },
      { email: '', code },
    ];
    const responses = new Set<string>();
    for (const attempt of attempts) {
      const { status, headers, text } = await signIn(attempt);
      const [, notice = ''] = /role="alert">(.*?)<\/div>/.exec(text) ?? [];
      responses.add(JSON.stringify([status, headers['x-error-code'], notice]));
    }
    expect([...responses]).toHaveLength(1);
    expect([...responses][0]).toContain('wrong_sign_in');
    expect((await signIn({ email: ` ${eve.email.toUpperCase()}`, code })).status).toBe(303);
  });

  it('takes a code once, also of two at once', async () => {
    const { dan } = known;
    const code = operatorCode(dan);
    const both = await Promise.all([1, 2].map(() => signIn({ email: dan.email, code })));
    expect(both.map(({ status }) => status).sort()).toEqual([303, 401]);
    expect((await signIn({ email: dan.email, code })).status).toBe(401);
  });

  it('gives the browser a new token, and leads to no other site', async () => {
    const { dan } = known;
    const client = createClient(server.url);
    await client.get(SIGN_IN);
    const before = client.cookie;
    const next = 'https://evil.example/operator';
    const got = await signIn({ email: dan.email, code: operatorCode(dan, 1), next }, client);
    expect(got.headers.location).toBe('/operator');
    expect(client.cookie).not.toBe(before);
    const [session = '', known_ = ''] = got.headers['set-cookie'] ?? [];
    expect(session).toContain('; Path=/; Max-Age=43200; HttpOnly; SameSite=Lax');
    expect(known_).toContain('HttpOnly; SameSite=Strict');
    expect((await createClient(server.url, before).get('/operator')).status).toBe(303);
    for (const path of ['//evil.example', '/dashboard', '/operatorx', '/operator/../dashboard']) {
      const asked = await client.get(`${SIGN_IN}?${new URLSearchParams({ next: path })}`);
      expect(String(asked.headers.location).startsWith('/operator')).toBe(true);
    }
  });

  it('is over for a stranger who guesses codes, but not for the browser that is known', async () => {
    const { gus } = known;
    const own = createClient(server.url);
    const first = await signIn({ email: gus.email, code: operatorCode(gus) }, own);
    expect(first.status).toBe(303);
    let guesses = 0;
    for (let status = 401; status === 401; guesses++) {
      status = (await signIn({ email: gus.email, code: '000000' })).status;
      expect([401, 429]).toContain(status);
    }
    expect(guesses).toBe(11);
    const right = operatorCode(gus, 1);
    expect((await signIn({ email: gus.email, code: right })).status).toBe(429);
    const known_ = createClient(server.url, '', own.browserCookie);
    expect((await signIn({ email: gus.email, code: right }, known_)).status).toBe(303);
  });
});

describe('the own account', () => {
  const account = (client: Client, path: string, fields: Record<string, string>) =>
    client.submit(`${ACCOUNT}/${path}`, fields, ACCOUNT);

  it('changes password, app, and codes, each in the trail', async () => {
    const { bob } = known;
    const client = operatorClient(server.url, bob);
    const other = operatorClient(server.url, bob);
    const passwords = { new_password: NEW_PASSWORD, new_password_again: NEW_PASSWORD };
    const wrong = await account(client, 'password', { password: 'wrong', ...passwords });
    expect([wrong.status, wrong.text]).toEqual([401, expect.stringContaining('is incorrect')]);
    const changed = await account(client, 'password', { password: PASSWORD, ...passwords });
    expect(changed.headers.location).toBe(`${ACCOUNT}?done=password`);
    expect((await other.get('/operator')).status).toBe(303);
    expect((await client.get('/operator')).status).toBe(200);

    const path = `${ACCOUNT}/second-factor`;
    const { text } = await client.get(path);
    const secret = secretOf(/id="setup-key">([A-Z2-7 ]+)</.exec(text)?.[1] ?? '');
    const replace = (fields: Record<string, string>) =>
      client.submit(path, {
        password: NEW_PASSWORD,
        code: operatorCode(bob, 1),
        ...fields,
      });
    const codes = [
      await replace({ new_code: '000000' }),
      await replace({ new_code: operatorCode({ secret }), code: '000000' }),
      await replace({ new_code: operatorCode({ secret }), password: PASSWORD }),
    ].map(({ headers }) => headers['x-error-code']);
    expect(codes).toEqual(['wrong_new_code', 'wrong_code', 'wrong_sign_in']);
    const replaced = await replace({ new_code: operatorCode({ secret }) });
    const shown = await client.get(String(replaced.headers.location));
    const [recovery = ''] = codesIn(shown.text);
    expect((await client.get(String(replaced.headers.location))).status).toBe(410);
    const stale = { email: bob.email, password: NEW_PASSWORD, code: operatorCode(bob, 1) };
    expect((await signIn(stale)).status).toBe(401);

    const renewed = await client.submit(`${ACCOUNT}/recovery-codes`, { code: recovery });
    expect(codesIn((await client.get(String(renewed.headers.location))).text)).toHaveLength(10);
    expect((await signIn({ ...stale, code: recovery })).status).toBe(401);
    const again = { ...stale, code: operatorCode({ secret }, 1) };
    const second = createClient(server.url);
    expect((await signIn(again, second)).status).toBe(303);
    const everywhere = await account(client, 'sign-out-everywhere', {});
    expect(everywhere.status).toBe(303);
    expect((await second.get('/operator')).status).toBe(303);
    const actions = inStore(server.database, (db) => runOnSqlite(db, listActions({ limit: 99 })))
      .filter(({ actor }) => actor === bob.email)
      .map(({ action }) => action)
      .reverse();
    expect(actions).toEqual([
      ...['operator enroll', 'operator password', 'operator second factor'],
      ...['operator recovery codes', 'sign in'],
    ]);
  });

  it('ends its own sessions, and nobody else’s', async () => {
    const { eve, dan } = known;
    const client = operatorClient(server.url, eve);
    const { text } = await operatorClient(server.url, dan).get(ACCOUNT);
    const foreign = /sessions\/([0-9a-f]{16})\/sign-out/.exec(text)?.[1] ?? '0'.repeat(16);
    const got = await account(client, `sessions/${foreign}/sign-out`, {});
    expect(got.status).toBe(404);
    const own = (await client.get(ACCOUNT)).text;
    const [, name = ''] = /sessions\/([0-9a-f]{16})\/sign-out/.exec(own) ?? [];
    expect((await account(client, `sessions/${name}/sign-out`, {})).status).toBe(303);
    expect((await client.get(ACCOUNT)).text).not.toContain(name);
  });

  it('shows no recovery codes of somebody else', async () => {
    const path = addLinkedOperator(server.database, 'codes@example.org');
    const client = createClient(server.url);
    const { shownAt } = await enrollByForm(client, path);
    const thief = operatorClient(server.url, known.eve);
    expect((await thief.get(shownAt)).status).toBe(410);
    expect(codesIn((await client.get(shownAt)).text)).toHaveLength(10);
    // A new link starts everything anew, and a removal ends it.
    const next = await enrollByForm(
      createClient(server.url),
      linkAgain(server.database, 'codes@example.org'),
      NEW_PASSWORD,
    );
    expect(next.shownAt).toContain('/recovery-codes/');
    expect((await client.get('/operator')).status).toBe(303);
    const left = linkAgain(server.database, 'codes@example.org');
    inStore(server.database, (db) =>
      changeOnSqlite(db, removeOperator({ email: 'codes@example.org' })),
    );
    expect((await createClient(server.url).get(left)).status).toBe(410);
  });
});
