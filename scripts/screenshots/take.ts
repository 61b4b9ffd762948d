/**
 * Takes screenshots of all pages, light and dark, at desktop and phone size, and saves them in FOLDER.
 * Also updates the two screenshots for the README, which are beside this file.
 *
 *   npm run screenshots -- FOLDER
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Page } from 'playwright-core';
import { bundlePath, samplePath } from '../../src/bundle.ts';
import { addPayer, STRIPE_ENV } from '../../test/support/billing-history.ts';
import {
  addConnection,
  addKey,
  addReturned,
  addSearches,
  addSomeone,
  PASSWORD,
  warnBelow,
} from '../../test/support/history.ts';
import { launchBrowser, openVisit } from '../../test/support/launch-browser.ts';
import { LOOPBACK_REDIRECT, startPlainClient } from '../../test/support/oauth-client.ts';

const EMAIL = 'ada@example.org';
const PAYER = 'payer@example.org';
const folder = process.argv[2] ?? mkdtempSync(join(tmpdir(), 'verbatim-screenshots-'));
mkdirSync(folder, { recursive: true });
const work = mkdtempSync(join(tmpdir(), 'verbatim-pages-'));
const database = join(work, 'verbatim.db');

const beside = join(import.meta.dirname, '../scripts/screenshots');

await run(['index', 'add', samplePath(), '--db', database]);
fill();
const client = await startPlainClient('Reading assistant');
const { url, stop } = await serve();
const browser = await launchBrowser();
try {
  for (const isDark of [false, true]) {
    for (const isPhone of [false, true]) {
      const { page } = await openVisit(browser, url, { isDark, isPhone });
      await takeAll(page, `${isPhone ? 'phone' : 'desk'}-${isDark ? 'dark' : 'light'}`);
    }
  }
} finally {
  await browser.close();
  await stop();
  client.close();
  rmSync(work, { recursive: true });
}
console.log(folder);

/** Adds three months of searches with a weekly pattern, so that the chart is not empty. */
function fill(): void {
  const { customerId } = addSomeone(database, { email: EMAIL, credits: 6_000 });
  const agent = addKey(database, customerId, 'Review agent');
  const notebook = addKey(database, customerId, 'Notebook');
  const countOf = (daysAgo: number): number =>
    Math.round(
      (90 - daysAgo / 2) *
        ((daysAgo * 5) % 7 < 2 ? 0.25 : 1) *
        (0.6 + 0.4 * Math.abs(Math.sin(daysAgo))),
    );
  addSearches(
    database,
    { customerId, keyId: agent.key.id },
    { days: 90, countOf, isMeasured: true },
  );
  const few = (daysAgo: number): number => daysAgo % 4;
  addSearches(database, { customerId, keyId: notebook.key.id }, { days: 20, countOf: few });
  addReturned(database, { customerId, keyId: notebook.key.id });
  const { id: keyId } = addConnection(database, customerId, 'Reading assistant');
  addSearches(database, { customerId, keyId }, { days: 12, countOf: few });
  warnBelow(database, customerId, 500);
  addPayer(database, PAYER);
}

async function signIn(page: Page, email: string): Promise<void> {
  await page.goto('/dashboard/sign-in');
  await page.getByLabel('E-mail address').fill(email);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

async function takeAll(page: Page, name: string): Promise<void> {
  const take = async (what: string): Promise<void> => {
    await page.screenshot({ path: join(folder, `${what}-${name}.png`), fullPage: true });
  };
  for (const [what, path] of [
    ['front', '/'],
    ['sign-in', '/dashboard/sign-in'],
    ['docs', '/docs'],
    ['reset', '/dashboard/reset-password'],
    ['missing', '/dashboard/nothing'],
  ] as const) {
    await page.goto(path);
    await take(what);
  }
  await signIn(page, EMAIL);
  for (const what of ['keys', 'usage', 'activity', 'account', 'try']) {
    await page.goto(`/dashboard/${what}`);
    await take(what);
  }
  for (const section of ['members', 'data', 'delete', 'security']) {
    await page.goto(`/dashboard/account/${section}`);
    await take(`account-${section}`);
  }
  await page.getByRole('button', { name: 'Set up' }).click();
  await page.waitForURL('**/set-up/*');
  await take('account-second-factor');
  await page.goto('/dashboard');
  await take('overview');
  if (name === 'desk-light') await page.screenshot({ path: join(beside, 'overview.png') });
  await page.goto('/dashboard/try');
  await page.getByLabel('Question').fill('does sleep help memory');
  await page.getByRole('button', { name: 'Search' }).click();
  await take('result');
  if (name === 'desk-dark') await page.screenshot({ path: join(beside, 'result.png') });
  await page.goto('/dashboard/keys');
  await page.getByLabel('Name').fill(`For the picture ${name}`);
  await page.getByRole('button', { name: 'Create key' }).click();
  await take('created');
  await page.goto('/dashboard/keys');
  await page
    .getByRole('link', { name: /^Set cap of For the picture/ })
    .first()
    .click();
  await take('cap');
  await page.goto('/dashboard/keys');
  await page
    .getByRole('link', { name: /^Revoke For the picture/ })
    .first()
    .click();
  await take('revoke');
  await page.getByRole('button', { name: 'Revoke key' }).click();
  await page.goto(client.consentPath());
  await take('consent');
  await page.goto(client.consentPath({ redirect_uri: LOOPBACK_REDIRECT }));
  await take('consent-local');
  await page.context().clearCookies();
  await signIn(page, PAYER);
  await page.goto('/dashboard/billing');
  await take('billing');
  await page
    .getByRole('link', { name: /^Receipt/ })
    .first()
    .click();
  await take('receipt');
}

async function serve(): Promise<{ url: string; stop: () => Promise<void> }> {
  const child = spawn(process.execPath, [bundlePath(), 'serve', '--db', database], {
    env: {
      ...process.env,
      ...client.env,
      ...STRIPE_ENV,
      VERBATIM_HOST: '127.0.0.1',
      VERBATIM_PORT: '0',
      VERBATIM_METRICS_PORT: '0',
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  for await (const line of createInterface({ input: child.stderr })) {
    const { event, port } = JSON.parse(line) as { event: string; port: number };
    if (event !== 'serving') continue;
    child.stderr.resume();
    const stop = async (): Promise<void> => {
      child.kill();
      await once(child, 'exit');
    };
    return { url: `http://localhost:${port}`, stop };
  }
  throw new Error('the server exited');
}

async function run(args: string[]): Promise<void> {
  const child = spawn(process.execPath, [bundlePath(), ...args], { stdio: 'ignore' });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`verbatim ${args.join(' ')} exited with ${code}`);
}
