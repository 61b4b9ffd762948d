/** The page Try it and the money: the same limits and refusals as those of the API. */
import { describe, expect, it, vi } from 'vitest';
import { createKey } from '../../src/accounts/sql/api-keys.ts';
import { auditLedger } from '../../src/accounts/sqlite/ledger/audit.ts';
import { changeOnSqlite } from '../../src/database/sqlite/run-on-sqlite.ts';
import type { Got } from '../http/contract.ts';
import { addSomeone, inStore } from '../support/history.ts';
import { withLimits } from '../support/limits.ts';
import { type Client, signedInClient, useServer } from '../support/pages.ts';
import { PATIENT } from '../support/patient.ts';

const ADA = 'ada@example.org';
const POOR = 'poor@example.org';

const keys: Record<string, string> = {};
const server = useServer(
  async (database) => {
    const ada = addSomeone(database, { email: ADA, credits: 20 });
    const poor = addSomeone(database, { email: POOR });
    inStore(database, (db) => {
      const add = (name: string, customerId: number, caps: object): void => {
        const none = { requestsPerMinute: null, inFlightMax: null, creditsPerMonthMax: null };
        const input = { customerId, name, ...none, ...caps, now: Date.now() };
        keys[name] = changeOnSqlite(db, createKey(input)).key.prefix;
      };
      add('plain', ada.customerId, {});
      add('slow', ada.customerId, { requestsPerMinute: 1 });
      add('single', ada.customerId, { inFlightMax: 1 });
      add('capped', ada.customerId, { creditsPerMonthMax: 1 });
      add('poor', poor.customerId, {});
    });
  },
  // Two requests in a row come in this time, on a busy machine, too.
  withLimits({ triedSearchFetchMs: 8_000 }),
);

function tryIt(client: Client, key: string, fields: Record<string, string> = {}): Promise<Got> {
  const input = { query: 'sleep', limit: '3', key: keys[key] ?? key, ...fields };
  return client.submit('/dashboard/try', input);
}

/** Waits until nothing is held any more. */
async function settledBalance(email: string): Promise<number> {
  await vi.waitFor(() => {
    expect(inStore(server.database, auditLedger)).toMatchObject({ held: 0, differences: [] });
  }, PATIENT);
  return inStore(server.database, (db) =>
    Number(db.prepare('SELECT balance FROM customers WHERE email = ?').pluck().get(email)),
  );
}

async function expectRefused(got: Got, status: number, message: string): Promise<void> {
  expect(got.status).toBe(status);
  expect(got.text).toContain(message);
  expect(got.text).toContain('You were not charged');
}

describe('a search that was tried', () => {
  it('is charged when it is shown', async () => {
    const client = await signedInClient(server.url, ADA);
    const before = await settledBalance(ADA);
    const sent = await tryIt(client, 'plain');
    expect(sent.status).toBe(303);
    expect((await client.get(String(sent.headers.location))).status).toBe(200);
    expect(await settledBalance(ADA)).toBe(before - 1);
  });

  it('says that a question is in a language that the model does not read', async () => {
    const client = await signedInClient(server.url, ADA);
    const sent = await tryIt(client, 'plain', { query: 'Wie hilft der Schlaf?' });
    const { text } = await client.get(String(sent.headers.location));
    expect(text).toContain('The question is in German, and the model reads English');
  });

  it('is released if nobody opens it, and cannot be opened afterward', async () => {
    const client = await signedInClient(server.url, ADA);
    const before = await settledBalance(ADA);
    const sent = await tryIt(client, 'plain');
    expect(inStore(server.database, auditLedger).held).toBe(1);
    expect(await settledBalance(ADA)).toBe(before);
    expect((await client.get(String(sent.headers.location))).status).toBe(404);
    const again = await tryIt(client, 'plain');
    expect((await client.get(String(again.headers.location))).status).toBe(200);
    expect(await settledBalance(ADA)).toBe(before - 1);
  });

  it('is charged once, however often it is sent', async () => {
    const client = await signedInClient(server.url, ADA);
    const before = await settledBalance(ADA);
    const form = { ...(await client.hidden('/dashboard/try')), query: 'sleep', limit: '3' };
    const send = () => client.post('/dashboard/try', { ...form, key: keys['plain'] ?? '' });
    const sent = await Promise.all([send(), send()]);
    const [place] = sent.map(({ headers }) => String(headers.location));
    expect((await client.get(String(place))).status).toBe(200);
    // Back loads the form again.
    sent.push(await send(), await tryIt(client, 'plain'));
    expect(new Set(sent.map(({ headers }) => headers.location))).toEqual(new Set([place]));
    expect(await settledBalance(ADA)).toBe(before - 1);
    const other = await tryIt(client, 'plain', { limit: '5' });
    expect(other.headers.location).not.toBe(place);
    const elsewhere = await tryIt(await signedInClient(server.url, ADA), 'plain');
    expect(elsewhere.headers.location).not.toBe(place);
  });

  it.each([
    ['no question', { query: '' }, 'empty query'],
    ['half a result', { limit: '1.5' }, 'limit: expected an integer'],
  ])('returns %s and charges nothing', async (_name, fields, message) => {
    const client = await signedInClient(server.url, ADA);
    const before = await settledBalance(ADA);
    await expectRefused(await tryIt(client, 'plain', { ...fields }), 400, message);
    expect(await settledBalance(ADA)).toBe(before);
  });

  it('returns 402 without credit', async () => {
    const client = await signedInClient(server.url, POOR);
    await expectRefused(await tryIt(client, 'poor'), 402, 'insufficient credit balance');
  });

  it('respects the rate limit, the concurrency limit and the monthly cap of its key', async () => {
    const client = await signedInClient(server.url, ADA);
    expect((await tryIt(client, 'slow')).status).toBe(303);
    await expectRefused(
      await tryIt(client, 'slow', { query: 'memory' }),
      429,
      'rate limit exceeded',
    );
    // Until it is fetched, the first one has the key's only place.
    const first = await tryIt(client, 'single');
    const other = { query: 'memory' };
    await expectRefused(await tryIt(client, 'single', other), 429, 'rate limit exceeded');
    await client.get(String(first.headers.location));
    await vi.waitFor(
      async () => expect((await tryIt(client, 'single', other)).status).toBe(303),
      PATIENT,
    );
    const capped = await tryIt(client, 'capped');
    await client.get(String(capped.headers.location));
    await settledBalance(ADA);
    await expectRefused(await tryIt(client, 'capped', other), 402, 'monthly credit cap');
  });

  it('is released if the server stops before it is fetched', async () => {
    const client = await signedInClient(server.url, ADA);
    await tryIt(client, 'plain');
    expect(await server.service.end()).toBe(0);
    expect(inStore(server.database, auditLedger)).toMatchObject({ held: 0, differences: [] });
  });
});
