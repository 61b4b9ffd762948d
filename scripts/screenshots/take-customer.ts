/** Takes pictures of the pages of visitors and customers. */
import type { Page } from 'playwright-core';
import { PASSWORD } from '../../test/support/history.ts';
import { LOOPBACK_REDIRECT, type PlainClient } from '../../test/support/oauth-client.ts';
import { EMAIL, MANY_KEYS, NEWCOMER, PAYER } from './fill.ts';
import type { TakePicture } from './picture.ts';

const visitorPages = [
  ['front', '/'],
  ['sign-in', '/dashboard/sign-in'],
  ['docs', '/docs'],
  ['reset', '/dashboard/reset-password'],
  ['register', '/dashboard/register'],
  ['link', '/dashboard/link?token=none'],
  ['missing', '/dashboard/nothing'],
] as const;

const customerPages = [
  ['overview', '/dashboard'],
  ['keys', '/dashboard/keys'],
  ['usage', '/dashboard/usage'],
  ['activity', '/dashboard/activity'],
  ['activity-wrong', '/dashboard/activity?from=2026-03-02&to=2026-03-01&outcome=none'],
  ['accounting', '/dashboard/activity/accounting'],
  ['account', '/dashboard/account'],
  ['account-members', '/dashboard/account/members'],
  ['account-data', '/dashboard/account/data'],
  ['account-delete', '/dashboard/account/delete'],
  ['account-leave', '/dashboard/account/leave'],
  ['account-security', '/dashboard/account/security'],
  ['try', '/dashboard/try'],
] as const;

export async function takeCustomerPages(
  page: Page,
  take: TakePicture,
  client: PlainClient,
): Promise<void> {
  await show(page, take, visitorPages);
  await signIn(page, NEWCOMER);
  await show(page, take, [
    ['new-overview', '/dashboard'],
    ['new-keys', '/dashboard/keys'],
    ['new-usage', '/dashboard/usage'],
    ['new-activity', '/dashboard/activity'],
    ['new-try', '/dashboard/try'],
    ['new-billing', '/dashboard/billing'],
  ]);
  await signIn(page, MANY_KEYS);
  await show(page, take, [['many-overview', '/dashboard']]);
  await signIn(page, PAYER);
  await show(page, take, [['billing', '/dashboard/billing']]);
  await follow(page, /^Receipt/);
  await take('receipt');
  await signIn(page, EMAIL);
  await show(page, take, customerPages);
  await takeSearches(page, take);
  await takeForms(page, take);
  await page.goto(client.consentPath());
  await take('consent');
  await page.goto(client.consentPath({ redirect_uri: LOOPBACK_REDIRECT }));
  await take('consent-local');
}

export async function signIn(page: Page, email: string): Promise<void> {
  await page.context().clearCookies();
  await page.goto('/dashboard/sign-in');
  await page.getByLabel('E-mail address').fill(email);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL('**/dashboard');
}

/** Searches for something that the sample answers. */
export async function search(page: Page, question = 'does sleep help memory'): Promise<void> {
  await page.goto('/dashboard/try');
  await page.getByLabel('Question').fill(question);
  await page.getByRole('button', { name: 'Search' }).click();
  await page.waitForURL('**/try/*');
}

async function show(
  page: Page,
  take: TakePicture,
  pages: readonly (readonly [what: string, path: string])[],
): Promise<void> {
  for (const [what, path] of pages) {
    await page.goto(path);
    await take(what);
  }
}

async function follow(page: Page, name: RegExp): Promise<void> {
  await page.getByRole('link', { name }).first().click();
  await page.waitForLoadState();
}

async function takeSearches(page: Page, take: TakePicture): Promise<void> {
  await search(page);
  await take('result');
  await page.locator('.citation summary').nth(1).click();
  await page.getByText('Options').click();
  await take('result-open');
  await search(page, 'zebrafish qwertz submarine treaties');
  await take('result-weak');
}

async function takeForms(page: Page, take: TakePicture): Promise<void> {
  await page.goto('/dashboard/account/security');
  await page.getByRole('button', { name: 'Set up' }).click();
  await page.waitForURL('**/set-up/*');
  await take('account-second-factor');
  const name = `For the picture ${Date.now()}`;
  await page.goto('/dashboard/keys');
  await page.getByLabel('Name').fill(name);
  await page.getByRole('button', { name: 'Create key' }).click();
  await page.waitForURL('**/keys/created/*');
  await take('key-created');
  for (const what of ['Edit', 'Rotate', 'Lanes of', 'Revoke']) {
    await page.goto('/dashboard/keys');
    await follow(page, new RegExp(`^${what} ${name}`));
    await take(`key-${what.split(' ')[0]?.toLowerCase()}`);
  }
  await page.getByRole('button', { name: 'Revoke key' }).click();
  await page.waitForURL('**done=revoked');
}
