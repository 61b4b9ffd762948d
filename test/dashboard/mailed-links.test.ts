/** Links by mail, in a real browser, with a mail server of ours on loopback. */
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { useBrowser } from '../support/browser.ts';
import { addSomeone, inStore, PASSWORD } from '../support/history.ts';
import { type MailServer, startMailServer } from '../support/mail-server.ts';
import { signIn, useServer } from '../support/pages.ts';
import { PATIENT } from '../support/patient.ts';

const ADA = 'ada@example.org';
const NEW = 'new@example.org';
const NEW_PASSWORD = 'gravel window trumpet';
const HOUR = 3_600_000;

let mails: MailServer;
let port: number;
beforeAll(async () => {
  mails = await startMailServer();
  port = await freePort();
});
afterAll(() => mails.close());
const server = useServer(
  (database) => void addSomeone(database, { email: ADA }),
  () => ({
    VERBATIM_PORT: String(port),
    VERBATIM_SELF_REGISTRATION: '1',
    VERBATIM_SMTP_URL: mails.url,
    VERBATIM_MAIL_FROM: 'verbatim@example.org',
  }),
);
const browser = useBrowser();

async function freePort(): Promise<number> {
  const listener = createServer().listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const { port } = listener.address() as AddressInfo;
  listener.close();
  await once(listener, 'close');
  return port;
}

/** Mails about security may arrive in between. */
const linkMails = (): string[] => mails.received.filter((mail) => mail.includes('It works once'));

/** Sends the form and returns the link that is mailed to the address. */
async function askForLink(page: Page, email: string, button: string): Promise<string> {
  const before = linkMails().length;
  await page.getByLabel('E-mail address').fill(email);
  await page.getByRole('button', { name: button }).click();
  await page.waitForURL('**done=asked');
  expect(await page.getByRole('status').textContent()).toContain('sent');
  await vi.waitFor(() => expect(linkMails().length).toBe(before + 1), PATIENT);
  // Long lines are folded with `=`, and `=` is written as `=3D`.
  const mail = (linkMails().at(-1) ?? '').replaceAll('=\r\n', '').replaceAll('=3D', '=');
  expect(mail).toMatch(new RegExp(`^To: ${email}\r$`, 'm'));
  expect(mail).toContain('It works once, within 24 hours.');
  const [link = ''] = /http\S+token=[\w-]{43}/.exec(mail) ?? [];
  expect(new URL(link).origin).toBe(server.url);
  return link;
}

async function choosePassword(page: Page, password: string): Promise<void> {
  await page.getByLabel('New password', { exact: true }).fill(password);
  await page.getByLabel('Confirm new password').fill(password);
  await page.getByRole('button', { name: 'Save and sign in' }).click();
}

function linkExpiry(email: string): number {
  return inStore(server.database, (db) =>
    Number(
      db
        .prepare(
          `SELECT expires_at FROM sign_in_links
           WHERE member_id = (SELECT id FROM members WHERE email = ?)`,
        )
        .pluck()
        .get(email),
    ),
  );
}

describe('a forgotten password', () => {
  it('is replaced by a mailed link, which works once and ends all earlier sessions', async () => {
    const signedIn = await browser.visit(server.url);
    await signIn(signedIn.page, ADA);
    const { page } = await browser.visit(server.url);
    await page.goto('/dashboard/sign-in');
    await page.getByRole('link', { name: /Forgot/ }).click();
    const link = await askForLink(page, ADA, 'Send me a link');
    await page.goto(link);
    await page.reload();
    await choosePassword(page, NEW_PASSWORD);
    await page.waitForURL('**/dashboard');
    await signedIn.page.goto('/dashboard');
    expect(new URL(signedIn.page.url()).pathname).toBe('/dashboard/sign-in');
    expect((await signedIn.page.goto(link))?.status()).toBe(410);
    await signIn(signedIn.page, ADA, NEW_PASSWORD);
  });

  it('gets a link that expires after 24 hours or with a newer link', async () => {
    const { page } = await browser.visit(server.url);
    await page.goto('/dashboard/reset-password');
    const older = await askForLink(page, ADA, 'Send me a link');
    await page.goto('/dashboard/reset-password');
    const link = await askForLink(page, ADA, 'Send me a link');
    expect((await page.goto(older))?.status()).toBe(410);
    expect((await page.goto(link))?.status()).toBe(200);
    const left = linkExpiry(ADA) - Date.now();
    expect(left).toBeGreaterThan(24 * HOUR - 60_000);
    expect(left).toBeLessThanOrEqual(24 * HOUR);
    // A day later, with the form still open.
    inStore(server.database, (db) =>
      db.prepare('UPDATE sign_in_links SET expires_at = ?').run(Date.now()),
    );
    await choosePassword(page, PASSWORD);
    expect(await page.locator('main').textContent()).toContain('This link has expired');
    expect((await page.goto(link))?.status()).toBe(410);
  });

  it('of an unknown address sends no mail and looks the same', async () => {
    const { page } = await browser.visit(server.url);
    inStore(server.database, (db) => {
      db.prepare(
        "INSERT INTO customers (email, created_at, disabled_at) VALUES ('off@example.org', 1, 1)",
      ).run();
    });
    for (const email of ['off@example.org', 'nobody@example.org']) {
      await page.goto('/dashboard/reset-password');
      await page.getByLabel('E-mail address').fill(email);
      await page.getByRole('button', { name: 'Send me a link' }).click();
      await page.waitForURL('**done=asked');
      expect(await page.getByRole('status').textContent()).toContain('sent');
    }
    // What would have been sent before this one.
    await page.goto('/dashboard/register');
    await askForLink(page, 'next@example.org', 'Register');
    expect(mails.commands.join()).not.toMatch(/(off|nobody)@example\.org/);
  });
});

describe('registration', () => {
  it('mails a link that sets a password and signs in', async () => {
    const { page } = await browser.visit(server.url, { isWithoutScript: true });
    await page.goto('/dashboard/sign-in');
    await page.getByRole('link', { name: 'Register' }).click();
    const link = await askForLink(page, NEW, 'Register');
    await page.goto(link);
    await choosePassword(page, PASSWORD);
    await page.waitForURL('**/dashboard/keys/created/*');
    await page.goto('/dashboard');
    expect(await page.locator('main').textContent()).toContain(`Signed in as ${NEW}`);
    const late = await browser.visit(server.url);
    expect((await late.page.goto(link))?.status()).toBe(410);
    await signIn(late.page, NEW);
  });
});
