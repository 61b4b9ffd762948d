/** A filter of the ledger that cannot be: what the page, the file and other pages say of it. */
import { describe, expect, it } from 'vitest';
import { useBrowser } from '../support/browser.ts';
import { addKey, addSearches, addSomeone } from '../support/history.ts';
import { type Client, signedInClient, signIn, useServer } from '../support/pages.ts';

const ADA = 'ada@example.org';

const ada = { prefix: '' };
const browser = useBrowser();
const server = useServer(async (database) => {
  const { customerId } = addSomeone(database, { email: ADA, credits: 50 });
  const { key } = addKey(database, customerId, 'Notebook');
  addSearches(database, { customerId, keyId: key.id }, { days: 3, countOf: () => 2 });
  ada.prefix = key.prefix;
});

const wrong = [
  ...['kind=nonsense', 'key=0000000000', 'from=2026-02-30', 'to=yesterday'],
  ...['from=2026-03-02&to=2026-03-01', 'before=x', 'from=2026-01-01&from=2026-01-02'],
];

describe('a malformed ledger filter', () => {
  it('returns 400 for the page and the file, for GET and HEAD, without entries', async () => {
    const own: Client = await signedInClient(server.url, ADA);
    for (const query of wrong) {
      const page = await own.get(`/dashboard/activity/accounting?${query}`);
      expect([page.status, page.text.includes('Search charged')], query).toEqual([400, false]);
      expect(page.headers['x-error-code'], query).toBe('bad_request');
      const file = await own.get(`/dashboard/activity/accounting.csv?${query}`);
      expect([file.status, file.headers['content-type']], query).toEqual([
        ...[400, 'text/html; charset=utf-8'],
      ]);
      const name = query.split('&').at(-1)?.split('=', 1)[0];
      expect(file.text).toContain(`“${name}”`);
    }
    const right = `kind=searches&key=${ada.prefix}&from=2026-01-01&to=&before=999`;
    for (const path of ['activity/accounting', 'activity/accounting.csv']) {
      expect((await own.get(`/dashboard/${path}?${right}`)).status).toBe(200);
    }
  });

  it('keeps its addresses of earlier versions', async () => {
    const own = await signedInClient(server.url, ADA);
    const old = await own.get('/dashboard/ledger?kind=payments&until=2026-03-01');
    expect([old.status, old.headers.location]).toEqual([
      ...[303, '/dashboard/activity/accounting?kind=payments&to=2026-03-01'],
    ]);
    const { location } = (await own.get('/dashboard/ledger.csv')).headers;
    expect(location).toBe('/dashboard/activity/accounting.csv');
  });

  it('is explained beside its field, which keeps the input to correct', async () => {
    const { page } = await browser.visit(server.url);
    await signIn(page, ADA);
    const query = `kind=nonsense&key=${ada.prefix}&from=2026-02-30&to=2026-03-01`;
    expect((await page.goto(`/dashboard/activity/accounting?${query}`))?.status()).toBe(400);
    expect(await page.getByRole('alert').textContent()).toContain('entries are not shown');
    expect(await page.getByLabel('From (UTC)').inputValue()).toBe('2026-02-30');
    expect(await page.getByLabel('To (UTC)').inputValue()).toBe('2026-03-01');
    expect(await page.getByLabel('Show').inputValue()).toBe('nonsense');
    expect(await page.getByLabel('Key').inputValue()).toBe(ada.prefix);
    expect(await page.locator('.wrong').allTextContents()).toEqual([
      ...[
        'Choose one of: payments, searches, returned.',
        '“2026-02-30” is not a day. Enter a day such as 2026-03-14.',
      ],
    ]);
    expect(await page.locator('[aria-invalid="true"]').count()).toBe(2);
    await page.getByLabel('Show').selectOption({ label: 'Searches' });
    await page.getByLabel('From (UTC)').fill('');
    await page.getByLabel('To (UTC)').fill('');
    await page.getByRole('button', { name: 'Filter' }).click();
    await page.waitForURL('**kind=searches*');
    expect(await page.locator('tbody tr').count()).toBeGreaterThan(0);
  });
});

describe('the usage page', () => {
  it.each([
    ['', 200],
    ['?days=30', 200],
    ['?days=90', 200],
    ['?days=31', 400],
    ['?days=365', 200],
    ['?days=9e1', 400],
  ])('with the query "%s" returns %d', async (query, status) => {
    const own = await signedInClient(server.url, ADA);
    const got = await own.get(`/dashboard/usage${query}`);
    expect(got.status).toBe(status);
    if (status === 400) expect(got.text).toContain('must be 30, 90, or 365');
  });
});
