/** Sessions: how they begin and end, and what a cookie that was kept is worth. */
import { describe, expect, it } from 'vitest';
import { createLink } from '../../src/accounts/sql/sign-in-links.ts';
import { changeOnSqlite } from '../../src/database/sqlite/run-on-sqlite.ts';
import { addSomeone, inStore, PASSWORD } from '../support/history.ts';
import { createClient, formTokenIn, signedInClient, useServer } from '../support/pages.ts';
import { runVerbatim } from '../support/verbatim.ts';

const ADA = 'ada@example.org';
const BOB = 'bob@example.org';
const EVE = 'eve@example.org';
const NEXT_PASSWORD = 'gravel window trumpet';

let bob: number;
const server = useServer(async (database) => {
  for (const email of [ADA, EVE]) addSomeone(database, { email });
  bob = addSomeone(database, { email: BOB }).memberId;
});

/** Whether a cookie lets somebody in. */
async function isIn(cookie: string): Promise<boolean> {
  return (await createClient(server.url, cookie).get('/dashboard')).status === 200;
}

describe('a session', () => {
  it('gets a new token with every sign-in, whatever the cookie', async () => {
    const visitor = createClient(server.url);
    await visitor.get('/dashboard/sign-in');
    const planted = visitor.cookie;
    expect(planted).toMatch(/^verbatim=[\w-]{43}$/);
    await visitor.submit('/dashboard/sign-in', { email: ADA, password: PASSWORD });
    expect(visitor.cookie).not.toBe(planted);
    expect((await visitor.get('/dashboard')).status).toBe(200);
    expect((await createClient(server.url, planted).get('/dashboard')).status).toBe(303);
  });

  it('ends when anyone signs in over it, by password or link', async () => {
    const elsewhere = (await signedInClient(server.url, ADA)).cookie;
    const browser = await signedInClient(server.url, ADA);
    for (const email of [ADA, EVE, ADA]) {
      const before = browser.cookie;
      const token = formTokenIn((await browser.get('/dashboard/account')).text);
      await browser.post('/dashboard/sign-in', { form_token: token, email, password: PASSWORD });
      expect(browser.cookie).not.toBe(before);
      expect([await isIn(before), await isIn(browser.cookie)]).toEqual([false, true]);
    }
    const before = browser.cookie;
    const { token } = inStore(server.database, (db) =>
      changeOnSqlite(db, createLink({ memberId: bob, expiresAt: Date.now() + 60_000 })),
    );
    const fields = { token, new_password: NEXT_PASSWORD, new_password_again: NEXT_PASSWORD };
    await browser.submit('/dashboard/link', fields, `/dashboard/link?token=${token}`);
    expect([await isIn(before), await isIn(browser.cookie)]).toEqual([false, true]);
    expect(await isIn(elsewhere)).toBe(true);
  });

  it('continues if signing in again fails', async () => {
    const browser = await signedInClient(server.url, ADA);
    const token = formTokenIn((await browser.get('/dashboard/account')).text);
    const fields = { form_token: token, email: EVE, password: 'wrong' };
    expect((await browser.post('/dashboard/sign-in', fields)).status).toBe(401);
    expect(await isIn(browser.cookie)).toBe(true);
  });

  it('ends for every cookie after signing out everywhere or changing the password', async () => {
    for (const [path, fields] of [
      ['/dashboard/account/sign-out-everywhere', {}],
      [
        '/dashboard/account/password',
        { password: PASSWORD, new_password: NEXT_PASSWORD, new_password_again: NEXT_PASSWORD },
      ],
    ] as const) {
      const kept = (await signedInClient(server.url, EVE)).cookie;
      const here = await signedInClient(server.url, EVE);
      const before = here.cookie;
      expect((await here.submit(path, fields, '/dashboard/account')).status).toBe(303);
      expect([await isIn(kept), await isIn(before)]).toEqual([false, false]);
    }
  });

  it('ends for pages and forms when its customer is disabled, and stays ended', async () => {
    const own = await signedInClient(server.url, ADA);
    const token = formTokenIn((await own.get('/dashboard/account')).text);
    await runVerbatim(['customer', 'disable', ADA, '--db', server.database]);
    expect((await own.get('/dashboard')).headers.location).toMatch(/^\/dashboard\/sign-in/);
    const fields = { form_token: token, name: 'Late', cap: '' };
    const sent = await own.post('/dashboard/keys', fields);
    expect(sent.headers.location).toBe('/dashboard/sign-in?next=%2Fdashboard%2Fkeys');
    const again = { email: ADA, password: PASSWORD };
    expect((await createClient(server.url).submit('/dashboard/sign-in', again)).status).toBe(403);
    await runVerbatim(['customer', 'enable', ADA, '--db', server.database]);
    expect(await isIn(own.cookie)).toBe(false);
    await signedInClient(server.url, ADA);
  });

  it('ends after signing out, even for a copy of its cookie', async () => {
    const own = await signedInClient(server.url, ADA);
    const kept = own.cookie;
    await own.submit('/dashboard/sign-out', {}, '/dashboard');
    expect((await createClient(server.url, kept).get('/dashboard')).status).toBe(303);
  });

  it('has a cookie that scripts and other sites cannot read', async () => {
    const client = createClient(server.url);
    const { headers } = await client.submit('/dashboard/sign-in', {
      email: ADA,
      password: PASSWORD,
    });
    expect(headers['set-cookie']).toEqual([
      expect.stringMatching(/^verbatim=.*; HttpOnly; SameSite=Lax$/),
      expect.stringMatching(/^verbatim-browser=.*; HttpOnly; SameSite=Strict$/),
    ]);
  });
});
