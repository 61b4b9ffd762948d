/** What customers do, in a real browser, from the operator's link to the last sign-out. */
import { readFile } from 'node:fs/promises';
import { describe, expect, it, vi } from 'vitest';
import { auditLedger } from '../../src/accounts/sqlite/ledger/audit.ts';
import { useBrowser } from '../support/browser.ts';
import {
  addKey,
  addReturned,
  addSearches,
  addSomeone,
  inStore,
  PASSWORD,
} from '../support/history.ts';
import { withLimits } from '../support/limits.ts';
import { signIn, useServer } from '../support/pages.ts';
import { PATIENT } from '../support/patient.ts';
import { postSearch } from '../support/service.ts';
import { runJson } from '../support/verbatim.ts';

const ADA = 'ada@example.org';
const EVE = 'eve@example.org';
let returned = { failed: '', refunded: '' };

const server = useServer(
  async (database) => {
    const { customerId } = addSomeone(database, { email: ADA, credits: 500 });
    const { key } = addKey(database, customerId, 'History');
    addSearches(database, { customerId, keyId: key.id }, { days: 40, countOf: (ago) => ago % 5 });
    returned = addReturned(database, { customerId, keyId: key.id });
  },
  withLimits({ triesPerAccountAndAddressMax: 4 }),
);
const browser = useBrowser();

describe('a customer', () => {
  it('chooses a password with the operator’s link, which works once', async () => {
    const { link } = await runJson<{ link: { url: string } }>([
      ...['customer', 'add', EVE, '--credits', '3', '--db', server.database],
    ]);
    const { pathname, search } = new URL(link.url);
    const path = pathname + search;
    const { page } = await browser.visit(server.url);
    await page.goto(path);
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Choose a password');
    const choose = async (password: string, again = password): Promise<void> => {
      await page.getByLabel('New password', { exact: true }).fill(password);
      await page.getByLabel('Confirm new password').fill(again);
      await page.getByRole('button', { name: 'Save and sign in' }).click();
    };
    await choose('too short');
    await page.locator('.wrong', { hasText: '12 characters' }).waitFor();
    await choose(PASSWORD, `${PASSWORD}!`);
    await page.locator('.wrong', { hasText: 'do not match' }).waitFor();
    await choose(PASSWORD);
    await page.waitForURL('**/dashboard');
    expect(await page.locator('main').textContent()).toContain(EVE);

    const late = await browser.visit(server.url);
    const response = await late.page.goto(path);
    expect(response?.status()).toBe(410);
    expect(await late.page.locator('main').textContent()).toContain('This link does not work');
  });

  it('creates a key, sees its secret once, searches with it, and revokes it', async () => {
    const { page, context } = await browser.visit(server.url);
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await signIn(page, ADA);
    await page.getByRole('link', { name: 'Keys', exact: true }).click();
    await page.getByLabel('Name').fill('Lab <b>robot</b>');
    await page.getByLabel(/Monthly credit cap/).fill('2');
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.waitForURL('**/dashboard/keys/created/*');
    const secret = (await page.locator('#secret').textContent()) ?? '';
    expect(secret).toMatch(/^sk_live_\w{38}$/);
    expect(await page.locator('#curl').textContent()).toContain(`Bearer ${secret}`);
    await page.getByRole('button', { name: 'Copy the secret' }).click();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(secret);

    expect((await page.reload())?.status()).toBe(410);
    expect(await page.content()).not.toContain(secret);
    await page.goBack();
    expect(await page.content()).not.toContain(secret);

    expect((await postSearch(server.url, secret)).status).toBe(200);
    expect((await postSearch(server.url, secret)).status).toBe(200);
    const capped = await postSearch(server.url, secret);
    expect([capped.status, await capped.text()]).toEqual([
      ...[402, 'monthly credit cap of this key reached'],
    ]);

    await page.goto('/dashboard/keys');
    const row = page.getByRole('row', { name: /Lab <b>robot/ });
    await vi.waitFor(async () => {
      await page.reload();
      expect(await row.textContent()).toContain('2 of 2 credits');
    }, PATIENT);
    await row.getByRole('link', { name: /Revoke/ }).click();
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toContain(
      'Lab <b>robot</b>',
    );
    expect((await postSearch(server.url, secret)).status).toBe(402);
    await page.getByRole('button', { name: 'Revoke key' }).click();
    await page.waitForURL('**/dashboard/keys?done=revoked');
    expect((await postSearch(server.url, secret)).status).toBe(401);
    expect(await page.getByRole('status').textContent()).toContain('revoked');
    await page.getByText('Revoked and expired keys (1)').click();
    expect(
      await page.getByRole('table', { name: 'Revoked and expired keys' }).textContent(),
    ).toContain('robot');
  });

  it('sets, changes and removes the monthly cap of a key', async () => {
    const { page } = await browser.visit(server.url);
    await signIn(page, ADA);
    const setCap = async (link: string, cap: string): Promise<void> => {
      await page.goto('/dashboard/keys');
      await page.getByRole('link', { name: `${link} of History` }).click();
      await page.getByLabel(/Monthly credit cap/).fill(cap);
      await page.getByRole('button', { name: 'Save', exact: true }).click();
    };
    const row = page.getByRole('row', { name: /^History/ });
    await setCap('Set cap', '700');
    await page.waitForURL('**/dashboard/keys?done=cap');
    expect(await page.getByRole('status').textContent()).toBe('The cap was saved.');
    expect(await row.textContent()).toMatch(/\d of 700 credits/);
    await setCap('Change cap', 'many');
    await page.locator('.wrong', { hasText: 'whole number' }).waitFor();
    expect(await page.getByLabel(/Monthly credit cap/).inputValue()).toBe('many');
    await page.getByLabel(/Monthly credit cap/).fill('1');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.waitForURL('**done=cap');
    expect(await row.textContent()).toMatch(/\d of 1 credit/);
    await setCap('Change cap', '');
    await page.waitForURL('**done=cap');
    expect(await row.textContent()).not.toMatch(/\d of \d/);
  });

  it('sees what is wrong with a new key and keeps the input', async () => {
    const { page } = await browser.visit(server.url, { isWithoutScript: true });
    await signIn(page, ADA);
    await page.goto('/dashboard/keys');
    await page.getByLabel('Name').fill('Kept');
    await page.getByLabel(/Monthly credit cap/).fill('many');
    await page.getByRole('button', { name: 'Create key' }).click();
    expect(await page.getByLabel('Name').inputValue()).toBe('Kept');
    const cap = page.getByLabel(/Monthly credit cap/);
    expect(await cap.getAttribute('aria-invalid')).toBe('true');
    const wrong = (await cap.getAttribute('aria-describedby'))?.split(' ').at(-1);
    expect(await page.locator(`#${wrong}`).textContent()).toContain('whole number');
  });

  it('sees searches per day as a chart, in words and as a table', async () => {
    const { page } = await browser.visit(server.url);
    await signIn(page, ADA);
    await page.goto('/dashboard/usage');
    const picture = page.getByRole('group', { name: /Searches per day, last 30 days/ });
    expect(await picture.locator('.bar-fill').count()).toBeGreaterThan(20);
    await page.getByText('Show as a table').click();
    const table = page.getByRole('table', { name: /newest first/ });
    expect(await table.locator('tbody tr').count()).toBe(30);
    const counts = await table.locator('tbody td[data-label=Searches]').allTextContents();
    const inAll = counts.reduce((sum, text) => sum + Number(text), 0);
    expect(await page.locator('main').textContent()).toContain(`${inAll} searches in total`);
    await page.getByRole('link', { name: '90 days' }).click();
    await page.waitForURL('**/dashboard/usage?days=90');
    expect(await page.locator('.chart title').first().textContent()).toContain('90 days');
  });

  it('finds a refund in the accounting view, filters it, turns pages and downloads it', async () => {
    const { page } = await browser.visit(server.url);
    await signIn(page, ADA);
    await page.goto('/dashboard/activity/accounting');
    expect(await page.locator('tbody tr').count()).toBe(50);
    const newest = await page.locator('tbody tr').first().textContent();
    await page.getByRole('link', { name: 'Older' }).click();
    await page.waitForURL('**before=*');
    expect(await page.locator('tbody tr').first().textContent()).not.toBe(newest);
    await page.getByRole('link', { name: 'Newest' }).click();

    await page.getByLabel('Show').selectOption({ label: 'Returned credit' });
    await page.getByRole('button', { name: 'Filter' }).click();
    await page.waitForURL('**kind=returned*');
    const rows = await page.locator('tbody tr').allTextContents();
    expect(rows).toHaveLength(2);
    expect(rows.find((row) => row.includes('Refund'))).toContain(returned.refunded);
    expect(rows.find((row) => row.includes('released'))).toContain(returned.failed);

    const downloading = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Download CSV' }).click();
    const download = await downloading;
    expect(download.suggestedFilename()).toBe('verbatim-accounting.csv');
    const lines = (await readFile(await download.path(), 'utf8')).trimEnd().split('\r\n');
    expect(lines).toHaveLength(3);
    expect(lines[1]).toContain(returned.refunded);
  });

  it('tries a search with a key and is charged once', async () => {
    const { page } = await browser.visit(server.url);
    await signIn(page, ADA);
    const before = balanceOf(ADA);
    await page.goto('/dashboard/try');
    await page.getByLabel('Question').fill('does sleep help memory');
    await page.getByText('Options').click();
    await page.getByLabel('Results').selectOption('3');
    await page.getByRole('button', { name: 'Search' }).click();
    await page.waitForURL('**/dashboard/try/*');
    const quote = (await page.locator('blockquote').first().textContent()) ?? '';
    expect(quote).toMatch(/^\w.{20,}\.$/);
    expect(await page.locator('mark').first().textContent()).toBe(quote);
    expect(await page.getByLabel('Question').inputValue()).toBe('does sleep help memory');
    expect(JSON.parse((await page.locator('#request').textContent()) ?? '')).toEqual({
      query: 'does sleep help memory',
      limit: 3,
      fields: 'abstract',
      include: 'url,citation,venue,authors,identifiers,type',
    });
    const answer = JSON.parse((await page.locator('#response').textContent()) ?? '');
    expect(answer).toMatchObject({ n: 3, results: [{ q: quote }, {}, {}] });
    await page.reload();
    expect(await page.locator('blockquote').first().textContent()).toBe(quote);
    await vi.waitFor(() => {
      const audit = inStore(server.database, auditLedger);
      expect(audit).toMatchObject({ held: 0, differences: [] });
    }, PATIENT);
    expect(balanceOf(ADA)).toBe(before - 1);
  });

  it('sets the low-credit warning', async () => {
    const { page } = await browser.visit(server.url);
    await signIn(page, ADA);
    await page.goto('/dashboard/billing');
    await page.getByLabel(/Warn me below/).fill('100000');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.waitForURL('**done=saved');
    await page.goto('/dashboard');
    expect(await page.getByRole('status').textContent()).toContain('running low');
    await page.goto('/dashboard/billing');
    await page.getByLabel(/Warn me below/).fill('');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.goto('/dashboard');
    expect(await page.getByText('running low').count()).toBe(0);
  });

  it('changes the password, which ends all other sessions', async () => {
    const other = await browser.visit(server.url);
    await signIn(other.page, EVE);
    const { page } = await browser.visit(server.url);
    await signIn(page, EVE);
    const change = async (now: string, next: string): Promise<void> => {
      await page.goto('/dashboard/account/security');
      await page.getByLabel('Current password').fill(now);
      await page.getByLabel('New password', { exact: true }).fill(next);
      await page.getByLabel('Confirm new password').fill(next);
      await page.getByRole('button', { name: 'Change password' }).click();
    };
    await change('not my password', 'gravel window trumpet');
    await page.locator('.wrong', { hasText: 'Your current password is incorrect.' }).waitFor();
    await change(PASSWORD, 'gravel window trumpet');
    await page.waitForURL('**done=password');
    await other.page.goto('/dashboard');
    expect(new URL(other.page.url()).pathname).toBe('/dashboard/sign-in');
    await signIn(other.page, EVE, 'gravel window trumpet');
  });

  it('signs out here and everywhere', async () => {
    const [here, there] = [await browser.visit(server.url), await browser.visit(server.url)];
    await signIn(here.page, ADA);
    await signIn(there.page, ADA);
    await here.page.getByRole('button', { name: 'Sign out' }).click();
    await here.page.waitForURL('**done=signed-out');
    await here.page.goto('/dashboard/keys');
    expect(here.page.url()).toContain('/dashboard/sign-in?next=%2Fdashboard%2Fkeys');
    await here.page.getByLabel('E-mail address').fill(ADA);
    await here.page.getByLabel('Password').fill(PASSWORD);
    await here.page.getByRole('button', { name: 'Sign in' }).click();
    await here.page.waitForURL('**/dashboard/keys');
    await here.page.goto('/dashboard/account/security');
    await here.page.getByRole('button', { name: 'Sign out everywhere' }).click();
    await here.page.waitForURL('**done=signed-out-everywhere');
    await there.page.goto('/dashboard');
    expect(new URL(there.page.url()).pathname).toBe('/dashboard/sign-in');
  });
});

describe('a visitor', () => {
  it('reads the documentation and how to reset the password', async () => {
    const { page } = await browser.visit(server.url);
    await page.goto('/docs');
    expect(await page.locator('#quick-curl').textContent()).toContain(`/v1/search`);
    await page.goto('/dashboard/sign-in');
    await page.getByRole('link', { name: /Forgot/ }).click();
    expect(await page.locator('main').textContent()).toContain('Ask the operator');
  });

  it('sees that a password is wrong, and when there were too many tries', async () => {
    const { page } = await browser.visit(server.url);
    for (let attempts = 0; attempts <= 4; attempts++) {
      await page.goto('/dashboard/sign-in');
      await page.getByLabel('E-mail address').fill('nobody@example.org');
      await page.getByLabel('Password').fill('wrong');
      await page.getByRole('button', { name: 'Sign in' }).click();
      const expected = attempts < 4 ? 'Address or password is wrong.' : 'Too many tries';
      expect(await page.getByRole('alert').textContent()).toContain(expected);
    }
  });

  it('gets a 404 page for an unknown path', async () => {
    const { page } = await browser.visit(server.url);
    expect((await page.goto('/dashboard/nothing'))?.status()).toBe(404);
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Not found');
  });

  it('finds the way from the front page to the sign-in page', async () => {
    const { page } = await browser.visit(server.url);
    await page.goto('/');
    await page.getByRole('main').getByRole('link', { name: 'Sign in' }).click();
    await page.waitForURL('**/dashboard/sign-in');
  });
});

function balanceOf(email: string): number {
  return inStore(server.database, (db) =>
    Number(db.prepare('SELECT balance FROM customers WHERE email = ?').pluck().get(email)),
  );
}
