/** The steps of credit: what is refused, what follows what, and in which month and day it counts. */
import { describe, expect, it } from 'vitest';
import { NOW, PERIOD } from '../../support/accounts.ts';
import {
  addPerson,
  at,
  codeOf,
  DAY_MS,
  type GetAccounts,
  hold,
  newHold,
  outcomesOf,
  search,
} from './accounts-under-test.ts';

const TODAY = '2026-03-14';

export function testLedger(get: GetAccounts): void {
  const balanceOf = ({ customerId }: { customerId: number }) => get().store.readBalance(customerId);
  const refund = (requestId: string, now = NOW) => get().operator.refundSearch({ requestId, now });

  describe('a hold that cannot be', () => {
    it('of more than there is, or of nobody, is refused', async () => {
      const person = await addPerson(get(), { credits: 5 });
      const tooMuch = { ...newHold(person), credits: 1_000_000_000_000 };
      expect(await get().store.hold(tooMuch)).toBeUndefined();
      const ofNobody = { ...newHold(person), customerId: 987_654_321 };
      expect(await get().store.hold(ofNobody)).toBeUndefined();
      expect(await balanceOf(person)).toBe(5);
    });

    it('of no whole credit, or of no key, fails', async () => {
      const person = await addPerson(get(), { credits: 5 });
      const requestId = await hold(get(), person);
      const ofNoWhole = [0, -1, 0.5].map((credits) => ({ credits }));
      const wrong = [...ofNoWhole, { keyId: 987_654_321 }];
      for (const input of wrong) {
        expect(await codeOf(get().store.hold({ ...newHold(person), ...input }))).toBeDefined();
      }
      expect(await balanceOf(person)).toBe(4);
      expect(await get().store.release(requestId)).toBe(5);
    });
  });

  it('shares the balance between the keys of a customer, and with nobody else', async () => {
    const [person, other] = [await addPerson(get(), { credits: 5 }), await addPerson(get())];
    const caps = { requestsPerMinute: null, inFlightMax: null };
    const { email } = person;
    const { key } = await get().operator.createKey({ email, name: 'other', ...caps, now: NOW });
    const second = { ...person, key };
    const take = (of: typeof person, credits: number) =>
      get().store.hold({ ...newHold(of), credits });
    expect(await take(other, 1)).toBeUndefined();
    expect([await take(person, 3), await take(second, 2)]).toEqual([2, 0]);
    expect([await take(second, 1), await take(person, 1)]).toEqual([undefined, undefined]);
  });

  describe('a refund', () => {
    it('gives the credit back, and nothing follows it', async () => {
      const person = await addPerson(get(), { credits: 5 });
      const requestId = await search(get(), person);
      expect(await refund(requestId)).toMatchObject({ kind: 'refund', credits: 1, balance: 5 });
      expect(await get().store.settle(requestId)).toBeUndefined();
      expect(await get().store.release(requestId)).toBeUndefined();
      expect(await codeOf(refund(requestId))).toBe('not_refundable');
      expect(await balanceOf(person)).toBe(5);
    });

    it('is refused for a search that was released', async () => {
      const person = await addPerson(get(), { credits: 5 });
      const requestId = await hold(get(), person);
      await get().store.release(requestId);
      expect(await codeOf(refund(requestId))).toBe('not_refundable');
      expect(await balanceOf(person)).toBe(5);
    });

    it('counts in the month of the charge, which is that of the settlement', async () => {
      const person = await addPerson(get(), { credits: 5 });
      const ids = [await hold(get(), person), await hold(get(), person)] as const;
      await at(Date.UTC(2026, 0, 20), () => Promise.all(ids.map((id) => get().store.settle(id))));
      await refund(ids[0], Date.UTC(2026, 1, 20));
      const periods = [PERIOD, '2026-01', '2026-02'];
      const months = await Promise.all(
        periods.map((period) => get().store.readKeyAccount(person.key, { period })),
      );
      const nothing = { requests: 0, credits: 0 };
      expect(months.map(({ usage }) => usage)).toEqual([
        ...[nothing, { requests: 2, credits: 1 }, nothing],
      ]);
    });

    it('makes room under the cap, as a higher cap does', async () => {
      const person = await addPerson(get(), { credits: 9, creditsPerMonthMax: 2 });
      const { customerId, key } = person;
      const isFull = async () => (await codeOf(search(get(), person))) === 'key_cap_reached';
      await get().store.release(await hold(get(), person));
      await search(get(), person);
      const last = await search(get(), person);
      expect(await isFull()).toBe(true);
      await refund(last);
      expect([await isFull(), await isFull()]).toEqual([false, true]);
      const own = { customerId, prefix: key.prefix, name: key.name, expiresAt: null, lanes: null };
      await get().store.editOwnKey({ ...own, creditsPerMonthMax: 3 });
      expect([await isFull(), await isFull()]).toEqual([false, true]);
      await get().store.editOwnKey({ ...own, creditsPerMonthMax: null });
      expect([await isFull(), await isFull()]).toEqual([false, false]);
    });

    it('is not needed by the other keys of a customer whose key is at its cap', async () => {
      const person = await addPerson(get(), { credits: 9, creditsPerMonthMax: 1 });
      const { email } = person;
      const caps = { requestsPerMinute: null, inFlightMax: null };
      const { key } = await get().operator.createKey({ email, name: 'other', ...caps, now: NOW });
      await search(get(), person);
      expect(await codeOf(search(get(), person))).toBe('key_cap_reached');
      expect(await codeOf(search(get(), { ...person, key }))).toBeUndefined();
    });
  });

  describe('a top-up', () => {
    it('without a reference is added every time, and with one once, for anybody', async () => {
      const [person, other] = [await addPerson(get()), await addPerson(get())];
      const add = ({ email }: typeof person, reference?: string) =>
        get().operator.topUp({ email, credits: 10, reference, now: NOW });
      expect([await add(person), await add(person)]).toEqual([10, 20]);
      const reference = `invoice-${person.email}`;
      expect(await add(person, reference)).toBe(30);
      const again = await outcomesOf([add(person, reference), add(other, reference)]);
      expect(again).toEqual({ resolved: 0, codes: ['already_exists'] });
      expect([await balanceOf(person), await balanceOf(other)]).toEqual([30, 0]);
    });

    it.each([0, -1, 0.5])('of %d credits fails and changes nothing', async (credits) => {
      const person = await addPerson(get(), { credits: 5 });
      const added = get().operator.topUp({ email: person.email, credits, now: NOW });
      expect(await codeOf(added)).toBeDefined();
      expect(await balanceOf(person)).toBe(5);
    });

    it('is an entry with its reference and note, before those of searches', async () => {
      const person = await addPerson(get());
      const { email, customerId } = person;
      const reference = `transfer-${email}`;
      await get().operator.topUp({ email, credits: 5, reference, note: 'thanks', now: NOW });
      await search(get(), person);
      const entries = await get().operator.listEntries({ email, limit: 9 });
      expect(entries.map(({ kind, balance }) => [kind, balance])).toEqual([
        ...[['settle', 4] as const, ['hold', 4] as const, ['topup', 5] as const],
      ]);
      expect(entries[2]).toEqual({
        id: entries[2]?.id,
        customerId,
        keyId: null,
        kind: 'topup',
        credits: 5,
        balance: 5,
        requestId: null,
        reference,
        note: 'thanks',
        createdAt: NOW,
      });
      const newest = await get().operator.listEntries({ email, limit: 2 });
      expect(newest).toEqual(entries.slice(0, 2));
    });
  });
}

export function testMeasures(get: GetAccounts): void {
  describe('measures of answers', () => {
    it('are counted by day and key within the range, with each lane once', async () => {
      const person = await addPerson(get(), { credits: 9 });
      const { customerId, email, key } = person;
      const caps = { requestsPerMinute: null, inFlightMax: null };
      const other = await get().operator.createKey({ email, name: 'other', ...caps, now: NOW });
      const answer = async (of: typeof person, measures?: { milliseconds: number; lanes: [] }) => {
        const requestId = await hold(get(), of);
        await get().store.settle(requestId, measures);
      };
      await at(NOW - 2 * DAY_MS, () => answer(person, { milliseconds: 4, lanes: [] }));
      const id = await hold(get(), person);
      await get().store.settle(id, { milliseconds: 5, lanes: ['arxiv', 'web', 'arxiv'] });
      await answer({ ...person, key: other.key }, { milliseconds: 60_000, lanes: [] });
      await answer({ ...person, key: other.key });
      const read = (firstDay: string, ofKey: { keyId?: number } = {}) =>
        get().store.readUsage({ customerId, firstDay, lastDay: TODAY, ...ofKey });
      const { byDay } = await read('2026-03-13');
      expect([...byDay]).toEqual([
        [
          TODAY,
          {
            requests: 3,
            credits: 3,
            failed: 0,
            latencies: [
              { boundMs: 5, calls: 1 },
              { boundMs: Number.POSITIVE_INFINITY, calls: 1 },
            ],
            lanes: { arxiv: 1, web: 1, corpus: 1 },
          },
        ],
      ]);
      const { byKey } = await read('2026-03-12');
      expect([...byKey.keys()].sort()).toEqual([String(key.id), String(other.key.id)].sort());
      expect(byKey.get(String(key.id))).toMatchObject({
        requests: 2,
        latencies: [{ boundMs: 5, calls: 2 }],
      });
      const own = await read('2026-03-01', { keyId: other.key.id });
      expect([...own.byDay.values()]).toMatchObject([{ requests: 2 }]);
    });

    it('of a call that is settled twice, or not open, are counted once, or not at all', async () => {
      const person = await addPerson(get(), { credits: 5 });
      const { customerId } = person;
      const once = await hold(get(), person);
      for (const id of [once, once, 'never held']) {
        await get().store.settle(id, { milliseconds: 5, lanes: [] });
      }
      const range = { customerId, firstDay: TODAY, lastDay: TODAY };
      const [used] = (await get().store.readUsage(range)).byDay.values();
      expect(used).toMatchObject({ requests: 1, latencies: [{ calls: 1 }] });
    });

    it('are deleted in pieces, the oldest first', async () => {
      const person = await addPerson(get(), { credits: 5 });
      const { customerId } = person;
      // Years before those of other tests.
      const first = NOW - 4_000 * DAY_MS;
      const days = [0, 1, 2, 3].map((day) => first + day * DAY_MS);
      for (const day of days) await at(day, () => search(get(), person));
      const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10);
      const before = dayOf(first + 2 * DAY_MS);
      const deleted: number[] = [];
      for (let round = 0; round < 3; round++) {
        deleted.push(await get().store.deleteOldMeasures({ before, limit: 3 }));
      }
      expect(deleted).toEqual([3, 1, 0]);
      const range = { customerId, firstDay: dayOf(first), lastDay: TODAY };
      const { byDay } = await get().store.readUsage(range);
      const calls = [...byDay.values()].map(({ latencies }) => latencies.length);
      expect([[...byDay.keys()], calls]).toEqual([days.map(dayOf), [0, 0, 1, 1]]);
    });
  });
}
