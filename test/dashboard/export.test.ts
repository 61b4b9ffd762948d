/** The export of an account: what is in it, what is not, and who gets it. */
import { buffer } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { inviteMember } from '../../src/accounts/sql/member-rows.ts';
import { placeOrder } from '../../src/accounts/sql/payments.ts';
import { changeOnSqlite } from '../../src/database/sqlite/run-on-sqlite.ts';
import { useBrowser } from '../support/browser.ts';
import {
  addConnection,
  addKey,
  addReturned,
  addSearches,
  addSomeone,
  inStore,
} from '../support/history.ts';
import { withLimits } from '../support/limits.ts';
import { createClient, signedInClient, signIn, useServer } from '../support/pages.ts';
import { unzip } from '../support/unzip.ts';

const ADA = 'ada@example.org';
const EVE = 'eve@example.org';
const PATH = '/dashboard/account/export.zip';

let secret = '';
let searches = 0;
const server = useServer(
  async (database) => {
    const { customerId } = addSomeone(database, { email: ADA, credits: 500 });
    const { key, ...created } = addKey(database, customerId, '=HYPERLINK("x")');
    secret = created.secret;
    const countOf = (ago: number) => {
      searches += ago % 4;
      return ago % 4;
    };
    addSearches(database, { customerId, keyId: key.id }, { days: 60, countOf, isMeasured: true });
    addReturned(database, { customerId, keyId: key.id });
    addConnection(database, customerId, 'Reading assistant');
    const now = Date.now();
    inStore(database, (db) => {
      db.prepare('UPDATE customers SET created_at = ? WHERE id = ?').run(
        now - 90 * 86_400_000,
        customerId,
      );
      const invited = { customerId, email: 'colleague@example.org', role: 'billing', now } as const;
      changeOnSqlite(db, inviteMember({ ...invited, membersMax: 9, linkExpiresAt: now }));
      for (const orderId of ['one', 'two', 'three']) {
        const order = { orderId, customerId, credits: 9, amount: 900, currency: 'usd' };
        changeOnSqlite(db, placeOrder({ ...order, perHourMax: 9, now }));
      }
    });
    const eve = addSomeone(database, { email: EVE, credits: 7 });
    addKey(database, eve.customerId, 'Eve’s own');
  },
  withLimits({ csvEntriesPerRead: 2 }),
);
const browser = useBrowser();

const linesOf = (csv: string | undefined): string[] => (csv ?? '').trim().split('\r\n').slice(1);

it('has everything of the account, and no secret', async () => {
  const { page } = await browser.visit(server.url);
  await signIn(page, ADA);
  await page.goto('/dashboard/account/data');
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Download the archive' }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^verbatim-account-\d{4}-\d\d-\d\d\.zip$/);
  const files = await unzip(await buffer(await download.createReadStream()));
  const readme = files.get('README.txt') ?? '';
  for (const name of files.keys()) if (name !== 'README.txt') expect(readme).toContain(name);
  expect(JSON.parse(files.get('profile.json') ?? '')).toMatchObject({ address: ADA });
  const count = (name: string) => linesOf(files.get(name)).length;
  expect([count('members.csv'), count('payments.csv')]).toEqual([2, 3]);
  expect(files.get('keys.csv')).toContain(',https://');
  expect(count('requests.csv')).toBeGreaterThan(searches);
  expect(count('accounting.csv')).toBeGreaterThan(2 * searches);
  expect(count('usage.csv')).toBeGreaterThan(30);
  expect(count('sessions.csv')).toBeGreaterThan(0);
  expect(files.get('keys.csv')).toContain(`"'=HYPERLINK(""x"")"`);
  const everything = [...files.values()].join('\n');
  expect(everything).not.toContain(EVE);
  expect(everything).not.toContain('Eve’s own');
  expect(everything).not.toContain(secret);
  expect(everything).not.toContain('$scrypt$');
  expect(everything).toContain('colleague@example.org');
});

it('is for owners who are signed in', async () => {
  expect((await createClient(server.url).get(PATH)).status).toBe(303);
  const eve = await signedInClient(server.url, EVE);
  const got = await eve.get(PATH);
  expect([got.status, got.headers['content-type']]).toEqual([200, 'application/zip']);
  expect(got.headers['cache-control']).toBe('no-store');
});
