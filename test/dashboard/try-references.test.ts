/** The tab References of the page Try it: what is marked in a text, and what that costs. */
import type { Page } from 'playwright-core';
import { describe, expect, it, vi } from 'vitest';
import { auditLedger } from '../../src/accounts/sqlite/ledger/audit.ts';
import { addPapers } from '../http/look-up-papers.ts';
import { useBrowser } from '../support/browser.ts';
import { addKey, addSomeone, inStore } from '../support/history.ts';
import { signedInClient, signIn, useServer } from '../support/pages.ts';
import { PATIENT } from '../support/patient.ts';

const ADA = 'reader@example.org';
const POOR = 'poor@example.org';
const PATH = '/dashboard/try/references';
const TRUE = 'Iron-catalysed synthesis of ammonia from nitrogen and hydrogen. 2026.';
const WRONG =
  'Verbatim sample authors (1999). Transit photometry as a survey method for extrasolar planets.';
const INVENTED =
  '<b>Nobody</b>, N. (2020). <script>window.wasRun = true</script> Zebras of Qwertz.';
const LIST = [TRUE, WRONG, INVENTED].map((one, at) => `${at + 1}. ${one}`).join('\n');

const keys: Record<string, string> = {};
const server = useServer(async (database) => {
  await addPapers(database);
  for (const [email, credits] of [
    [ADA, 20],
    [POOR, 0],
  ] as const) {
    const { customerId } = addSomeone(database, { email, credits });
    keys[email] = addKey(database, customerId, `Key of ${email}`).key.prefix;
  }
});
const browser = useBrowser();

/** Waits until nothing is held any more. */
async function settledBalance(): Promise<number> {
  await vi.waitFor(() => {
    expect(inStore(server.database, auditLedger)).toMatchObject({ held: 0, differences: [] });
  }, PATIENT);
  return inStore(server.database, (db) =>
    Number(db.prepare('SELECT balance FROM customers WHERE email = ?').pluck().get(ADA)),
  );
}

async function check(page: Page, text: string): Promise<void> {
  await page.goto('/dashboard/try');
  await page.getByRole('navigation', { name: 'Try it' }).getByText('References').click();
  await page.getByLabel('Bibliography or text').fill(text);
  await page.getByRole('button', { name: 'Check references' }).click();
}

describe('a bibliography', () => {
  it('is shown with each reference marked, and is charged once', async () => {
    const { page } = await browser.visit(server.url, { isWithoutScript: true });
    await signIn(page, ADA);
    const before = await settledBalance();
    await check(page, LIST);
    await page.waitForURL('**/dashboard/try/*');
    expect(await page.locator('.sections [aria-current]').innerText()).toBe('References');
    expect(await page.locator('.pasted mark').allInnerTexts()).toEqual([
      `${TRUE} ✓ ok`,
      `${WRONG} ✗ has errors`,
      `${INVENTED} ✗ not in the index`,
    ]);
    expect(await page.getByRole('region', { name: 'Counts' }).innerText()).toMatch(
      /^✗ 1 not in the index\s+✗ 1 has errors\s+✓ 1 ok\s+3 references .* 1 credit, 19 left$/,
    );
    await page.getByRole('link', { name: /has errors/ }).click();
    const wrong = page.locator('.citation:target');
    expect(await wrong.getByRole('row').last().innerText()).toMatch(
      /year\s+1999\s+2026\s+another year/,
    );
    expect(await wrong.locator('#corrected-2').innerText()).toContain('(2026)');
    expect(await wrong.getByText('Is it real?').innerText()).toContain('likely real');
    await wrong.getByRole('link', { name: 'In your text' }).click();
    expect(await page.locator('mark:target').innerText()).toContain(WRONG);
    expect(await settledBalance()).toBe(before - 1);
    await page.reload();
    expect(await settledBalance()).toBe(before - 1);
    await page.getByText('Check another text').click();
    expect(await page.getByLabel('Bibliography or text').inputValue()).toBe(LIST);
  });

  it('leads to its papers, and tells of retractions and mixed-up identifiers', async () => {
    const client = await signedInClient(server.url, ADA);
    const text = [
      '@misc{gone, title = {A tide that never came}, author = {Eva Falk}, year = 2018}',
      '@misc{quilts, title = {Quilts of the inner desert}, doi = {10.5555/tides}}',
    ].join('\n');
    const sent = await client.submit(PATH, { text, key: keys[ADA] ?? '' });
    const { text: html } = await client.get(String(sent.headers.location));
    expect(html).toMatch(/<mark [^>]+class="warn"><bdi>@misc\{gone,.+?ok, retraction<.+?<\/mark>/);
    expect(html).toMatch(
      /class="bad"><bdi>@misc\{quilts,.+?title of another, likely fabricated<.+?<\/mark>/,
    );
    expect(html).toContain(
      '<a href="https://doi.org/10.5555/gone"><cite dir="auto">A tide that never came',
    );
    expect(html).toContain('Is it real? likely fabricated');
  });

  it('in HTML runs no script', async () => {
    const { page } = await browser.visit(server.url);
    await signIn(page, ADA);
    await check(page, LIST);
    await page.locator('.pasted').waitFor();
    expect(await page.evaluate('window.wasRun')).toBeUndefined();
    expect(await page.locator('.pasted').innerText()).toContain('<script>window.wasRun');
    const corrected = await page.locator('#corrected-2').textContent();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'Copy Corrected' }).click();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(corrected);
  });

  it('of 21 references costs 2 credits, once for a form that is sent again', async () => {
    const client = await signedInClient(server.url, ADA);
    const before = await settledBalance();
    const text = Array.from({ length: 21 }, () => TRUE).join('\n');
    const form = { ...(await client.hidden(PATH)), text, key: keys[ADA] ?? '' };
    const sent = await Promise.all([client.post(PATH, form), client.post(PATH, form)]);
    const places = new Set(
      [...sent, await client.post(PATH, form)].map((got) => got.headers.location),
    );
    expect(places.size).toBe(1);
    const [place = ''] = [...places].map(String);
    expect((await client.get(place)).text).toContain('2 credits');
    expect(await settledBalance()).toBe(before - 2);
    expect((await client.post(PATH, form)).headers.location).toBe(place);
    const other = await client.post(PATH, { ...form, text: TRUE });
    expect(other.headers.location).not.toBe(place);
    await client.get(String(other.headers.location));
    expect(await settledBalance()).toBe(before - 3);
  });

  it('is free if nothing can be said of it, and no other customer sees it', async () => {
    const client = await signedInClient(server.url, ADA);
    const before = await settledBalance();
    const sent = await client.submit(PATH, { text: '1. ?!\n2. ...', key: keys[ADA] ?? '' });
    const place = String(sent.headers.location);
    const other = await signedInClient(server.url, POOR);
    expect((await other.get(place)).status).toBe(404);
    expect((await client.get(place)).text).toContain('free, because nothing could be said');
    expect(await settledBalance()).toBe(before);
  });
});

describe('a text that is refused', () => {
  it('is still in its box and costs nothing', async () => {
    const { page } = await browser.visit(server.url, { isWithoutScript: true });
    await signIn(page, ADA);
    const before = await settledBalance();
    const refused: [text: string, message: string][] = [
      ['References\n\n', 'no references in this text'],
      [`${TRUE}\n`.repeat(101), 'more than 100 references'],
      ['é'.repeat(64_001), 'at most 64,000 characters, got 64,001'],
    ];
    for (const [text, message] of refused) {
      await check(page, text);
      expect(await page.getByRole('alert').innerText()).toContain(message);
      const box = page.getByLabel('Bibliography or text');
      expect(await box.getAttribute('aria-invalid')).toBe('true');
      expect(await box.inputValue()).toBe(text);
    }
    expect(await settledBalance()).toBe(before);
  });

  it('for lack of credit or a key is still there', async () => {
    const client = await signedInClient(server.url, POOR);
    const poor = await client.submit(PATH, { text: TRUE, key: keys[POOR] ?? '' });
    expect(poor.status).toBe(402);
    expect(poor.text).toContain('insufficient credit balance');
    const foreign = await client.submit(PATH, { text: TRUE, key: keys[ADA] ?? '' });
    expect(foreign.status).toBe(404);
    for (const { text } of [poor, foreign]) {
      expect(text).toContain('You were not charged');
      expect(text).toContain(`${TRUE}</textarea>`);
    }
  });

  it('of the longest kind arrives, and one beyond it does not', async () => {
    const client = await signedInClient(server.url, ADA);
    const send = async (text: string) =>
      (await client.submit(PATH, { text, key: keys[POOR] ?? '' })).status;
    expect(await send(`${'𝒳'.repeat(15_990)}\n\n`.repeat(4))).toBe(404);
    expect(await send('𝒳'.repeat(66_000))).toBe(413);
  });
});
