/** The page Usage: figures of real searches, and charts that answer to pointer, touch, and keys. */
import { describe, expect, it } from 'vitest';
import { useBrowser } from '../support/browser.ts';
import { addKey, addReturned, addSearches, addSomeone } from '../support/history.ts';
import { signedInClient, signIn, useServer } from '../support/pages.ts';
import { postSearch } from '../support/service.ts';

const ADA = 'ada@example.org';
const EVE = 'eve@example.org';
const PATH = '/dashboard/usage';

const ada = { prefix: '', secret: '' };
const browser = useBrowser();
const server = useServer(async (database) => {
  const { customerId } = addSomeone(database, { email: ADA, credits: 500 });
  const { key, secret } = addKey(database, customerId, 'Notebook');
  const own = { customerId, keyId: key.id };
  addSearches(database, own, { days: 60, countOf: (ago) => ago % 3 });
  addReturned(database, own);
  addKey(database, customerId, 'Idle');
  Object.assign(ada, { prefix: key.prefix, secret });
  addSomeone(database, { email: EVE, credits: 5 });
});

describe('the page Usage', () => {
  it('has the latency and the source of searches soon after they were answered', async () => {
    const own = await signedInClient(server.url, ADA);
    expect((await own.get(PATH)).text).toContain('nothing measured yet');
    for (let i = 0; i < 3; i++) expect((await postSearch(server.url, ada.secret)).status).toBe(200);
    const text = async (): Promise<string> => (await own.get(PATH)).text;
    await expect.poll(text).toContain('Latency per day');
    expect(await text()).toMatch(/p95 [\d.,]+ m?s, p50 [\d.,]+ m?s/);
    expect(await text()).toContain('all from the index');
    expect(await text()).toContain('1 failed');
  });

  it('of a range and a key says the same in tiles, charts, and tables', async () => {
    const { page } = await browser.visit(server.url);
    await signIn(page, ADA);
    const [last, first] = [30, 40].map((ago) =>
      new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10),
    );
    await page.goto(PATH);
    await page.getByLabel('Key', { exact: true }).selectOption(ada.prefix);
    await page.getByLabel('From (UTC)').fill(String(first));
    await page.getByLabel('To (UTC)').fill(String(last));
    await page.getByRole('button', { name: 'Filter' }).click();
    await page.waitForURL('**from=*');
    expect(await page.getByLabel('From (UTC)').inputValue()).toBe(first);
    await page.getByText('Show as a table').click();
    const table = page.getByRole('table', { name: /11 days, newest first/ });
    const counts = await table.locator('tbody td[data-label=Searches]').allTextContents();
    const sum = counts.reduce((total, text) => total + Number(text), 0);
    expect(sum).toBeGreaterThan(5);
    expect(await page.locator('.tile .figure').first().textContent()).toBe(String(sum));
    const byKey = page.getByRole('table', { name: 'Usage by key on these days' });
    expect(await byKey.locator('tbody tr').count()).toBe(1);
    expect(await byKey.locator('td[data-label=Searches]').textContent()).toBe(String(sum));
  });

  it('shows the value of a day for the pointer, for a touch, and for arrow keys', async () => {
    const { page } = await browser.visit(server.url);
    await signIn(page, ADA);
    await page.goto(PATH);
    const days = page.locator('.chart').first().locator('.day');
    const isShown = (index: number) => days.nth(index).locator('.tip').isVisible();
    expect(await isShown(3)).toBe(false);
    await days.nth(3).locator('.hit').hover();
    expect(await isShown(3)).toBe(true);
    await page.mouse.move(0, 0);
    expect(await isShown(3)).toBe(false);
    await days.last().focus();
    expect(await isShown(29)).toBe(true);
    await page.keyboard.press('ArrowLeft');
    expect([await isShown(29), await isShown(28)]).toEqual([false, true]);
    await page.keyboard.press('Home');
    expect(await isShown(0)).toBe(true);
    await page.keyboard.press('ArrowLeft');
    expect(await isShown(0)).toBe(true);
    expect(await days.first().getAttribute('aria-label')).toMatch(/^\w+ \d+, \d{4}: \d+ search/);
  });

  it('shows the value of a day for a touch without JavaScript', async () => {
    const look = { isPhone: true, isWithoutScript: true };
    const { page } = await browser.visit(server.url, look);
    await signIn(page, ADA);
    await page.goto(`${PATH}?days=30`);
    const day = page.locator('.chart').first().locator('.day').nth(10);
    await day.locator('.hit').tap();
    expect(await day.locator('.tip').isVisible()).toBe(true);
  });

  it('says what is wrong with a range, and finds no key of others', async () => {
    const own = await signedInClient(server.url, ADA);
    for (const [query, said] of [
      ['from=2026-03-02&to=2026-03-01', 'These days are reversed'],
      ['from=2000-01-01', 'Choose at most 400'],
      ['days=31', 'must be 30, 90, or 365'],
    ]) {
      const { status, text } = await own.get(`${PATH}?${query}`);
      expect([status, text.includes(String(said))], query).toEqual([400, true]);
    }
    const eve = await signedInClient(server.url, EVE);
    expect((await eve.get(`${PATH}?key=${ada.prefix}`)).status).toBe(400);
    expect((await eve.get(`${PATH}?keyId=1`)).text).not.toContain(ada.prefix);
  });
});
