/** A filter of the ledger that cannot be: what the page, the file and other pages say of it. */
import { describe, expect, it } from 'vitest';
import { addKey, addReturned, addSearches, addSomeone } from '../support/history.ts';
import { type Client, signedInClient, useServer } from '../support/pages.ts';

const ADA = 'ada@example.org';

const ada = { prefix: '' };
let returned = { failed: '', refunded: '' };
const server = useServer(async (database) => {
  const { customerId } = addSomeone(database, { email: ADA, credits: 50 });
  const { key } = addKey(database, customerId, 'Notebook');
  addSearches(database, { customerId, keyId: key.id }, { days: 3, countOf: () => 2 });
  returned = addReturned(database, { customerId, keyId: key.id });
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
      const page = await own.get(`/dashboard/accounting?${query}`);
      expect([page.status, page.text.includes('Call charged')], query).toEqual([400, false]);
      expect(page.headers['x-error-code'], query).toBe('bad_request');
      const file = await own.get(`/dashboard/accounting.csv?${query}`);
      expect([file.status, file.headers['content-type']], query).toEqual([
        ...[400, 'text/html; charset=utf-8'],
      ]);
      const name = query.split('&').at(-1)?.split('=', 1)[0];
      expect(file.text).toContain(`“${name}”`);
    }
    const right = `kind=searches&key=${ada.prefix}&from=2026-01-01&to=&before=999`;
    for (const path of ['accounting', 'accounting.csv']) {
      expect((await own.get(`/dashboard/${path}?${right}`)).status).toBe(200);
    }
  });
});

it('the accounting view finds what was returned, on the page and in its file', async () => {
  const own = await signedInClient(server.url, ADA);
  const { text } = await own.get('/dashboard/accounting?kind=returned');
  const file = await own.get('/dashboard/accounting.csv?kind=returned');
  expect(file.headers['content-disposition']).toContain('verbatim-accounting.csv');
  expect(file.text.trimEnd().split('\r\n')).toHaveLength(3);
  for (const requestId of Object.values(returned)) {
    expect(text).toContain(requestId);
    expect(file.text).toContain(requestId);
  }
});
