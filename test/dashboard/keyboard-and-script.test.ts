/** The same without a mouse, and without JavaScript. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useBrowser } from '../support/browser.ts';
import { addKey, addSomeone, PASSWORD } from '../support/history.ts';
import { tabTo } from '../support/keyboard.ts';
import { launchBrowser } from '../support/launch-browser.ts';
import {
  IPV6_REDIRECT,
  LOOPBACK_REDIRECT,
  type PlainClient,
  REDIRECT,
  startPlainClient,
} from '../support/oauth-client.ts';
import { signIn, useServer } from '../support/pages.ts';
import { postSearch } from '../support/service.ts';

const ADA = 'ada@example.org';
let client: PlainClient;
beforeAll(async () => {
  client = await startPlainClient('Reading assistant');
});
afterAll(() => client.close());
const server = useServer(
  async (database) => {
    const { customerId } = addSomeone(database, { email: ADA, credits: 20 });
    addKey(database, customerId, 'Notebook');
  },
  () => client.env,
);
const browser = useBrowser();

/** Does something and returns the parameters with which the browser then goes to a client. */
async function goTo(
  page: Page,
  redirectUri: string,
  act: () => Promise<void>,
): Promise<URLSearchParams> {
  const left = page.waitForRequest((one) => one.url().startsWith(`${redirectUri}?`));
  const [request] = await Promise.all([left, act()]);
  return new URL(request.url()).searchParams;
}

describe('with the keyboard alone', () => {
  it('a customer signs in, creates a key and signs out, and always sees the focus', async () => {
    const { page } = await browser.visit(server.url);
    await page.goto('/dashboard/sign-in');
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.className')).toBe('skip');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.name')).toBe('email');
    await page.keyboard.type(ADA);
    await tabTo(page, 'Password');
    await page.keyboard.type(PASSWORD);
    await page.keyboard.press('Enter');
    await page.waitForURL('**/dashboard');
    await tabTo(page, 'Keys');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/dashboard/keys');
    await tabTo(page, 'Name');
    await page.keyboard.type('By keyboard');
    await tabTo(page, 'Create key');
    await page.keyboard.press('Space');
    await page.waitForURL('**/created/*');
    await tabTo(page, 'Copy the secret');
    await tabTo(page, 'I have saved the secret');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/dashboard/keys');
    await tabTo(page, 'Manage By keyboard');
    await page.keyboard.press('Enter');
    await tabTo(page, 'Revoke By keyboard');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/revoke');
    await tabTo(page, 'Revoke key');
    await page.keyboard.press('Enter');
    await page.waitForURL('**done=revoked');
    await tabTo(page, 'Sign out');
    await page.keyboard.press('Enter');
    await page.waitForURL('**done=signed-out');
  });

  it('an owner sets up an app, invites a member, and leaves the form to delete the account', async () => {
    const { page } = await browser.visit(server.url);
    await signIn(page, ADA);
    await page.goto('/dashboard/account');
    await tabTo(page, 'Security');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/security');
    await tabTo(page, 'Set up');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/set-up/*');
    await tabTo(page, 'Copy the setup key');
    await tabTo(page, 'Code from the app');
    await page.keyboard.type('000000');
    await tabTo(page, 'Cancel');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/security');
    await tabTo(page, 'Members');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/members');
    await tabTo(page, 'E-mail address');
    await page.keyboard.type('colleague@example.org');
    await page.keyboard.press('Tab');
    await page.keyboard.press('ArrowDown');
    await tabTo(page, 'Invite');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/invited/*');
    await tabTo(page, 'Copy the link');
    await tabTo(page, 'I have copied the link');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/members');
    expect(await page.getByRole('row', { name: /colleague/ }).textContent()).toContain('billing');
    await tabTo(page, 'Data');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/data');
    await tabTo(page, 'Delete the account');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/delete');
    await tabTo(page, 'Keep it');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/data');
  });
});

describe('a client that asks for access', () => {
  it('is connected, or declined, with the keyboard alone', async () => {
    const { page } = await browser.visit(server.url);
    await signIn(page, ADA);
    const other = await page.context().newPage();
    await page.goto(client.consentPath());
    await tabTo(page, 'Credits it may use each month');
    await page.keyboard.type('25');
    await tabTo(page, 'Connect');
    const connected = await goTo(page, REDIRECT, () => page.keyboard.press('Enter'));
    expect(connected.get('code')).toMatch(/^[\w-]{43}$/);
    await other.goto(client.consentPath());
    await tabTo(other, 'Decline');
    const declined = await goTo(other, REDIRECT, () => other.keyboard.press('Space'));
    expect(declined.get('error')).toBe('access_denied');
  });

  it.each([REDIRECT, LOOPBACK_REDIRECT, IPV6_REDIRECT])(
    'gets its code without JavaScript at %s',
    async (redirect_uri) => {
      const { page } = await browser.visit(server.url, { isWithoutScript: true });
      await signIn(page, ADA);
      await page.goto(client.consentPath({ redirect_uri }));
      const connect = page.getByRole('button', { name: 'Connect' });
      const connected = await goTo(page, redirect_uri, () => connect.click());
      expect(connected.get('state')).toBe('xyz');
      const other = await page.context().newPage();
      await other.goto(client.consentPath({ redirect_uri, response_type: 'token' }));
      const leave = other.getByRole('link', { name: /^Return to/ });
      const parameters = await goTo(other, redirect_uri, () => leave.click());
      expect(parameters.get('error')).toBe('unsupported_response_type');
    },
  );
});

describe('without JavaScript', () => {
  it('a customer signs in, creates a key, tries a search and revokes the key', async () => {
    const { page } = await browser.visit(server.url, { isWithoutScript: true });
    await signIn(page, ADA);
    await page.goto('/dashboard/keys');
    await page.getByLabel('Name').fill('Plain');
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.waitForURL('**/created/*');
    expect(await page.getByRole('button', { name: /Copy/ }).count()).toBe(0);
    const secret = (await page.locator('#secret').textContent()) ?? '';
    expect((await postSearch(server.url, secret)).status).toBe(200);
    await page.goto('/dashboard/try');
    await page.getByLabel('Question').fill('coral reefs and warm water');
    await page.getByText('Options').click();
    await page.getByLabel('Key').selectOption({ index: 1 });
    await page.getByRole('button', { name: 'Search' }).click();
    await page.waitForURL('**/try/*');
    expect(await page.locator('main').textContent()).toContain('with the key “Plain”');
    await page.goto('/dashboard/keys');
    await page.getByText('Manage Plain').click();
    await page.getByRole('link', { name: 'Revoke Plain' }).click();
    await page.getByRole('button', { name: 'Revoke key' }).click();
    await page.waitForURL('**done=revoked');
    expect((await postSearch(server.url, secret)).status).toBe(401);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.waitForURL('**done=signed-out');
  });
});

describe('without an installed browser', () => {
  it('the page tests say what to install', async () => {
    await expect(launchBrowser('/nowhere/chromium')).rejects.toThrow(
      "there is no /nowhere/chromium: install Debian's chromium with sh scripts/install-packages.sh chromium",
    );
  });
});
