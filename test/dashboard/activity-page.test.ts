/** The page Activity: one line for each search, totals, filters, pages, and its file. */
import { describe, expect, it } from 'vitest';
import { useBrowser } from '../support/browser.ts';
import { addKey, addReturned, addSearches, addSomeone } from '../support/history.ts';
import { type Client, signedInClient, signIn, useServer } from '../support/pages.ts';
import { postSearch } from '../support/service.ts';

const ADA = 'ada@example.org';
const SEARCHES = 130;
const PATH = '/dashboard/activity';

const ada = { prefix: '', secret: '', failed: '', refunded: '' };
const browser = useBrowser();
const server = useServer(async (database) => {
  const { customerId } = addSomeone(database, { email: ADA, credits: 500 });
  const { key, secret } = addKey(database, customerId, 'Notebook');
  const own = { customerId, keyId: key.id };
  addSearches(database, own, { days: 1, countOf: () => SEARCHES });
  Object.assign(ada, { prefix: key.prefix, secret, ...addReturned(database, own) });
});

/** The path of the link with this text. */
function linkIn(html: string, text: string): string | undefined {
  const href = new RegExp(`href="([^"]+)"[^>]*>${text}<`).exec(html)?.[1];
  return href?.replaceAll('&amp;', '&');
}

const requestIds = (html: string): string[] =>
  [...html.matchAll(/<span class="mono id">([\w-]{36})</g)].map(([, id]) => String(id));

describe('the page Activity', () => {
  it('has one line for each search on its pages, and turns them in both directions', async () => {
    const own: Client = await signedInClient(server.url, ADA);
    const pages: string[] = [];
    for (let at: string | undefined = PATH; at !== undefined; ) {
      const { status, text } = await own.get(at);
      expect(status).toBe(200);
      pages.push(text);
      at = linkIn(text, 'Older');
    }
    const ids = pages.flatMap(requestIds);
    expect(ids).toHaveLength(SEARCHES + 2);
    expect(new Set(ids).size).toBe(ids.length);
    const back = linkIn(pages[2] ?? '', 'Newer');
    expect(requestIds((await own.get(String(back))).text)).toEqual(requestIds(pages[1] ?? ''));
    expect(linkIn(pages[0] ?? '', 'Newer')).toBeUndefined();
  });

  it('shows the outcomes, and totals of all pages', async () => {
    const { page } = await browser.visit(server.url);
    await signIn(page, ADA);
    await page.goto(PATH);
    const tiles = await page.locator('.tile').allTextContents();
    expect(tiles[0]).toBe('Calls132130 charged, 1 free, 1 refunded');
    expect(tiles[1]).toContain('130');
    expect(tiles[2]).toContain('+500');
    const lineOf = (id: string) => page.locator('tbody tr', { hasText: id }).textContent();
    expect(await lineOf(ada.failed)).toMatch(/Search.*Free.*0.*Notebook/);
    expect(await lineOf(ada.refunded)).toMatch(/Search.*Refunded.*0.*Notebook/);
    await page.getByLabel('Outcome').selectOption({ label: 'Free' });
    await page.getByRole('button', { name: 'Filter' }).click();
    await page.waitForURL('**outcome=free*');
    expect(await page.locator('tbody tr').count()).toBe(1);
    expect(await page.getByLabel('Outcome').inputValue()).toBe('free');
    expect(await page.locator('.tile').first().textContent()).toBe('Calls11 free');
  });

  it('names the kind of each call', async () => {
    const headers = { authorization: `Bearer ${ada.secret}` };
    const found = await postSearch(server.url, ada.secret);
    const { results } = (await found.json()) as { results: { d: string }[] };
    const id = encodeURIComponent(String(results[0]?.d));
    for (const path of [`paper?id=${id}`, `similar?id=${id}`]) {
      expect((await fetch(`${server.url}/v1/${path}`, { headers })).status, path).toBe(200);
    }
    const verify = await fetch(`${server.url}/v1/verify`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({
        items: [{ quote: 'Nobody has ever written this sentence about x.' }],
      }),
    });
    expect(verify.status).toBe(200);
    const own = await signedInClient(server.url, ADA);
    for (const kind of ['paper', 'similar', 'verify']) {
      const { text } = await own.get(`${PATH}?kind=${kind}`);
      expect(requestIds(text), kind).toHaveLength(1);
    }
  });

  it('says what is wrong with a filter, and keeps what was typed', async () => {
    const { page } = await browser.visit(server.url);
    await signIn(page, ADA);
    const query = `outcome=lost&key=${ada.prefix}&from=2026-03-02&to=2026-03-01`;
    expect((await page.goto(`${PATH}?${query}`))?.status()).toBe(400);
    expect(await page.getByRole('alert').textContent()).toContain('lines are not shown');
    expect(await page.getByLabel('Outcome').inputValue()).toBe('lost');
    expect(await page.getByLabel('Key').inputValue()).toBe(ada.prefix);
    expect(await page.getByLabel('From (UTC)').inputValue()).toBe('2026-03-02');
    expect(await page.getByLabel('To (UTC)').inputValue()).toBe('2026-03-01');
    expect(await page.locator('.wrong').allTextContents()).toEqual([
      'Choose one of: charged, free, refunded, open.',
      'These days are reversed: 2026-03-01 is before 2026-03-02. Enter 2026-03-02 or a later day.',
    ]);
  });

  it('downloads the lines of its filter', async () => {
    const own = await signedInClient(server.url, ADA);
    const { headers, text } = await own.get(`${PATH}.csv?outcome=refunded`);
    expect(headers['content-disposition']).toContain('verbatim-activity.csv');
    expect(text.trimEnd().split('\r\n')).toEqual([
      expect.stringMatching(/^\uFEFF?Time \(UTC\),What,Outcome,/),
      expect.stringContaining(`,Search,Refunded,0,Notebook,${ada.prefix},${ada.refunded}`),
    ]);
  });

  it('has totals and lines of the same days', async () => {
    const own = await signedInClient(server.url, ADA);
    const [yesterday, today] = [Date.now() - 86_400_000, Date.now()].map((time) =>
      new Date(time).toISOString().slice(0, 10),
    );
    const { text } = await own.get(`${PATH}?from=2020-01-01&to=2020-01-02`);
    expect(text).toContain('Nothing matches this filter');
    expect((await own.get(`${PATH}?kind=topup&from=${yesterday}&to=${today}`)).text).toContain(
      '+500',
    );
  });
});
