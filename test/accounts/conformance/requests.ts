/** Requests: their rows, counts, and what is kept of them for how long. */
import { describe, expect, it } from 'vitest';
import { newSecret } from '../../../src/accounts/sql/api-keys.ts';
import type { NewRequest } from '../../../src/accounts/sql/request-rows.ts';
import { NOW } from '../../support/accounts.ts';
import { countsOf, recorded } from '../../support/recorded.ts';
import {
  type AccountsUnderTest,
  addPerson,
  DAY_MS,
  type GetAccounts,
  newHold,
  type Person,
} from './accounts-under-test.ts';

const TODAY = '2026-03-14';

/** Records a request of a person. Resolves to its id. */
export async function recordFor(
  { store }: AccountsUnderTest,
  { customerId, key }: Person,
  request: Partial<NewRequest> = {},
): Promise<string> {
  const one = recorded({ customerId, keyId: key.id, createdAt: NOW, ...request });
  await store.recordRequests({ requests: [one], counts: countsOf([one]) });
  return one.requestId;
}

export function testRequests(get: GetAccounts): void {
  /** A search that was answered, and a failure after it. */
  const addActive = async (): Promise<Person> => {
    const person = await addPerson(get());
    await recordFor(get(), person, { lanes: 'arxiv,web' });
    await recordFor(get(), person, { path: '/mcp', status: 503, code: 'degraded' });
    return person;
  };

  describe('requests', () => {
    it('has a row for each request, in pages that nothing shifts', async () => {
      const person = await addActive();
      const { customerId } = person;
      const read = (start: { before?: number }) =>
        get().store.readRequests({ customerId, ...start, requestsMax: 1 });
      const { page, totals } = await read({});
      expect(page.rows).toMatchObject([{ path: '/mcp', code: 'degraded', credits: 0 }]);
      expect(page.next).toBe(page.rows[0]?.id);
      expect(totals.map(({ path, status, code, calls }) => [path, status, code, calls])).toEqual(
        expect.arrayContaining([
          ['/v1/search', 200, '', 1],
          ['/mcp', 503, 'degraded', 1],
        ]),
      );
      await recordFor(get(), person);
      const before = page.rows[0]?.id ?? 0;
      const second = await read({ before });
      expect(second.page.rows).toMatchObject([{ path: '/v1/search', lanes: 'arxiv,web' }]);
      expect(second.page.next).toBeUndefined();
    });

    it('can filter requests', async () => {
      const { customerId, key } = await addActive();
      const countOf = async (filter: object) => {
        const request = { customerId, requestsMax: 9, ...filter };
        return (await get().store.readRequestPage(request)).rows.length;
      };
      expect(await countOf({ path: '/mcp' })).toBe(1);
      expect(await countOf({ status: 'failed', keyId: key.id })).toBe(1);
      expect(await countOf({ status: 503, path: '/v1/search' })).toBe(0);
      expect(await countOf({ status: 200, keyId: key.id })).toBe(1);
      const day = Date.parse(TODAY);
      expect(await countOf({ from: day, until: day + DAY_MS })).toBe(2);
      expect(await countOf({ from: day + DAY_MS })).toBe(0);
    });

    it('finds a request with its parts in the ledger, and its refund', async () => {
      const person = await addPerson(get(), { credits: 9 });
      const requestId = crypto.randomUUID();
      // The second question failed before anything was held.
      for (const part of [1, 3]) {
        await get().store.hold({ ...newHold(person), requestId: `${requestId}-${part}` });
        await get().store.settle(`${requestId}-${part}`);
      }
      await recordFor(get(), person, { requestId, path: '/v1/search/batch', credits: 2 });
      await get().operator.refundSearch({ requestId: `${requestId}-3`, now: NOW });
      const found = await get().store.findRequest({ requestId });
      expect(found).toMatchObject({ customerId: person.customerId, credits: 1 });
      expect(found?.entries.map(({ kind }) => kind)).toEqual([
        ...['hold', 'settle', 'hold', 'settle', 'refund'],
      ]);
    });

    it('keeps what was asked as long as the customer wants it', async () => {
      const person = await addPerson(get());
      const { customerId } = person;
      const { store } = get();
      const ask = (asked: string) => recordFor(get(), person, { asked });
      const askedIn = async (requestId: string) => (await store.findRequest({ requestId }))?.asked;
      const unkept = await ask('before');
      await store.setAskedDays({ customerId, days: 7 });
      const kept = await ask('meanwhile');
      expect([await askedIn(unkept), await askedIn(kept)]).toEqual([null, 'meanwhile']);
      await store.forgetAsked({ now: NOW + 7 * DAY_MS - 1, limit: 9 });
      expect(await askedIn(kept)).toBe('meanwhile');
      await store.forgetAsked({ now: NOW + 7 * DAY_MS, limit: 9 });
      expect(await askedIn(kept)).toBeNull();
      const again = await ask('again');
      expect(await store.forgetAsked({ customerId, limit: 9 })).toBe(1);
      expect(await askedIn(again)).toBeNull();
    });

    it('deletes old requests, and those beyond a number, but not their counts', async () => {
      const person = await addPerson(get());
      const { customerId } = person;
      const { store } = get();
      const ids = [
        await recordFor(get(), person, { createdAt: NOW - DAY_MS }),
        await recordFor(get(), person, {}),
      ];
      const isThere = async (requestId = '') =>
        (await store.findRequest({ requestId })) !== undefined;
      const limits = { requestsMax: 1_000_000, limit: 1_000 };
      while ((await store.deleteOldRequests({ ...limits, before: NOW })) === limits.limit);
      expect([await isThere(ids[0]), await isThere(ids[1])]).toEqual([false, true]);
      while ((await store.deleteOldRequests({ ...limits, before: 0, requestsMax: 0 })) > 0);
      expect(await isThere(ids[1])).toBe(false);
      expect(await store.countRequests({ customerId })).toMatchObject([{ calls: 2 }]);
      const own = await recordFor(get(), person);
      expect(await store.deleteRequestsOf({ customerId, limit: 9 })).toBe(1);
      expect(await isThere(own)).toBe(false);
    });

    it('knows whose a secret was', async () => {
      const { customerId, key, secret } = await addPerson(get());
      const { store } = get();
      await store.revokeOwnKey({ customerId, prefix: key.prefix, now: NOW });
      expect(await store.findKeyOfSecret(secret)).toEqual({
        id: key.id,
        customerId,
        prefix: key.prefix,
      });
      const other = secret.replace(/.{6}$/, '000000');
      expect(await store.findKeyOfSecret(other)).toBeUndefined();
      expect(await store.findKeyOfSecret(newSecret().secret)).toBeUndefined();
    });

    it('lists failures by key and error, the latest first, and those of nobody', async () => {
      const { customerId, email, key } = await addActive();
      const stranger = { customerId: 0, keyId: 0, day: TODAY, path: '/mcp' };
      const refused = { status: 401, code: 'invalid_key', calls: 3, lastAt: NOW + 5 };
      await get().store.recordRequests({ requests: [], counts: [{ ...stranger, ...refused }] });
      const failures = await get().operator.listFailures({ firstDay: TODAY, limit: 1_000 });
      expect(failures[0]).toEqual({
        customerId: null,
        customer: null,
        keyName: null,
        keyPrefix: null,
        status: 401,
        code: 'invalid_key',
        calls: expect.any(Number),
        lastAt: NOW + 5,
      });
      expect(failures.filter((failure) => failure.customerId === customerId)).toEqual([
        {
          customerId,
          customer: email,
          keyName: 'agent',
          keyPrefix: key.prefix,
          status: 503,
          code: 'degraded',
          calls: 1,
          lastAt: NOW,
        },
      ]);
      const later = { firstDay: '2026-03-15', limit: 9 };
      expect(await get().operator.listFailures(later)).toEqual([]);
    });
  });
}
