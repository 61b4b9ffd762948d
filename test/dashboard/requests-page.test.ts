/** The page Requests, and the page of one request, for their customer and for operators. */
import { describe, expect, it } from 'vitest';
import { useBrowser } from '../support/browser.ts';
import { addKey, addReturned, addSearches, addSomeone } from '../support/history.ts';
import { type Client, signedInClient, signIn, useServer } from '../support/pages.ts';
import { postSearch } from '../support/service.ts';

const ADA = 'ada@example.org';
const EVE = 'eve@example.org';
const SEARCHES = 130;
const PATH = '/dashboard/requests';

const ada = { prefix: '', secret: '', failed: '', refunded: '' };
const browser = useBrowser();
const server = useServer(async (database) => {
  addSomeone(database, { email: EVE });
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

const api = (path: string, init: RequestInit = {}) =>
  fetch(`${server.url}${path}`, {
    ...init,
    headers: { authorization: `Bearer ${ada.secret}`, 'content-type': 'application/json' },
  });

describe('the page Requests', () => {
  it('has one line for each request on its pages', async () => {
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
    expect(linkIn(pages[2] ?? '', 'Newest')).toBe(PATH);
    expect(linkIn(pages[0] ?? '', 'Newest')).toBeUndefined();
  });

  it('shows what became of them, filters, and leads to each', async () => {
    const { page } = await browser.visit(server.url);
    await signIn(page, ADA);
    await page.goto(PATH);
    await page.getByLabel('Status').selectOption({ label: 'Failed' });
    await page.getByRole('button', { name: 'Filter' }).click();
    await page.waitForURL('**status=failed*');
    const rows = page.locator('tbody tr');
    expect(await rows.count()).toBe(1);
    expect(await rows.first().textContent()).toMatch(
      /504 search_timeout.*\/v1\/search.*Notebook.*12 ms.*0/,
    );
    await rows.first().getByRole('link').click();
    await page.waitForURL(`**${PATH}/${ada.failed}`);
    expect(await page.locator('main').textContent()).toContain('search_timeout');
    await page.goto(`${PATH}?id=${ada.refunded}`);
    expect(new URL(page.url()).pathname).toBe(`${PATH}/${ada.refunded}`);
    expect(await page.locator('main').textContent()).toMatch(/Refunded.*wrong abstract/);
    await page.goto(`${PATH}?id=nothing`);
    expect(await page.locator('.wrong').textContent()).toContain('No request with this id');
  });

  it('shows each path and error of the API, as soon as it was answered', async () => {
    const found = await postSearch(server.url, ada.secret);
    const { results } = (await found.json()) as { results: { d: string }[] };
    const id = encodeURIComponent(String(results[0]?.d));
    const asked: [path: string, init?: RequestInit][] = [
      [`/v1/paper?id=${id}`],
      [`/v1/similar?id=${id}`],
      ['/v1/usage'],
      [
        '/v1/verify',
        { method: 'POST', body: '{"items":[{"quote":"Nobody wrote this about x."}]}' },
      ],
      ['/v1/search', { method: 'POST', body: '{"query":""}' }],
      ['/mcp', { method: 'POST', body: '{' }],
    ];
    const own = await signedInClient(server.url, ADA);
    for (const [path, init] of asked) {
      const response = await api(path, init);
      await response.arrayBuffer();
      const route = path.replace(/\?.*/, '');
      const { text } = await own.get(`${PATH}?path=${route}&status=${response.status}`);
      const ids = requestIds(text);
      expect(ids, path).toContain(response.headers.get('x-request-id'));
    }
  });

  it('keeps what was asked only if the customer wants it, and tries it again', async () => {
    const { page } = await browser.visit(server.url);
    await signIn(page, ADA);
    const ask = async (question: string): Promise<string> => {
      const body = JSON.stringify({ query: question, filter: { year: { from: 1990 } } });
      const response = await api('/v1/search', { method: 'POST', body });
      await response.arrayBuffer();
      return String(response.headers.get('x-request-id'));
    };
    const secret = await ask('a question that is not kept');
    // What is asked within the second before the change may be kept.
    await page.goto(PATH);
    await page.goto('/dashboard/account');
    await page.getByLabel('Keep the text of requests').selectOption({ label: 'For a week' });
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.waitForURL('**done=saved');
    const kept = await ask('does sleep help memory');
    await page.goto(`${PATH}/${secret}`);
    expect(await page.locator('main').textContent()).toContain('This is not kept.');
    await page.goto(`${PATH}/${kept}`);
    const shown = String(await page.locator('main').textContent());
    expect(shown).toContain('"query": "does sleep help memory"');
    for (const step of ['Embedding the question', 'Charged when it was sent', '1 credit']) {
      expect(shown).toContain(step);
    }
    await page.getByRole('link', { name: 'Try again' }).click();
    expect(await page.getByLabel('Question').inputValue()).toBe('does sleep help memory');
    expect(await page.locator('[name=year_from]').inputValue()).toBe('1990');
    const eve = await signedInClient(server.url, EVE);
    expect((await eve.get(`${PATH}/${kept}`)).status).toBe(404);
  });

  it('says what is wrong with a filter, and keeps what was typed', async () => {
    const { page } = await browser.visit(server.url);
    await signIn(page, ADA);
    const query = `status=lost&key=${ada.prefix}&from=2026-03-02&to=2026-03-01`;
    expect((await page.goto(`${PATH}?${query}`))?.status()).toBe(400);
    expect(await page.getByRole('alert').textContent()).toContain('requests are not shown');
    expect(await page.getByLabel('Status').inputValue()).toBe('lost');
    expect(await page.getByLabel('Key').inputValue()).toBe(ada.prefix);
    expect(await page.locator('.wrong').count()).toBe(2);
  });

  it('downloads the requests of its filter', async () => {
    const own = await signedInClient(server.url, ADA);
    const csv = await own.get(`${PATH}.csv?status=504`);
    expect(csv.headers['content-disposition']).toContain('verbatim-requests.csv');
    expect(csv.text).toContain(
      `504,search_timeout,/v1/search,Notebook,${ada.prefix},12,0,,${ada.failed}`,
    );
    const json = await own.get(`${PATH}.json?status=504`);
    expect(JSON.parse(json.text)).toContainEqual(
      expect.objectContaining({ requestId: ada.failed, error: 'search_timeout' }),
    );
    const usage = await own.get('/dashboard/usage.csv?days=30');
    expect(usage.text).toContain(`,Notebook,${ada.prefix},/v1/search,504,search_timeout,`);
  });
});

describe('a revoked key', () => {
  it('is seen by its customer, although its requests are refused', async () => {
    const own = await signedInClient(server.url, ADA);
    await own.submit('/dashboard/keys', { name: 'Old', cap: '' });
    const { text } = await own.get('/dashboard/keys');
    expect(text).toContain('Old');
    await own.submit(`/dashboard/keys/${ada.prefix}/revoke`, { name: 'Notebook' });
    const refused = await api('/v1/usage');
    expect(refused.status).toBe(401);
    await refused.arrayBuffer();
    const { text: listed } = await own.get(`${PATH}?status=401`);
    expect(requestIds(listed)).toEqual([refused.headers.get('x-request-id')]);
  });
});
