/** Customers who register themselves: unconfirmed, welcomed, and removed. */
import { describe, expect, it } from 'vitest';
import { NOW } from '../../support/accounts.ts';
import { codeOf, DAY_MS, type GetAccounts, outcomesOf } from './accounts-under-test.ts';

const limits = { lifetimeMs: DAY_MS, idleMs: DAY_MS, perMemberMax: 1 };
/** When those who register now are removed. */
const LATER = NOW + 60 * DAY_MS;
/** A day on which no other test moves credit. */
const WELCOME = NOW + 10 * DAY_MS;
const WELCOME_DAY = '2026-03-24';

let registered = 0;

export function testRegistrations(get: GetAccounts): void {
  const register = async () => {
    const email = `registered-${++registered}@example.org`;
    const { id: customerId } = await get().store.registerCustomer({ email, now: NOW });
    const memberId = (await get().store.findLogin(email))?.memberId ?? 0;
    const link = (expiresAt = NOW + DAY_MS) => get().store.createLink({ memberId, expiresAt });
    return { customerId, email, link };
  };
  const confirm = (token: string, now = NOW) =>
    get().store.setPasswordByLink({ token, passwordHash: 'x', limits, now, welcomeCredits: 25 });
  const find = async (text: string) =>
    (await get().operator.searchCustomers({ text, order: 'newest', offset: 0, limit: 9, now: NOW }))
      .customers[0];
  const remove = async () => {
    const input = { before: LATER - 7 * DAY_MS, now: LATER, limit: 2 };
    while ((await get().store.deleteUnconfirmed(input)) === input.limit);
  };

  describe('a registration', () => {
    it('adds one customer of two at once, without credit', async () => {
      const email = 'Registered@Example.org';
      const both = [1, 2].map(() => get().store.registerCustomer({ email, now: NOW }));
      expect(await outcomesOf(both)).toEqual({ resolved: 1, codes: ['already_exists'] });
      const login = await get().store.findLogin('registered@example.org');
      expect(login).toMatchObject({ passwordHash: null, disabledAt: null, browserKey: null });
      expect(await get().store.readBalance(login?.customerId ?? 0)).toBe(0);
      expect(await find('registered@')).toMatchObject({ unconfirmedSince: NOW });
    });

    it('refuses what is no address', async () => {
      const ada = { email: 'ada', now: NOW };
      expect(await codeOf(get().store.registerCustomer(ada))).toBe('usage');
    });

    it('is confirmed by the first password, which brings the welcome credits once', async () => {
      const { customerId, email, link } = await register();
      const { token } = await link(LATER);
      const both = [1, 2].map(() => confirm(token, WELCOME));
      expect(await outcomesOf(both)).toEqual({ resolved: 1, codes: ['link_over'] });
      expect(await get().store.readBalance(customerId)).toBe(25);
      expect(await find(email)).toMatchObject({ unconfirmedSince: null });
      const again = await link(LATER);
      expect(await confirm(again.token, WELCOME)).toMatchObject({ customerId, isConfirmed: false });
      expect(await get().store.readBalance(customerId)).toBe(25);
      const { rows: entries } = await get().store.readLedgerPage({ customerId, entriesMax: 9 });
      expect(entries).toMatchObject([
        { kind: 'topup', credits: 25, reference: null, note: 'Welcome credit' },
      ]);
      const { credits } = await get().operator.readMoney({ firstDay: WELCOME_DAY });
      expect(credits.filter(({ span }) => span === WELCOME_DAY)).toEqual([
        { span: WELCOME_DAY, move: 'gift', entries: 1, credits: 25 },
      ]);
    });

    it('brings none to those whom an operator added', async () => {
      const email = 'added-by-hand@example.org';
      const added = { email, linkExpiresAt: NOW + DAY_MS, now: NOW };
      const { customer, link } = await get().operator.addCustomer(added);
      expect(await confirm(link.token)).toMatchObject({ isConfirmed: false });
      expect(await get().store.readBalance(customer.id)).toBe(0);
    });
  });

  describe('customers who never confirm', () => {
    it('are listed, and removed with their links after the time', async () => {
      const people = await Promise.all([register(), register(), register()]);
      for (const { link } of people) await link();
      const input = { order: 'newest', state: 'unconfirmed', offset: 0, limit: 99 } as const;
      const { customers } = await get().operator.searchCustomers({ ...input, now: NOW });
      const listed = customers.map(({ email }) => email);
      expect(listed).toEqual(expect.arrayContaining(people.map(({ email }) => email)));
      await get().store.deleteUnconfirmed({ before: NOW, now: LATER, limit: 99 });
      expect(await find(people[0]?.email ?? '')).toBeDefined();
      await remove();
      for (const { email } of people) expect(await find(email)).toBeUndefined();
      const again = { email: people[0]?.email ?? '', now: NOW };
      expect(await codeOf(get().store.registerCustomer(again))).toBeUndefined();
    });

    it('stay with credit, a key, a valid link, or an entry in the trail', async () => {
      const [credited, keyed] = [await register(), await register()];
      const [linked, noted, confirmed] = [await register(), await register(), await register()];
      const { operator } = get();
      const email = keyed.email;
      await operator.topUp({ email: credited.email, credits: 1, now: NOW });
      const caps = { requestsPerMinute: null, inFlightMax: null, creditsPerMonthMax: null };
      await operator.createKey({ email, name: 'agent', ...caps, now: NOW });
      await linked.link(LATER + 1);
      await operator.createLink({ email: noted.email, expiresAt: NOW });
      await confirm((await confirmed.link()).token);
      const byHand = { email: 'never-confirmed@example.org', linkExpiresAt: NOW, now: NOW };
      await operator.addCustomer(byHand);
      await remove();
      for (const one of [credited, keyed, linked, noted, confirmed, byHand]) {
        expect(await find(one.email), one.email).toBeDefined();
      }
    });
  });
}
