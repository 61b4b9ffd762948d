/** The name of an account, and the time zone in which its pages show times. */
import { expect, it } from 'vitest';
import { topUp } from '../../src/accounts/sql/credit-entries.ts';
import { changeOnSqlite } from '../../src/database/sqlite/run-on-sqlite.ts';
import { addSomeone, inStore } from '../support/history.ts';
import { type Client, signedInClient, useServer } from '../support/pages.ts';

const ADA = 'ada@example.org';
const PAGE = '/dashboard/account';
/** A quarter to midnight in UTC, which is the next day in Kathmandu. */
const CREATED_AT = Date.UTC(2026, 10, 28, 23, 45);
const server = useServer((database) => {
  const { customerId } = addSomeone(database, { email: ADA });
  inStore(database, (db) => changeOnSqlite(db, topUp({ customerId, credits: 5, now: CREATED_AT })));
});

/** The texts of all times of a page. */
async function timesOf(client: Client, path: string): Promise<string[]> {
  const html = (await client.get(path)).text;
  return [...html.matchAll(/<time[^>]*>(.*?)<\/time>/gs)].map(([, time = '']) =>
    time.replaceAll(/<[^>]+>/g, ''),
  );
}

it('has times in UTC until a zone is chosen, and then in both', async () => {
  const client = await signedInClient(server.url, ADA);
  expect(await timesOf(client, '/dashboard/accounting')).toContain('Nov 28, 2026, 23:45 UTC');
  await client.submit(`${PAGE}/profile`, { name: ' Tide & Co ', zone: 'Asia/Kathmandu' }, PAGE);
  const times = await timesOf(client, '/dashboard/accounting');
  expect(times).toContain('Nov 29, 2026, 05:30 (Nov 28, 23:45 UTC)');
  const page = (await client.get(PAGE)).text;
  expect(page).toContain('<bdi>Tide &amp; Co</bdi>');
});

it.each([
  [{ name: 'x'.repeat(61), zone: 'UTC' }, 'at most 60 characters'],
  [{ name: 'a\u202Eb', zone: 'UTC' }, 'no control characters'],
  [{ name: 'Tide', zone: 'Mars/Olympus' }, 'one of the time zones'],
])('refuses %j, and keeps what was typed', async (fields, message) => {
  const client = await signedInClient(server.url, ADA);
  const response = await client.submit(`${PAGE}/profile`, fields, PAGE);
  expect(response.status).toBe(400);
  expect(response.text).toContain(message);
  expect(response.text).toContain(`value="${fields.name}"`);
});
