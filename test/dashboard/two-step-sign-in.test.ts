/** Two-step sign-in in a browser, without JavaScript, and against strangers who send forms. */
import { describe, expect, it } from 'vitest';
import { createLink } from '../../src/accounts/sql/sign-in-links.ts';
import { changeOnSqlite } from '../../src/database/sqlite/run-on-sqlite.ts';
import { codeOf, confirmSetUp, secretOf } from '../support/authenticator.ts';
import { useBrowser } from '../support/browser.ts';
import { addSomeone, inStore, PASSWORD } from '../support/history.ts';
import {
  type Client,
  createClient,
  formTokenIn,
  givePassword,
  signedInClient,
  signIn,
  useServer,
} from '../support/pages.ts';
import { runVerbatim } from '../support/verbatim.ts';

const [ADA, BOB, EVE, DAN] = ['ada', 'bob', 'eve', 'dan'].map((name) => `${name}@example.org`) as [
  ...[string, string, string, string],
];
const PATH = '/dashboard/account/second-factor';
const SECURITY = '/dashboard/account/security';

let bob = 0;
const server = useServer(async (database) => {
  for (const email of [ADA, EVE, DAN]) addSomeone(database, { email });
  bob = addSomeone(database, { email: BOB }).memberId;
});
const browser = useBrowser();

/** Turns it on by forms alone, and returns what the app and the paper have. */
async function enroll(client: Client): Promise<{ secret: Buffer; codes: string[] }> {
  const started = await client.submit(`${PATH}/set-up`, {}, SECURITY);
  const path = String(started.headers.location);
  const { text } = await client.get(path);
  const secret = secretOf(/id="setup-key">([A-Z2-7 ]+)</.exec(text)?.[1] ?? '');
  const fields = { code: codeOf(secret), password: PASSWORD };
  const confirmed = await client.submit(path, fields);
  expect(confirmed.status, confirmed.text).toBe(303);
  const shown = (await client.get(String(confirmed.headers.location))).text;
  return { secret, codes: codesIn(shown) };
}

/** The recovery codes of a page; none on another one. */
function codesIn(html: string): string[] {
  return /id="recovery-codes">([^<]+)</.exec(html)?.[1]?.split('\n') ?? [];
}

/** The first step, in another browser. */
async function firstStep(email: string): Promise<{ client: Client; pending: string }> {
  const client = createClient(server.url);
  const got = await client.submit('/dashboard/sign-in', { email, password: PASSWORD });
  expect(got.status, got.text).toBe(303);
  const { text } = await client.get(String(got.headers.location));
  return { client, pending: /name="pending" value="([^"]+)"/.exec(text)?.[1] ?? '' };
}

function secondStep(client: Client, pending: string, code: string) {
  return client.submit(
    '/dashboard/sign-in/code',
    { pending, code, next: '' },
    '/dashboard/sign-in',
  );
}

describe('a customer', () => {
  it('turns it on, signs in with a code and a recovery code, and turns it off', async () => {
    const { page } = await browser.visit(server.url);
    await signIn(page, ADA);
    await page.goto(SECURITY);
    await page.getByRole('button', { name: 'Set up' }).click();
    await page.waitForURL('**/set-up/*');
    const key = await page.locator('#setup-key').textContent();
    await page.reload();
    expect(await page.locator('#setup-key').textContent()).toBe(key);
    expect(await page.getByRole('img', { name: /QR code/ }).count()).toBe(1);
    const { secret, codes } = await confirmSetUp(page);
    await page.getByRole('link', { name: 'I have saved the codes' }).click();
    expect(await page.locator('main').textContent()).toContain('10 recovery codes are left.');

    await page.context().clearCookies();
    await page.goto('/dashboard/keys');
    for (const code of [codeOf(secret, 1), codes[0] ?? '']) {
      await page.context().clearCookies();
      await givePassword(page, ADA);
      // The page survives a reload, and Back from another page.
      await page.waitForURL('**/sign-in/code?next=*');
      await page.reload();
      await page.goto('/docs');
      await page.goBack();
      await page.getByLabel('Code').fill('000 00x');
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.locator('.wrong', { hasText: 'This code is wrong' }).waitFor();
      await page.getByLabel('Code').fill(code);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.waitForURL('**/dashboard');
    }

    await page.goto(SECURITY);
    expect(await page.locator('main').textContent()).toContain('9 recovery codes are left.');
    await page.getByRole('link', { name: 'New recovery codes' }).click();
    await page.getByLabel('Code').fill(codes[1] ?? '');
    await page.getByRole('button', { name: 'Create new codes' }).click();
    await page.waitForURL('**/recovery-codes/*');
    const renewed = ((await page.locator('#recovery-codes').textContent()) ?? '').split('\n');
    await page.goto(`${PATH}/turn-off`);
    await page.getByLabel('Password').fill('wrong');
    await page.getByLabel('Code').fill(renewed[0] ?? '');
    await page.getByRole('button', { name: 'Turn off' }).click();
    await page.locator('.wrong', { hasText: 'Your password is incorrect.' }).waitFor();
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByLabel('Code').fill(codes[2] ?? '');
    await page.getByRole('button', { name: 'Turn off' }).click();
    await page.locator('.wrong', { hasText: 'This code is wrong' }).waitFor();
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByLabel('Code').fill(renewed[0] ?? '');
    await page.getByRole('button', { name: 'Turn off' }).click();
    await page.waitForURL('**done=second-factor-off');
    await page.context().clearCookies();
    await signIn(page, ADA);
  });

  it('goes to the page that they came for', async () => {
    const client = await signedInClient(server.url, DAN);
    const { codes } = await enroll(client);
    const { page } = await browser.visit(server.url, { isWithoutScript: true });
    await page.goto('/dashboard/usage?days=7');
    await page.getByLabel('E-mail address').fill(DAN);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByLabel('Code').fill(codes[0] ?? '');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL('**/dashboard/usage?days=7');
  });

  it('who lost everything gets in after the operator removed it', async () => {
    const { client: other } = await firstStep(DAN);
    expect((await other.get('/dashboard')).status).toBe(303);
    const args = ['customer', 'remove-second-factor', DAN.toUpperCase(), '--db', server.database];
    const removed = await runVerbatim(args);
    expect(removed.stdout).toBe(
      `two-step sign-in of ${DAN} is off; the password alone is enough\n`,
    );
    expect(removed.stderr).toContain('second_factor_removed');
    await runVerbatim(args, { code: 2 });
    await signedInClient(server.url, DAN);
  });
});

describe('somebody with the password', () => {
  it('gets nowhere without a code', async () => {
    const own = await signedInClient(server.url, BOB);
    const { codes } = await enroll(own);
    const { client, pending } = await firstStep(BOB);
    for (const path of ['/dashboard', SECURITY, '/dashboard/keys', '/oauth/authorize']) {
      expect((await client.get(path)).status, path).not.toBe(200);
    }
    const wrong = await secondStep(client, pending, '000000x');
    expect([wrong.status, wrong.headers['x-error-code']]).toEqual([401, 'wrong_code']);
    const empty = await secondStep(client, pending, '');
    expect(empty.headers['x-error-code']).toBe('second_factor_needed');
    // In another browser, what the first step gave is worth nothing.
    const elsewhere = createClient(server.url);
    const taken = await secondStep(elsewhere, pending, codes[0] ?? '');
    expect([taken.status, taken.headers['x-error-code']]).toEqual([410, 'sign_in_over']);
    expect((await secondStep(client, pending, codes[0] ?? '')).status).toBe(303);
    expect((await client.get('/dashboard')).status).toBe(200);
  });

  it('and a link needs a code, too', async () => {
    const { token } = inStore(server.database, (db) =>
      changeOnSqlite(db, createLink({ memberId: bob, expiresAt: Date.now() + 60_000 })),
    );
    const client = createClient(server.url);
    const path = `/dashboard/link?token=${token}`;
    const next = 'gravel window trumpet';
    const fields = { token, new_password: next, new_password_again: next };
    const page = (await client.get(path)).text;
    expect(page).toContain('name="code"');
    for (const code of [{}, { code: '000000x' }]) {
      const got = await client.submit('/dashboard/link', { ...fields, ...code }, path);
      expect(got.status, got.text).toBe(401);
    }
    expect((await client.get('/dashboard')).status).toBe(303);
  });
});

describe('a stranger', () => {
  it('cannot fetch the setup or the recovery codes of somebody else', async () => {
    const [own, eve] = [
      await signedInClient(server.url, ADA),
      await signedInClient(server.url, EVE),
    ];
    const started = await own.submit(`${PATH}/set-up`, {}, SECURITY);
    const path = String(started.headers.location);
    const stolen = await eve.get(path);
    expect([stolen.status, stolen.text.includes('setup-key')]).toEqual([410, false]);
    const token = formTokenIn((await eve.get(SECURITY)).text);
    const sent = await eve.post(path, { form_token: token, code: '1', password: PASSWORD });
    expect(sent.status).toBe(410);
    const { text } = await own.get(path);
    const secret = secretOf(/id="setup-key">([A-Z2-7 ]+)</.exec(text)?.[1] ?? '');
    const confirmed = await own.submit(path, { code: codeOf(secret), password: PASSWORD });
    const codesPath = String(confirmed.headers.location);
    expect(codesIn((await eve.get(codesPath)).text)).toEqual([]);
    expect(codesIn((await own.get(codesPath)).text)).toHaveLength(10);
    expect((await own.get(codesPath)).status).toBe(410);
  });
});
