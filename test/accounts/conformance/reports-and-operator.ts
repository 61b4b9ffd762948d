/** What customers read, what the operator does, and the life of a node. */
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
import { recordFor } from './requests.ts';

const TODAY = '2026-03-14';

export function testReports(get: GetAccounts): void {
  /** Two charged searches, a free one, and one that is open. */
  const addActive = async () => {
    const person = await addPerson(get(), { credits: 9 });
    await search(get(), person);
    const id = await hold(get(), person);
    await get().store.settle(id, { milliseconds: 90, lanes: ['arxiv', 'web'] });
    await get().store.release(await hold(get(), person));
    await hold(get(), person);
    await recordFor(get(), person, { lanes: 'arxiv,web' });
    await recordFor(get(), person, { path: '/mcp', status: 503, code: 'degraded' });
    return person;
  };

  describe('what a customer reads', () => {
    it('reads payments in pages, newest first, and none of others', async () => {
      const [ada, eve] = [await addPerson(get()), await addPerson(get())];
      const { customerId } = ada;
      for (const number of [1, 2, 3]) {
        const order = { orderId: `page-${customerId}-${number}`, customerId, credits: number };
        const price = { amount: 9, currency: 'usd', perHourMax: 9 };
        await get().store.placeOrder({ ...order, ...price, now: NOW });
      }
      const read = (before?: number) =>
        get().store.readBilling({ customerId, before, paymentsMax: 2 });
      const first = await read();
      expect(first).toMatchObject({ rows: [{ credits: 3 }, { credits: 2 }] });
      const last = await read(first.next);
      expect(last).toMatchObject({ rows: [{ credits: 1 }], next: undefined });
      const others = { customerId: eve.customerId, before: first.rows[0]?.id, paymentsMax: 2 };
      expect(await get().store.readBilling(others)).toMatchObject({
        rows: [],
        next: undefined,
      });
    });

    it('begins with balance, keys, and days that agree', async () => {
      const { customerId } = await addActive();
      const overview = await get().store.readOverview({ customerId, days: 3, now: NOW });
      const used = { requests: 2, credits: 2 };
      expect(overview).toMatchObject({
        balance: 6,
        keys: [{ thisMonth: used, toDate: used, failedThisMonth: 1, lastUsedAt: NOW }],
        days: [
          { day: '2026-03-12', requests: 0, credits: 0 },
          { day: '2026-03-13', requests: 0, credits: 0 },
          { day: TODAY, ...used },
        ],
      });
    });

    it('begins with every day up to today, of all keys, net of refunds', async () => {
      const person = await addPerson(get(), { credits: 50 });
      const { customerId, email } = person;
      const caps = { requestsPerMinute: null, inFlightMax: null };
      const { key } = await get().operator.createKey({ email, name: 'other', ...caps, now: NOW });
      for (const daysAgo of [90, 89, 89, 29]) {
        const of = daysAgo === 29 ? { ...person, key } : person;
        await at(NOW - daysAgo * DAY_MS, () => search(get(), of));
      }
      await get().store.release(await hold(get(), person));
      const requestId = await search(get(), { ...person, key });
      await get().operator.refundSearch({ requestId, now: NOW });
      const { days } = await get().store.readOverview({ customerId, days: 90, now: NOW });
      expect(days).toHaveLength(90);
      expect(days.filter(({ requests }) => requests > 0)).toEqual([
        { day: '2025-12-15', requests: 2, credits: 2 },
        { day: '2026-02-13', requests: 1, credits: 1 },
        { day: TODAY, requests: 1, credits: 0 },
      ]);
    });

    it('has an entry for each change of the balance', async () => {
      const { customerId, key } = await addActive();
      const read = (filter: object) =>
        get().store.readLedgerPage({ customerId, entriesMax: 3, ...filter });
      const first = await read({});
      expect(first.rows.map(({ kind, balance }) => [kind, balance])).toEqual([
        ['hold', 6],
        ['release', 7],
        ['hold', 6],
      ]);
      const second = await read({ before: first.next });
      expect(second.rows.map(({ kind }) => kind)).toEqual(['settle', 'hold', 'settle']);
      const payments = await read({ kinds: ['topup', 'adjust'] });
      expect(payments).toMatchObject({ rows: [{ kind: 'topup', balance: 9 }], next: undefined });
      const ofKey = await read({ keyPrefix: key.prefix, kinds: ['release'] });
      expect(ofKey.rows).toMatchObject([{ keyName: 'agent', keyPrefix: key.prefix }]);
    });

    it('has usage by day and by key', async () => {
      const { customerId, key } = await addActive();
      const range = { customerId, firstDay: TODAY, lastDay: TODAY };
      const { byDay, byKey } = await get().store.readUsage(range);
      const used = {
        requests: 2,
        credits: 2,
        failed: 1,
        latencies: [
          { boundMs: 15, calls: 1 },
          { boundMs: 120, calls: 1 },
        ],
        lanes: { corpus: 1, arxiv: 1, web: 1 },
      };
      expect([...byDay]).toEqual([[TODAY, used]]);
      expect([...byKey]).toEqual([[String(key.id), used]]);
      const later = { ...range, firstDay: '2026-03-15', lastDay: '2026-03-15' };
      expect((await get().store.readUsage(later)).byDay.size).toBe(0);
    });

    it('has nothing of another customer', async () => {
      const { key } = await addActive();
      const { customerId } = await addPerson(get());
      const { store } = get();
      const filter = { customerId, keyId: key.id, requestsMax: 9 };
      const requests = await store.readRequests(filter);
      expect(requests).toMatchObject({ page: { rows: [] }, totals: [] });
      const ledger = { customerId, keyPrefix: key.prefix, entriesMax: 9 };
      expect((await store.readLedgerPage(ledger)).rows).toEqual([]);
      const range = { customerId, keyId: key.id, firstDay: TODAY, lastDay: TODAY };
      expect((await store.readUsage(range)).byKey.size).toBe(0);
    });
  });
}

export function testOperator(get: GetAccounts): void {
  const missing = 'nobody@example.org';
  const sessionLimits = { lifetimeMs: DAY_MS, idleMs: DAY_MS, perMemberMax: 9 };

  describe('the operator', () => {
    it('adds a customer all at once or not at all', async () => {
      const email = 'Twice@Example.org';
      const input = { email, credits: 5, linkExpiresAt: NOW + 10, now: NOW };
      const both = [1, 2].map(() => get().operator.addCustomer(input));
      expect(await outcomesOf(both)).toEqual({ resolved: 1, codes: ['already_exists'] });
      const show = { limits: sessionLimits, now: NOW };
      const shown = await get().operator.showCustomer({ email, ...show });
      expect(shown).toMatchObject({
        balance: 5,
        members: [{ email: email.toLowerCase(), role: 'owner', hasPassword: false }],
        sessions: 0,
        keys: [],
      });
      const byId = await get().operator.showCustomer({ customerId: shown.id, ...show });
      expect(byId).toEqual(shown);
      const first = { email: 'first@example.org', credits: 5, now: NOW };
      expect(await get().operator.addFirstCustomer(first)).toBeUndefined();
    });

    it('finds a customer by the address in any case, and not by a part of it', async () => {
      const { email, key } = await addPerson(get());
      const keysOf = (name: string) => get().operator.listKeys({ email: name });
      for (const name of [email.toUpperCase(), ` ${email} `]) {
        expect((await keysOf(name)).map(({ id }) => id)).toEqual([key.id]);
      }
      const parts = [email.slice(0, -1), email.split('@')[0] ?? '', '%', '', "' OR 1 = 1 --"];
      const found = await outcomesOf(parts.map(keysOf));
      expect(found).toEqual({ resolved: 0, codes: ['unknown_customer'] });
      const ids = (await get().operator.listCustomers()).map(({ id }) => id);
      expect(ids).toEqual(ids.toSorted((a, b) => a - b));
    });

    it('makes a link, but not for a disabled customer', async () => {
      const { email, ...person } = await addPerson(get());
      const make = () => get().operator.createLink({ email, expiresAt: NOW + 10 });
      const { link } = await make();
      expect(await get().store.findLink({ token: link.token, now: NOW })).toEqual({
        memberId: person.memberId,
        customerId: person.customerId,
        email,
      });
      await get().operator.disableCustomer({ email, now: NOW });
      const again = await get().operator.disableCustomer({ email, now: NOW + 9 });
      expect(again.disabledAt).toBe(NOW);
      expect(await codeOf(get().store.findLink({ token: link.token, now: NOW }))).toBe('link_over');
      expect(await codeOf(make())).toBe('usage');
    });

    it('knows the name and the time zone that a customer chose', async () => {
      const person = await addPerson(get());
      const { store, operator } = get();
      const { customerId, email } = person;
      const profile = { name: 'Tide & Co', timeZone: 'Asia/Kolkata' };
      await store.saveProfile({ customerId, ...profile });
      const limits = { lifetimeMs: 9, idleMs: 9, perMemberMax: 9 };
      expect(await operator.showCustomer({ email, limits, now: NOW })).toMatchObject(profile);
    });

    it('changes and replaces keys by the beginning of their prefix', async () => {
      const person = await addPerson(get());
      const { operator } = get();
      const prefix = person.key.prefix.slice(0, 9);
      expect(await operator.capKey({ prefix, creditsPerMonthMax: 3 })).toMatchObject({
        creditsPerMonthMax: 3,
      });
      expect(await operator.setKeyLanes({ prefix, lanes: 'web' })).toMatchObject({ lanes: 'web' });
      expect(await operator.setCustomerLanes({ email: person.email, lanes: '' })).toMatchObject({
        lanes: '',
      });
      const rotated = await operator.rotateKey({ prefix, graceEnds: NOW + 10, now: NOW });
      expect(rotated).toMatchObject({
        oldKeyEnds: NOW + 10,
        key: { creditsPerMonthMax: 3, lanes: 'web', name: 'agent' },
      });
      const keys = await operator.listKeys({ email: person.email });
      expect(keys.map(({ revokedAt }) => revokedAt)).toEqual([NOW + 10, null]);
      const all = await operator.listKeys({});
      expect(all.map(({ id }) => id)).toEqual(expect.arrayContaining(keys.map(({ id }) => id)));
      expect(await operator.revokeKey({ prefix, at: NOW + 99 })).toMatchObject({
        revokedAt: NOW + 10,
      });
      const late = operator.rotateKey({ prefix, graceEnds: NOW + 20, now: NOW + 10 });
      expect(await codeOf(late)).toBe('unknown_key');
    });

    it('refunds a charged search once', async () => {
      const person = await addPerson(get(), { credits: 5 });
      const requestId = await search(get(), person);
      const refund = (id: string) => get().operator.refundSearch({ requestId: id, now: NOW });
      const both = [1, 2].map(() => refund(requestId));
      expect(await outcomesOf(both)).toEqual({ resolved: 1, codes: ['not_refundable'] });
      expect(await codeOf(refund(await hold(get(), person)))).toBe('not_refundable');
      expect(await codeOf(refund('unknown'))).toBe('unknown_request');
      const { usage } = await get().store.readKeyAccount(person.key, { period: PERIOD });
      expect(usage).toEqual({ requests: 1, credits: 0 });
      const entries = await get().operator.listEntries({ email: person.email, limit: 2 });
      expect(entries.map(({ kind }) => kind)).toEqual(['hold', 'refund']);
    });

    it('is told who and what is unknown', async () => {
      const { operator } = get();
      const email = missing;
      const ofCustomers = [
        operator.createLink({ email, expiresAt: NOW }),
        operator.setCustomerLanes({ email, lanes: null }),
        operator.disableCustomer({ email, now: NOW }),
        operator.enableCustomer({ email }),
        operator.listKeys({ email }),
        operator.topUp({ email, credits: 1, now: NOW }),
        operator.listEntries({ email, limit: 1 }),
        operator.listPayments({ email, limit: 1 }),
        operator.listActions({ email, limit: 1 }),
        operator.showCustomer({ customerId: 999_999, limits: sessionLimits, now: NOW }),
      ];
      expect(await outcomesOf(ofCustomers)).toEqual({ resolved: 0, codes: ['unknown_customer'] });
      const ofKeys = ['', 'g', '%'].flatMap((prefix) => [
        operator.capKey({ prefix, creditsPerMonthMax: null }),
        operator.setKeyLanes({ prefix, lanes: null }),
        operator.revokeKey({ prefix, at: NOW }),
        operator.rotateKey({ prefix, graceEnds: NOW, now: NOW }),
        operator.setKeyRates({ prefix, requestsPerMinute: 1, inFlightMax: 1 }),
      ]);
      expect(await outcomesOf(ofKeys)).toEqual({ resolved: 0, codes: ['unknown_key'] });
    });
  });
}

export function testNodes(get: GetAccounts): void {
  describe('a node', () => {
    it('releases what a dead one has held, and keeps what it has charged', async () => {
      const person = await addPerson(get(), { credits: 9 });
      await search(get(), person);
      const open = [await hold(get(), person), await hold(get(), person)];
      expect(await get().store.readBalance(person.customerId)).toBe(6);
      await get().restart();
      await expect.poll(() => get().store.readBalance(person.customerId)).toBe(8);
      for (const id of open) expect(await get().store.settle(id)).toBeUndefined();
      expect(await get().store.hold(newHold(person))).toBe(7);
    });

    it('has written what it was told when it is flushed', async () => {
      const person = await addPerson(get(), { credits: 9 });
      const id = await hold(get(), person);
      const settling = get().store.settle(id);
      await get().store.flush();
      const { usage } = await get().store.readKeyAccount(person.key, { period: PERIOD });
      expect(usage.requests).toBe(1);
      expect(await settling).toBe(8);
      expect(get().store.fault()).toBeUndefined();
    });

    it('counts what it has written', async () => {
      const person = await addPerson(get(), { credits: 9 });
      const before = get().store.counts();
      await search(get(), person);
      await get().store.release(await hold(get(), person));
      await hold(get(), person);
      const after = get().store.counts();
      expect(after.holds.held - before.holds.held).toBe(3);
      expect(after.holds.settled - before.holds.settled).toBe(1);
      expect(after.holds.released - before.holds.released).toBe(1);
      expect(after.openHolds - before.openHolds).toBe(1);
      expect(after).toMatchObject({ waiting: 0, pending: 0 });
    });
  });
}
