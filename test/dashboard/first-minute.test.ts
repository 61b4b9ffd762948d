/** From registration to the first answer: on four pages, with the keyboard alone. */
import { execFileSync } from 'node:child_process';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { expectAccessible } from '../support/axe.ts';
import { useBrowser } from '../support/browser.ts';
import { inStore, PASSWORD } from '../support/history.ts';
import { tabTo } from '../support/keyboard.ts';
import { type MailServer, startMailServer } from '../support/mail-server.ts';
import { createClient, useServer } from '../support/pages.ts';
import { PATIENT } from '../support/patient.ts';
import { runJson } from '../support/verbatim.ts';

let mails: MailServer;
beforeAll(async () => {
  mails = await startMailServer();
});
afterAll(() => mails.close());
const settings = () => ({
  VERBATIM_SELF_REGISTRATION: '1',
  VERBATIM_SMTP_URL: mails.url,
  VERBATIM_MAIL_FROM: 'verbatim@example.org',
});
const generous = useServer(
  () => {},
  () => ({ ...settings(), VERBATIM_WELCOME_CREDITS: '20' }),
);
const strict = useServer(() => {}, settings);
const browser = useBrowser();

/** The path of the link that is mailed to an address. */
async function linkTo(email: string): Promise<string> {
  const find = () =>
    mails.received
      .map((mail) => mail.replaceAll('=\r\n', '').replaceAll('=3D', '='))
      .filter((mail) => mail.includes(`To: ${email}\r`))
      .flatMap((mail) => /\/dashboard\/link\?token=[\w-]{43}/.exec(mail) ?? [])
      .at(-1);
  return await vi.waitUntil(find, PATIENT);
}

/** Registers with the keyboard, up to the page with the key. */
async function register(page: Page, email: string): Promise<void> {
  await page.goto('/dashboard/register');
  await tabTo(page, 'E-mail address');
  await page.keyboard.type(email);
  await page.keyboard.press('Enter');
  await page.waitForURL('**done=asked');
  await page.goto(await linkTo(email));
  await tabTo(page, 'New password');
  await page.keyboard.type(PASSWORD);
  await tabTo(page, 'Confirm new password');
  await page.keyboard.type(PASSWORD);
  await page.keyboard.press('Enter');
  await page.waitForURL('**/keys/created/*');
}

/** Which of the first steps are done. */
const stepsDone = async (page: Page): Promise<string[]> =>
  await page.getByRole('region', { name: 'Get started' }).locator('.done strong').allTextContents();

describe('a new customer', () => {
  it.each([
    { isWithoutScript: false, email: 'eve@example.org' },
    { isWithoutScript: true, email: 'zoe@example.org' },
  ])('gets an answer on four pages, and another one in a shell: %o', async ({ email, ...look }) => {
    const { page } = await browser.visit(generous.url, look);
    const pages = new Set<string>();
    page.on('response', (response) => {
      const isPage = response.request().isNavigationRequest() && response.status() === 200;
      if (isPage) pages.add(new URL(response.url()).pathname);
    });
    await register(page, email);
    expect(await stepsDone(page)).toEqual(['Get credit', 'Create a key']);
    expect(await page.locator('main').textContent()).toContain('You have 20 credits.');
    const secret = String(await page.locator('#secret').textContent());
    const command = String(await page.locator('#curl').textContent());
    expect(command).toContain(secret);
    expect(command).toContain(`:${new URL(generous.url).port}/v1/search`);
    await tabTo(page, 'Ask (1 credit)');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/dashboard/try/*');
    expect(await page.locator('mark').first().textContent()).toContain('Sleep after learning');
    expect([...pages].map((path) => path.replace(/[^/]{20,}$/, 'NAME'))).toEqual([
      ...['/dashboard/register', '/dashboard/link'],
      ...['/dashboard/keys/created/NAME', '/dashboard/try/NAME'],
    ]);
    const answer = JSON.parse(execFileSync('sh', ['-c', command], { encoding: 'utf8' }));
    expect(answer.n).toBe(3);
    await page.goto('/dashboard');
    expect(await stepsDone(page)).toEqual([]);
    expect(await page.locator('main').textContent()).toContain('Searches per day');
  });

  it('gets a first page that passes the checks of axe and fits', async () => {
    const { page } = await browser.visit(generous.url);
    await register(page, 'ann@example.org');
    await expectAccessible(page, 'a first key');
  });

  it('without welcome credits reads that the key needs credit, there and on Keys', async () => {
    const { page } = await browser.visit(strict.url);
    await register(page, 'mia@example.org');
    expect(await stepsDone(page)).toEqual(['Create a key']);
    expect(await page.getByRole('main').textContent()).toContain('searches return 402');
    expect(await page.getByRole('button', { name: /^Ask/ }).count()).toBe(0);
    await tabTo(page, 'I have saved the secret');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/dashboard/keys');
    expect(await page.getByRole('main').textContent()).toContain('You have no credit.');
  });
});

describe('the welcome credits', () => {
  it('are in the ledger, which adds up, and come with the first link only', async () => {
    const credits = inStore(generous.database, (db) =>
      db.prepare("SELECT credits, note FROM ledger_entries WHERE kind = 'topup'").all(),
    );
    expect(credits).toEqual(Array(3).fill({ credits: 20, note: 'Welcome credit' }));
    const audit = await runJson(['credit', 'audit', '--db', generous.database]);
    expect(audit).toMatchObject({ differences: [] });
  });

  it('are not for whoever only asks for another password', async () => {
    const visitor = createClient(generous.url);
    const email = 'nobody@example.org';
    const asked = await visitor.submit('/dashboard/reset-password', { email });
    expect([asked.status, asked.headers.location]).toEqual([
      ...[303, '/dashboard/reset-password?done=asked'],
    ]);
    await visitor.submit('/dashboard/register', { email: 'next@example.org' });
    await linkTo('next@example.org');
    expect(mails.commands.join()).not.toContain(email);
  });
});
