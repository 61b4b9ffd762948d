/** Every page that there is, for what must hold on all of them. */
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { codeOf, confirmSetUp } from './authenticator.ts';
import { addPayer } from './billing-history.ts';
import {
  addConnection,
  addKey,
  addReturned,
  addSearches,
  addSomeone,
  PASSWORD,
  warnBelow,
} from './history.ts';
import { LOOPBACK_REDIRECT, type PlainClient } from './oauth-client.ts';
import { givePassword, signIn } from './pages.ts';

export const CUSTOMER = 'ada@example.org';
const NEWCOMER = 'new@example.org';
const PAYER = 'payer@example.org';

/** A true reference, one with errors, one with an unknown identifier, and an invented one. */
const BIBLIOGRAPHY = `Iron-catalysed synthesis of ammonia from nitrogen and hydrogen. 2026.

Verbatim sample authors (1999). Transit photometry as a survey method for extrasolar planets.

Verbatim sample authors (2026). Flat rotation curves of spiral galaxies and the evidence for dark matter. https://doi.org/10.5555/unknown

Nobody, N. (2020). Zebras of Qwertz. https://doi.org/10.5555/a-rather-long-identifier-that-nobody-has-given`;

/** A customer of some months, who is warned, one who has nothing yet, and one with many payments. */
export async function fillPages(database: string): Promise<void> {
  const { customerId } = addSomeone(database, { email: CUSTOMER, credits: 400 });
  const { key } = addKey(
    database,
    customerId,
    'A key with a rather long name, as people give them',
  );
  addSearches(
    database,
    { customerId, keyId: key.id },
    { days: 60, countOf: (ago) => ago % 4, isMeasured: true },
  );
  addReturned(database, { customerId, keyId: key.id });
  const connection = addConnection(
    database,
    customerId,
    'A client with a rather long name of its own, as they come',
  );
  addSearches(database, { customerId, keyId: connection.id }, { days: 20, countOf: () => 2 });
  warnBelow(database, customerId, 100_000);
  addSomeone(database, { email: NEWCOMER });
  addPayer(database, PAYER);
}

const visitorPages = [
  '/',
  ...['/docs', '/dashboard/sign-in', '/dashboard/sign-in?done=signed-out'],
  ...['/dashboard/reset-password', '/dashboard/register', '/dashboard/link?token=none'],
  '/dashboard/nothing',
];
const customerPages = [
  ...['/dashboard', '/dashboard/keys', '/dashboard/usage', '/dashboard/usage?days=90'],
  '/dashboard/usage?from=2026-03-02&to=2026-03-01',
  ...['/dashboard/requests', '/dashboard/requests?from=nonsense&to=2026-01-01&status=x'],
  ...['/dashboard/requests?status=failed', '/dashboard/accounting'],
  ...['/dashboard/accounting?from=nonsense'],
  ...['/dashboard/billing', '/dashboard/try', '/dashboard/account', '/dashboard/nothing'],
  ...['/dashboard/account/security', '/dashboard/account/members', '/dashboard/account/leave'],
  ...['/dashboard/account/data', '/dashboard/account/delete', '/dashboard/try/references'],
];
const newcomerPages = [
  ...['/dashboard', '/dashboard/keys', '/dashboard/usage', '/dashboard/requests', '/dashboard/try'],
];

/** Shows every page, and those that follow a form, one after the other. */
export async function forEachPage(
  page: Page,
  client: PlainClient,
  check: (what: string) => Promise<void>,
): Promise<void> {
  const show = async (paths: readonly string[], who: string): Promise<void> => {
    for (const path of paths) {
      await page.goto(path);
      await check(`${path} of ${who}`);
    }
  };
  await show(visitorPages, 'a visitor');
  await signIn(page, NEWCOMER);
  await show(newcomerPages, 'a newcomer');
  await page.context().clearCookies();
  await signIn(page, PAYER);
  const month = new Date().toISOString().slice(0, 7);
  const billing = [`/statements/${month}`, '', '?done=paid', '?done=card'];
  await show(
    billing.map((rest) => `/dashboard/billing${rest}`),
    'a payer',
  );
  await page
    .getByRole('link', { name: /^Receipt/ })
    .first()
    .click();
  await check('a receipt');
  await page.context().clearCookies();
  await signIn(page, CUSTOMER);
  await show(customerPages, 'a customer');
  await showForms(page, check);
  await showTwoSteps(page, check);
  await showMembers(page, check);
  await showConsent(page, client, check);
}

async function showMembers(page: Page, check: (what: string) => Promise<void>): Promise<void> {
  const path = '/dashboard/account/members';
  const email = 'a.member.with.a.long.address@department.university.example.org';
  await page.goto(path);
  await page.getByLabel('E-mail address').fill(NEWCOMER);
  await page.getByRole('button', { name: 'Invite' }).click();
  await page.locator('.wrong').waitFor();
  await check('an invitation that was refused');
  await page.getByLabel('E-mail address').fill(email);
  await page.getByLabel(/^Billing/).check();
  await page.getByRole('button', { name: 'Invite' }).click();
  await page.waitForURL('**/invited/*');
  await check('an invitation to hand out');
  await page.reload();
  await check('an invitation that is gone');
  await page.goto(path);
  await page.getByRole('link', { name: `Change ${email}` }).click();
  await check('a member who is invited');
  await page.getByRole('button', { name: 'Remove member' }).click();
  await page.waitForURL('**done=removed');
  await page.getByRole('link', { name: `Change ${CUSTOMER}` }).click();
  await page.getByRole('button', { name: 'Remove member' }).click();
  await check('the last owner');
  await page.goto('/dashboard/account/delete');
  await page.getByRole('checkbox').check();
  await page.getByLabel('Password').fill('wrong');
  await page.getByRole('button', { name: 'Delete the account' }).click();
  await check('a deletion with a wrong password');
}

async function showTwoSteps(page: Page, check: (what: string) => Promise<void>): Promise<void> {
  await page.goto('/dashboard/account/security');
  await page.getByRole('button', { name: 'Set up' }).click();
  await page.waitForURL('**/set-up/*');
  await check('a second factor to be set up');
  const { codes, secret } = await confirmSetUp(page, async () => {
    await check('a second factor whose code was refused');
  });
  await check('recovery codes');
  await page.reload();
  await check('recovery codes that are gone');
  for (const path of ['security', 'second-factor/new-codes', 'second-factor/turn-off']) {
    await page.goto(`/dashboard/account/${path}`);
    await check(`a second factor that is on: ${path}`);
  }
  await page.context().clearCookies();
  await givePassword(page, CUSTOMER);
  await check('a code that is asked for');
  await page.getByLabel('Code').fill('wrong');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.locator('.wrong').waitFor();
  await check('a code that was refused');
  await page.getByLabel('Code').fill(codeOf(secret, 1));
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL('**/dashboard');
  // Further pages are shown without it.
  await page.goto('/dashboard/account/second-factor/turn-off');
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByLabel('Code').fill(codes[0] ?? '');
  await page.getByRole('button', { name: 'Turn off' }).click();
  await page.waitForURL('**done=second-factor-off');
}

async function showConsent(
  page: Page,
  { consentPath }: PlainClient,
  check: (what: string) => Promise<void>,
): Promise<void> {
  await page.goto(consentPath());
  await check('a client that asks');
  await page.getByLabel(/Credits/).fill('none');
  await page.getByRole('button', { name: 'Connect' }).click();
  await page.locator('.wrong').waitFor();
  await check('a client with a cap that was refused');
  await page.goto(consentPath({ redirect_uri: LOOPBACK_REDIRECT }));
  await check('a client on this computer');
  await page.goto(consentPath({ response_type: 'token' }));
  await check('a client that asks wrongly');
  await page.goto(consentPath({ client_id: undefined }));
  await check('no client');
}

async function showForms(page: Page, check: (what: string) => Promise<void>): Promise<void> {
  await page.goto('/dashboard/keys');
  await page.getByLabel('Name').fill('x'.repeat(40));
  await page.getByLabel(/Monthly credit cap/).fill('none');
  await page.getByRole('button', { name: 'Create key' }).click();
  await page.locator('.wrong').first().waitFor();
  await check('a key that was refused');
  await page.getByLabel(/Monthly credit cap/).fill('');
  await page.getByRole('button', { name: 'Create key' }).click();
  await page.waitForURL('**/keys/created/*');
  await check('a key that was created');
  await page.reload();
  await check('a secret that is gone');
  for (const [link, what] of [
    [/^Edit x/, 'a key to be edited'],
    [/^Rotate x/, 'a key to be rotated'],
  ] as const) {
    await page.goto('/dashboard/keys');
    await manageKey(page, link);
    await check(what);
  }
  await page.getByRole('button', { name: 'Rotate key' }).click();
  await page.waitForURL('**/keys/created/*');
  await check('a key that was rotated');
  await page.goto('/dashboard/keys');
  await manageKey(page, /^Revoke x/);
  await check('a key to be revoked');
  await page.getByRole('button', { name: 'Revoke key' }).click();
  await page.waitForURL('**done=revoked');
  await page.locator('.row-menu summary').first().click();
  await check('keys with a menu');
  await page.getByText('Revoked and expired keys').click();
  await check('keys that are revoked');
  await page.goto('/dashboard/usage');
  await page.locator('summary').click();
  await check('usage with its table');
  await page.goto('/dashboard/try');
  await page.getByLabel('Question').fill('does sleep help memory');
  await page.getByRole('button', { name: 'Search' }).click();
  await page.waitForURL('**/try/*');
  expect(await page.locator('blockquote').count()).toBe(5);
  await check('results of a search');
  for (const text of ['Options', 'Response as JSON']) {
    await page.locator('summary', { hasText: text }).click();
  }
  await page.locator('.citation summary').nth(0).click();
  await page.locator('.citation summary').nth(1).click();
  await check('results of a search with all that is folded');
  await page.goto('/dashboard/try');
  await page.getByLabel('Question').fill('zebrafish qwertz submarine treaties');
  await page.getByRole('button', { name: 'Search' }).click();
  await page.waitForURL('**/try/*');
  await page.getByText('Show 5 weak results').click();
  await check('weak results of a search');
  await page.getByText('Options').click();
  await page.getByLabel('Year from').fill('soon');
  await page.getByRole('button', { name: 'Search' }).click();
  await page.getByRole('alert').waitFor();
  await check('a search with a wrong filter');
  await page.goto('/dashboard/try/references');
  await page.getByLabel('Bibliography or text').fill('References');
  await page.getByRole('button', { name: 'Check references' }).click();
  await page.getByRole('alert').waitFor();
  await check('a text without references');
  await page.getByLabel('Bibliography or text').fill(BIBLIOGRAPHY);
  await page.getByRole('button', { name: 'Check references' }).click();
  await page.waitForURL('**/try/*');
  expect(await page.locator('.pasted mark').count()).toBe(4);
  await check('a bibliography that was checked');
  for (const summary of await page.locator('summary').all()) await summary.click();
  await check('a bibliography that was checked with all that is folded');
}

/** Opens the menu of a key and follows one of its links. */
async function manageKey(page: Page, link: RegExp): Promise<void> {
  const row = page
    .locator('tbody tr', { has: page.locator('.row-menu a', { hasText: link }) })
    .first();
  await row.locator('summary').click();
  await row.getByRole('link', { name: link }).click();
}
