/**
 * An operator at night, in a real browser: what is wrong stands on the first page, in one sentence, and
 * the way to what to do and to the customer's loss is three clicks long.
 */
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { findCustomer } from '../../../src/accounts/sql/customers.ts';
import { auditLedger } from '../../../src/accounts/sqlite/ledger/audit.ts';
import { runOnSqlite } from '../../../src/database/sqlite/run-on-sqlite.ts';
import { QUICK } from '../../abuse/faults.ts';
import { useBrowser } from '../../support/browser.ts';
import { damagePages } from '../../support/damage.ts';
import { inStore } from '../../support/history.ts';
import { useServer } from '../../support/pages.ts';
import { PATIENT } from '../../support/patient.ts';
import {
  copySampleIndex,
  createCustomer,
  createKey,
  postSearch,
  removeDatabase,
  startService,
} from '../../support/service.ts';
import { createSmallDisk, obstacleToSmallDisk } from '../../support/small-disk.ts';
import { runJson } from '../../support/verbatim.ts';

const ADA = 'ada@example.org';
const CREDITS = 100;
const env = { ...QUICK, VERBATIM_OPERATOR: 'true' };
let secret: string;
const server = useServer((database) => {
  secret = createCustomer(database, { email: ADA, credits: CREDITS }).secret;
}, env);
const browser = useBrowser();

const obstacle = obstacleToSmallDisk();
const where = obstacle === undefined ? '' : ` (skipped: ${obstacle})`;

/** Follows the link of the verdict to the part of the page that says more. */
async function followVerdict(page: Page, link: string): Promise<void> {
  await page.locator('#live .notice').first().getByRole('link', { name: link }).click();
  await page.waitForURL('**/operator#storage');
  await page.locator('#storage').waitFor();
}

describe('the page Now', () => {
  it('says that the server is silent, and when it answers again', async () => {
    const { page } = await browser.visit(server.service.operatorUrl);
    await page.goto('/operator');
    await page.getByText('All is well.').waitFor();
    server.service.process.kill('SIGSTOP');
    const banner = page.getByText(/^No answer from the server since \d\d:\d\d:\d\d UTC/);
    await banner.waitFor();
    const opacity = () => page.locator('#live').evaluate((live) => getComputedStyle(live).opacity);
    expect(await opacity()).toBe('0.5');
    server.service.process.kill('SIGCONT');
    await banner.waitFor({ state: 'detached' });
    expect(await opacity()).toBe('1');
  });

  it('does not say so while it is paused', async () => {
    const { page } = await browser.visit(server.service.operatorUrl);
    await page.clock.install();
    await page.goto('/operator');
    await page.getByRole('button', { name: 'Pause updates' }).click();
    await page.clock.runFor(60_000);
    expect(await page.locator('#live.old').count()).toBe(0);
  });
});

describe('an operator', () => {
  it('finds in two clicks why a customer gets nothing but 401', async () => {
    const { database } = server;
    const options = ['--name', 'Old crawler'];
    const old = await createKey(database, { email: ADA, options });
    await runJson(['key', 'revoke', old.prefix, '--db', database]);
    const ask = async () => (await postSearch(server.url, old.secret)).status;
    await expect.poll(ask, PATIENT).toBe(401);
    for (let i = 0; i < 11; i++) expect(await ask()).toBe(401);
    const { page } = await browser.visit(server.service.operatorUrl);
    await page.goto('/operator');
    const failure = page.getByRole('row', { name: 'Old crawler' });
    await failure.filter({ hasText: ADA }).waitFor();
    await failure.getByRole('link', { name: /401.*invalid_key/ }).click();
    await page.getByText('12 requests, newest first').waitFor();
    await page.getByRole('link', { name: ADA }).first().click();
    const key = page.getByRole('row', { name: 'Old crawler' }).first();
    await key.getByText(/revoked/i).waitFor();
  });

  it('finds a damaged file in one click, and mends the loss of a customer', async () => {
    for (let i = 0; i < 3; i++) expect((await postSearch(server.url, secret)).status).toBe(200);
    await server.service.end();
    const damaged = damagePages(server.database, 'ledger_entries', {
      choose: (leaves) => leaves.slice(-1),
    });
    await server.restart(env);
    await expect.poll(async () => (await postSearch(server.url, secret)).status, PATIENT).toBe(503);
    const { page } = await browser.visit(server.service.operatorUrl);
    await page.goto('/operator');
    await page.getByText('Searches fail: the database file is damaged (ledger), since').waitFor();
    await page.getByText('restore the last good backup').waitFor();
    await followVerdict(page, 'Damaged file');

    await server.service.end();
    damaged.repair();
    await server.restart(env);
    const { page: later } = await browser.visit(server.service.operatorUrl);
    await later.goto('/operator');
    await later.getByText('All is well.').waitFor();
    await later.getByRole('link', { name: 'Customers' }).click();
    await later.getByRole('link', { name: ADA }).click();
    await later.getByRole('link', { name: 'All requests' }).click();
    await later.getByRole('link', { name: 'Refund these' }).click();
    await later.getByRole('heading', { name: 'Refund 3 requests?' }).waitFor();
    await later.getByLabel('Reason').fill('The file was damaged.');
    await later.getByRole('button', { name: 'Refund' }).click();
    await later.getByText('The requests were refunded.').waitFor();
    inStore(server.database, (db) => {
      expect(runOnSqlite(db, findCustomer(ADA)).balance).toBe(CREDITS);
      expect(auditLedger(db).differences).toEqual([]);
    });
  });

  it.skipIf(obstacle !== undefined)(`finds a full disk in one click${where}`, async () => {
    const disk = await createSmallDisk(16);
    const original = await copySampleIndex();
    const key = createCustomer(original);
    copyFileSync(original, join(disk.seenAs, 'verbatim.db'));
    await removeDatabase(original);
    const service = await startService(join(disk.folder, 'verbatim.db'), env, disk.through);
    onTestFinished(async () => {
      await service.end('SIGKILL');
      disk.end();
    });
    const { page } = await browser.visit(service.operatorUrl);
    await page.goto('/operator');
    await page.getByText(/^Searches work, but the disk has [\d.]+ MB left/).waitFor();
    disk.fill();
    await expect
      .poll(async () => (await postSearch(service.url, key.secret)).status, PATIENT)
      .toBe(503);
    await page.getByText('Searches fail: the disk is full, since').waitFor();
    await page.getByText('Free some space on the disk').waitFor();
    await followVerdict(page, 'Disk nearly full');
    disk.empty();
    await page.getByRole('link', { name: 'Now', exact: true }).click();
    await page.getByText(/^Searches work, but the disk has [\d.]+ MB left/).waitFor();
  });
});
