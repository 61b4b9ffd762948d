/** What operators find, and the trail of what they change. */
import { describe, expect, it } from 'vitest';
import { NOW } from '../../support/accounts.ts';
import {
  addPerson,
  codeOf,
  type GetAccounts,
  hold,
  outcomesOf,
  search,
} from './accounts-under-test.ts';

export function testOperatorTrail(get: GetAccounts): void {
  /** The trail of a customer, oldest first, as `who: what (about) details`. */
  const trailOf = async (email: string) =>
    (await get().operator.listActions({ email, limit: 99 }))
      .reverse()
      .map(({ actor, action, subject, details }) => [actor, action, subject, details]);

  describe('customers', () => {
    const newest = { order: 'newest' as const, offset: 0, limit: 9, now: NOW };

    it('are found by a part of their address, in pages', async () => {
      const first = await addPerson(get(), { credits: 7 });
      const second = await addPerson(get());
      const [name = ''] = first.email.split('@');
      const find = (input: object) => get().operator.searchCustomers({ ...newest, ...input });
      expect(await find({ text: ` ${name.toUpperCase()}@ ` })).toMatchObject({
        total: 1,
        customers: [{ email: first.email, balance: 7, keys: 1, lastUsedAt: null }],
      });
      const all = await find({ text: 'person-' });
      expect(all.customers[0]?.email).toBe(second.email);
      const paged = await find({ text: 'person-', offset: 1, limit: 1 });
      expect(paged).toEqual({ total: all.total, customers: [all.customers[1]] });
      for (const text of ['%', '_', '\\', "'"]) expect((await find({ text })).total).toBe(0);
    });

    it('are found by their state, in the order of their use, balance, or address', async () => {
      const idle = await addPerson(get(), { credits: 100_000 });
      const active = await addPerson(get(), { credits: 9 });
      await search(get(), active);
      await get().operator.disableCustomer({ email: idle.email, now: NOW });
      const find = async (order: string, state?: string) => {
        const input = { order, state, offset: 0, limit: 9_999, now: NOW };
        const { customers } = await get().operator.searchCustomers(input as never);
        // Others of this database are used and paid for, too.
        const ours = [idle.email, active.email];
        return customers.map(({ email }) => email).filter((email) => ours.includes(email));
      };
      expect(await find('used')).toEqual([active.email, idle.email]);
      expect(await find('balance')).toEqual([idle.email, active.email]);
      expect(await find('email')).toEqual([idle.email, active.email].sort());
      expect(await find('newest', 'disabled')).toEqual([idle.email]);
      expect(await find('newest', 'enabled')).toEqual([active.email]);
      expect(await find('newest', 'debt')).toEqual([]);
    });
  });

  describe('the trail', () => {
    it('has each change, with who made it', async () => {
      const { operator } = get();
      const person = await addPerson(get(), { credits: 5 });
      const { email } = person;
      const { prefix } = person.key;
      const requestId = await search(get(), person);
      await operator.createLink({ email, expiresAt: NOW + 10 });
      await operator.topUp({ email: email.toUpperCase(), credits: 3, note: 'a gift', now: NOW });
      await operator.refundSearch({ requestId, note: 'wrong answer', now: NOW });
      await operator.setKeyRates({ prefix, requestsPerMinute: 30, inFlightMax: null });
      await operator.capKey({ prefix, creditsPerMonthMax: 9 });
      await operator.disableCustomer({ email, reason: 'unpaid', now: NOW });
      await operator.enableCustomer({ email });
      await operator.revokeKey({ prefix, at: NOW, reason: 'leaked' });
      await operator.setCustomerNote({ email, note: 'rings at noon' });
      const who = 'command line';
      expect(await trailOf(email)).toEqual([
        [who, 'customer add', null, '5 credits'],
        [who, 'key create', prefix, null],
        [who, 'customer link', null, null],
        [who, 'credit add', null, '3 credits, a gift'],
        [who, 'credit refund', requestId, '1 credit, wrong answer'],
        [who, 'key rates', prefix, 'requests a minute: 30, in flight: default'],
        [who, 'key cap', prefix, '9 credits a month'],
        [who, 'customer disable', null, 'unpaid'],
        [who, 'customer enable', null, null],
        [who, 'key revoke', prefix, 'leaked'],
        [who, 'customer note', null, '13 characters'],
      ]);
      const [latest, before] = await operator.listActions({ limit: 2 });
      expect([latest?.customer, before?.action]).toEqual([email, 'key revoke']);
      const older = await operator.listActions({ before: latest?.id, limit: 1 });
      expect(older).toEqual([before]);
    });

    it('has no entry of a change that was not made', async () => {
      const { operator } = get();
      const person = await addPerson(get(), { credits: 1 });
      const before = await trailOf(person.email);
      const { email } = person;
      const refused = [
        operator.refundSearch({ requestId: await hold(get(), person), now: NOW }),
        operator.topUp({ email, credits: 1, reference: ' ', now: NOW }),
        operator.addCustomer({ email, linkExpiresAt: NOW, now: NOW }),
      ];
      expect((await outcomesOf(refused)).resolved).toBe(0);
      expect(await trailOf(person.email)).toEqual(before);
    });

    it('knows the idempotency key of a form, which acts once', async () => {
      const person = await addPerson(get());
      const { email, customerId } = person;
      const somebody = get().asOperator({ actor: 'root@example.org', submission: 'copy 1' });
      const add = () => somebody.topUp({ email, credits: 5, now: NOW });
      expect(await outcomesOf([add(), add(), add()])).toEqual({
        resolved: 1,
        codes: ['already_submitted'],
      });
      expect(await codeOf(somebody.enableCustomer({ email }))).toBe('already_submitted');
      expect(await get().store.readBalance(customerId)).toBe(5);
      const other = get().asOperator({ actor: 'loopback', submission: 'copy 2' });
      await other.topUp({ email, credits: 1, now: NOW });
      expect((await trailOf(email)).slice(-2)).toEqual([
        ['root@example.org', 'credit add', null, '5 credits'],
        ['loopback', 'credit add', null, '1 credit'],
      ]);
    });

    it('lets an idempotency key try again after it was refused', async () => {
      const { email } = await addPerson(get());
      const somebody = get().asOperator({ actor: 'loopback', submission: 'copy 3' });
      expect(await codeOf(somebody.topUp({ email, credits: 1, reference: ' ', now: NOW }))).toBe(
        'usage',
      );
      expect(await somebody.topUp({ email, credits: 1, now: NOW })).toBe(1);
    });

    it('gives a key its own rate, and takes it away', async () => {
      const { operator } = get();
      const { key } = await addPerson(get());
      const { prefix } = key;
      const input = { prefix, requestsPerMinute: 30, inFlightMax: 2 };
      expect(await operator.setKeyRates(input)).toMatchObject(input);
      const defaults = { prefix, requestsPerMinute: null, inFlightMax: null };
      expect(await operator.setKeyRates(defaults)).toMatchObject(defaults);
    });
  });
}
