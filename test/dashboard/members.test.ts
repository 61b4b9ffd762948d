/** Members with roles: who may open what, invitations, removal, and sessions of each. */
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { inviteMember, listMembers, type Role } from '../../src/accounts/sql/member-rows.ts';
import { setPasswordByLink } from '../../src/accounts/sql/passwords.ts';
import { pages } from '../../src/dashboard/routes.ts';
import { changeOnSqlite, runOnSqlite } from '../../src/database/sqlite/run-on-sqlite.ts';
import { useBrowser } from '../support/browser.ts';
import { addKey, addSomeone, inStore, PASSWORD, PASSWORD_HASH } from '../support/history.ts';
import {
  type Client,
  createClient,
  formTokenIn,
  signedInClient,
  signIn,
  useServer,
} from '../support/pages.ts';

const ADA = 'ada@example.org';
const EVE = 'eve@example.org';
const DEV = 'dev@example.org';
const BILL = 'bill@example.org';
const MEMBERS = '/dashboard/account/members';

const ada = { customerId: 0, memberId: 0, prefix: '' };
const server = useServer(async (database) => {
  const { customerId, memberId } = addSomeone(database, { email: ADA, credits: 50 });
  Object.assign(ada, { customerId, memberId });
  ada.prefix = addKey(database, customerId, 'Agent').key.prefix;
  addSomeone(database, { email: EVE });
  for (const [email, role] of [
    [DEV, 'developer'],
    [BILL, 'billing'],
  ] as const) {
    addMember(database, email, role);
  }
});
const browser = useBrowser();

function addMember(database: string, email: string, role: Role): number {
  const now = Date.now();
  const limits = { lifetimeMs: 60_000, idleMs: 60_000, perMemberMax: 5 };
  return inStore(database, (db) => {
    const input = { customerId: ada.customerId, email, role, now };
    const { member, link } = changeOnSqlite(
      db,
      inviteMember({
        ...input,
        membersMax: 20,
        linkExpiresAt: now + 60_000,
      }),
    );
    changeOnSqlite(
      db,
      setPasswordByLink({ token: link.token, passwordHash: PASSWORD_HASH, limits, now }),
    );
    return member.id;
  });
}

/** A page of Ada's account, with what its parameters stand for. */
function addressOf(path: string): string {
  return path
    .replace(':prefix', ada.prefix)
    .replace(':id', String(ada.memberId))
    .replace(':name', 'x')
    .replace(':order', 'x')
    .replace(':month', '2026-01');
}

describe('the pages of a role', () => {
  const customerPages = pages.filter(({ access }) => access === 'customer');
  const ownersOnly = customerPages
    .map(({ path }) => path)
    .filter((path) => /^\/dashboard\/account\/(members|data|delete|export)(\/|\.|$)/.test(path));
  const developersOnly = customerPages
    .map(({ path }) => path)
    .filter((path) => /^\/dashboard\/(keys|try)(\/|$)|^\/oauth\/authorize$|\/lanes$/.test(path));
  const payersOnly = customerPages
    .map(({ path }) => path)
    .filter((path) => /^\/dashboard\/billing/.test(path));
  const forbidden: Readonly<Record<Role, readonly string[]>> = {
    owner: [],
    developer: [...payersOnly, ...ownersOnly],
    billing: [...developersOnly, ...ownersOnly],
  };

  it.each([
    ['owner', ADA],
    ['developer', DEV],
    ['billing', BILL],
  ] as const)('are all that %s may open, and no other', async (role, email) => {
    const client = await signedInClient(server.url, email);
    const refused: string[] = [];
    for (const { path, get } of customerPages) {
      if (get === undefined) continue;
      if ((await client.get(addressOf(path))).headers['x-error-code'] === 'role_forbidden') {
        refused.push(path);
      }
    }
    const readable = new Set(
      customerPages.filter(({ get }) => get !== undefined).map(({ path }) => path),
    );
    expect(refused).toEqual(
      customerPages
        .map(({ path }) => path)
        .filter((path) => forbidden[role].includes(path) && readable.has(path)),
    );
    // Forms of other roles are refused before anything is read from them.
    const token = formTokenIn((await client.get('/dashboard/account/security')).text);
    for (const { path } of customerPages.filter(({ post }) => post !== undefined)) {
      if (!forbidden[role].includes(path)) continue;
      const sent = await client.post(addressOf(path), { form_token: token });
      expect([sent.status, sent.headers['x-error-code']], path).toEqual([403, 'role_forbidden']);
    }
  });

  it.each([
    [DEV, ['Overview', 'Try it', 'Requests', 'Usage', 'Keys', 'Docs', 'Account']],
    [BILL, ['Overview', 'Requests', 'Usage', 'Docs', 'Billing', 'Account']],
  ])('are the ones that the pages of %s link to', async (email, links) => {
    const { page } = await browser.visit(server.url);
    await signIn(page, email);
    expect(
      await page.getByRole('navigation', { name: 'Main' }).getByRole('link').allTextContents(),
    ).toEqual(links);
    const seen = new Set<string>();
    for (const path of ['', '/usage', '/requests', '/accounting', '/account']) {
      await page.goto(`/dashboard${path}`);
      const hrefs = await page.locator('a[href^="/dashboard"], a[href^="/oauth"]').all();
      for (const href of hrefs) seen.add((await href.getAttribute('href')) ?? '');
    }
    const client = await signedInClient(server.url, email);
    for (const href of seen) {
      expect((await client.get(href)).headers['x-error-code'], href).not.toBe('role_forbidden');
    }
  });
});

describe('an owner', () => {
  it('invites a developer by a link, who chooses a password and works', async () => {
    const { page } = await browser.visit(server.url);
    await signIn(page, ADA);
    await page.goto(MEMBERS);
    await page.getByLabel('E-mail address').fill(EVE);
    await page.getByRole('button', { name: 'Invite' }).click();
    await page.locator('.wrong', { hasText: 'has an account' }).waitFor();
    await page.getByLabel('E-mail address').fill('New@Example.org');
    await page.getByLabel(/^Billing/).check();
    await page.getByRole('button', { name: 'Invite' }).click();
    await page.waitForURL('**/invited/*');
    const url = (await page.locator('#invitation').textContent()) ?? '';
    await page.reload();
    expect(await page.locator('#invitation').count()).toBe(0);

    const guest = await browser.visit(server.url, { isWithoutScript: true });
    expect(url).toContain(`:${new URL(server.url).port}/dashboard/link?token=`);
    await guest.page.goto(url.replace('127.0.0.1', 'localhost'));
    expect(await guest.page.locator('main').textContent()).toContain('For new@example.org');
    await guest.page.getByLabel('New password', { exact: true }).fill('gravel window trumpet');
    await guest.page.getByLabel('Confirm new password').fill('gravel window trumpet');
    await guest.page.getByRole('button', { name: 'Save and sign in' }).click();
    await guest.page.waitForURL('**/dashboard');
    expect(await guest.page.locator('main').textContent()).toContain('new@example.org');
    expect((await guest.page.goto('/dashboard/keys'))?.status()).toBe(403);

    await page.goto(MEMBERS);
    await page.getByRole('link', { name: 'Change new@example.org' }).click();
    await page.getByLabel(/^Developer/).check();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.waitForURL('**done=role');
    expect((await guest.page.goto('/dashboard/keys'))?.status()).toBe(200);

    await page.getByRole('link', { name: 'Change new@example.org' }).click();
    await page.getByRole('button', { name: 'Remove member' }).click();
    await page.waitForURL('**done=removed');
    await guest.page.goto('/dashboard/keys');
    expect(new URL(guest.page.url()).pathname).toBe('/dashboard/sign-in');
  });

  it('sees what is wrong with an invitation', async () => {
    const own = await signedInClient(server.url, ADA);
    for (const fields of [
      { email: 'not an address', role: 'billing' },
      { email: 'x@example.org', role: 'king' },
      { email: 'x@example.org\nBcc: y@example.org', role: 'billing' },
    ]) {
      expect((await own.submit(MEMBERS, fields)).status).toBe(400);
    }
  });

  it('cannot leave or be demoted as the last one', async () => {
    const own = await signedInClient(server.url, ADA);
    for (const [path, fields] of [
      ['/dashboard/account/leave', {}],
      [`${MEMBERS}/${ada.memberId}/role`, { role: 'billing' }],
      [`${MEMBERS}/${ada.memberId}/remove`, {}],
    ] as const) {
      const sent = await own.submit(path, fields, MEMBERS);
      expect([sent.status, sent.headers['x-error-code']], path).toEqual([409, 'last_owner']);
    }
    const wrong = await own.submit(`${MEMBERS}/${ada.memberId}/role`, { role: 'king' }, MEMBERS);
    expect(wrong.status).toBe(400);
  });

  it('of another account finds no member', async () => {
    const eve = await signedInClient(server.url, EVE);
    for (const path of [`${MEMBERS}/${ada.memberId}`, `${MEMBERS}/999999`, `${MEMBERS}/x`]) {
      expect((await eve.get(path)).status).toBe(404);
      for (const form of ['role', 'remove', 'invite']) {
        expect((await eve.submit(`${path}/${form}`, { role: 'owner' }, MEMBERS)).status).toBe(404);
      }
    }
    const members = inStore(server.database, (db) => runOnSqlite(db, listMembers(ada.customerId)));
    expect(members.map(({ role }) => role)).toEqual(['owner', 'developer', 'billing']);
  });

  it('is told a few times only whether an address has an account', async () => {
    const eve = await signedInClient(server.url, EVE);
    const codes = new Set<unknown>();
    for (let guess = 0; guess < 7; guess++) {
      const sent = await eve.submit(MEMBERS, { email: ADA, role: 'billing' });
      codes.add(sent.headers['x-error-code']);
    }
    expect([...codes]).toEqual(['address_taken', 'too_many_tries']);
  });
});

describe('a member', () => {
  it('leaves, and the keys stay', async () => {
    addMember(server.database, 'leaver@example.org', 'developer');
    const { page } = await browser.visit(server.url);
    await signIn(page, 'leaver@example.org');
    await page.goto('/dashboard/account');
    await page.getByRole('link', { name: 'Leave this account' }).click();
    await page.getByRole('button', { name: 'Leave' }).click();
    await page.waitForURL('**done=left');
    await signedInClient(server.url, ADA);
    const again = { email: 'leaver@example.org', password: PASSWORD };
    expect((await createClient(server.url).submit('/dashboard/sign-in', again)).status).toBe(401);
    const keys = await (await signedInClient(server.url, ADA)).get('/dashboard/keys');
    expect(keys.text).toContain(ada.prefix);
  });
});

describe('sessions', () => {
  let here: Client;
  beforeAll(async () => {
    here = await signedInClient(server.url, DEV);
  });
  afterEach(async () => {
    expect((await here.get('/dashboard')).status).toBe(200);
  });

  it('are listed, and another one is signed out', async () => {
    const { page } = await browser.visit(server.url);
    await signIn(page, DEV);
    await page.goto('/dashboard/account/security');
    const rows = page.getByRole('table').getByRole('row');
    expect(await rows.filter({ hasText: 'This browser' }).textContent()).toContain('Chrome on');
    const other = await signedInClient(server.url, DEV);
    await page.reload();
    const before = await rows.count();
    const [name] = /sessions\/[0-9a-f]{16}\/sign-out/.exec(await page.content()) ?? [''];
    expect(name).not.toBe('');
    await rows
      .filter({ hasText: 'Unknown browser' })
      .first()
      .getByRole('button', { name: /^Sign out/ })
      .click();
    await page.waitForURL('**done=session');
    expect(await rows.count()).toBe(before - 1);
    const left = [(await other.get('/dashboard')).status, (await here.get('/dashboard')).status];
    expect(left.sort()).toEqual([200, 303]);
    here = await signedInClient(server.url, DEV);
  });

  it('of others are not found', async () => {
    const { text } = await here.get('/dashboard/account/security');
    expect(text).not.toContain(here.cookie.split('=')[1] ?? '');
    const names = text.match(/sessions\/[0-9a-f]{16}/g) ?? [];
    const bill = await signedInClient(server.url, BILL);
    const from = '/dashboard/account/security';
    for (const name of [...names, 'sessions/x']) {
      const sent = await bill.submit(`/dashboard/account/${name}/sign-out`, {}, from);
      expect(sent.status).toBe(404);
    }
  });
});
