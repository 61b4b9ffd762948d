/** The end of an account: refused for a reason, all or nothing, and with books that add up. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { NOW } from '../../support/accounts.ts';
import {
  addPerson,
  codeOf,
  DAY_MS,
  type GetAccounts,
  hold,
  outcomesOf,
  type Person,
  search,
  takeEvent,
} from './accounts-under-test.ts';

const HASH = '$scrypt$deletion';
const limits = { lifetimeMs: 7 * DAY_MS, idleMs: DAY_MS, perMemberMax: 9 };
let orders = 0;

export function testDeletion(get: GetAccounts): void {
  const remove = ({ customerId, memberId }: Person, creditsForfeited: number, now = NOW) =>
    get().store.deleteCustomer({ customerId, memberId, creditsForfeited, now });
  const signIn = async ({ memberId }: Person) => {
    const { token } = await get().store.createLink({ memberId, expiresAt: NOW + 1_000 });
    const input = { token, passwordHash: HASH, limits, now: NOW };
    return (await get().store.setPasswordByLink(input)).token;
  };
  const admit = async ({ secret }: Person) => {
    await nextTurn();
    return await get().store.admit({ secret, acceptsTokens: false, now: NOW });
  };

  describe('a deletion', () => {
    it('ends sessions, keys, and the address, and keeps the entries', async () => {
      const person = await addPerson(get(), { credits: 5 });
      const token = await signIn(person);
      await search(get(), person);
      expect(await codeOf(remove(person, 5))).toBe('credit_changed');
      expect(await admit(person)).toBeDefined();
      await remove(person, 4, NOW + 7);
      expect(await get().store.findSession({ token, limits, now: NOW })).toBeUndefined();
      expect(await admit(person)).toBeUndefined();
      const { customerId, email } = person;
      expect(await get().store.findLogin(email)).toBeUndefined();
      expect(await get().store.listMembers(customerId)).toEqual([]);
      const deleted = `deleted-${customerId}`;
      const shown = await get().operator.showCustomer({ email: deleted, limits, now: NOW });
      expect(shown).toMatchObject({ balance: 0, disabledAt: NOW + 7, sessions: 0, members: [] });
      expect(shown.keys).toMatchObject([{ name: 'deleted', revokedAt: NOW + 7 }]);
      const entries = await get().operator.listEntries({ email: deleted, limit: 9 });
      expect(entries.map(({ kind, credits }) => [kind, credits])).toEqual([
        ...[['adjust', -4] as const, ['settle', 0] as const],
        ...[['hold', -1] as const, ['topup', 5] as const],
      ]);
      expect(await codeOf(get().operator.enableCustomer({ email: deleted }))).toBe('usage');
      await get().store.registerCustomer({ email, now: NOW });
    });

    it('happens once of two at once', async () => {
      const person = await addPerson(get());
      const both = await outcomesOf([remove(person, 0), remove(person, 0)]);
      expect(both).toEqual({ resolved: 1, codes: ['not_found'] });
    });

    it('is for owners, who prove their second factor', async () => {
      const [person, other] = [await addPerson(get()), await addPerson(get())];
      const { customerId, email } = person;
      const { store } = get();
      await signIn(person);
      const invited = { customerId, email: `colleague-${customerId}@example.org`, now: NOW };
      const { member } = await store.inviteMember({
        ...invited,
        role: 'developer',
        membersMax: 9,
        linkExpiresAt: NOW + 9,
      });
      for (const memberId of [member.id, other.memberId, 987_654_321]) {
        const asked = store.deleteCustomer({ customerId, memberId, creditsForfeited: 0, now: NOW });
        expect(await codeOf(asked)).toBe('not_found');
      }
      const factor = { email, secret: Buffer.alloc(20), step: 1, recoveryHashes: [], now: NOW };
      await store.enableSecondFactor(factor);
      expect(await codeOf(remove(person, 0))).toBe('second_factor_needed');
      const input = { customerId, memberId: person.memberId, creditsForfeited: 0, now: NOW };
      await store.deleteCustomer({ ...input, proof: { step: 2 } });
      expect(await store.findSecondFactor(email)).toBeUndefined();
      expect(await store.findLogin(invited.email)).toBeUndefined();
      expect(await store.findLogin(other.email)).toBeDefined();
    });

    it('waits for searches that run, and for money on its way, but for no order that was left', async () => {
      const person = await addPerson(get(), { credits: 3 });
      const { customerId } = person;
      const { store } = get();
      const requestId = await hold(get(), person);
      expect(await codeOf(remove(person, 2))).toBe('account_kept');
      expect(await store.readDeletionFacts({ customerId, now: NOW })).toMatchObject({ held: 1 });
      await store.release(requestId);
      const orderId = `deletion-${customerId}-${++orders}`;
      const order = { orderId, customerId, credits: 9, amount: 9, currency: 'usd' };
      await store.placeOrder({ ...order, perHourMax: 9, now: NOW });
      const checkout = {
        orderId,
        session: orderId,
        url: 'https://pay.example/',
        expiresAt: NOW + 9,
      };
      await store.openCheckout(checkout);
      await store.placeOrder({ ...order, orderId: `${orderId}-left`, perHourMax: 9, now: NOW });
      const paid = {
        kind: 'session',
        session: orderId,
        orderId,
        paymentIntent: `pi_${orderId}`,
        amount: 9,
        currency: 'usd',
        createdAt: NOW,
      } as const;
      await takeEvent(get(), { ...paid, id: `${orderId}-1`, state: 'unpaid' });
      expect(await codeOf(remove(person, 3))).toBe('account_kept');
      await takeEvent(get(), { ...paid, id: `${orderId}-2`, state: 'failed' });
      await remove(person, 3);
      const left = await store.findOwnPayment({ customerId, orderId: `${orderId}-left` });
      expect(left).toMatchObject({ state: 'expired', canceledAt: NOW });
      // What arrives nevertheless is credited, so that a refund finds it, and is for the operator to see.
      const problem = 'paid after the account was deleted; refund it at Stripe';
      const late = await takeEvent(get(), { ...paid, id: `${orderId}-3`, state: 'paid' });
      expect(late).toMatchObject({ outcome: 'problem', problem });
      expect(await store.readBalance(customerId)).toBe(9);
    });

    it('leaves no stored answer, in bounded steps', async () => {
      const [person, other] = [await addPerson(get(), { credits: 3 }), await addPerson(get())];
      const { customerId } = person;
      const { store } = get();
      for (const idempotencyKey of ['a', 'b']) {
        const requestId = await hold(get(), person);
        await store.storeAnswer({
          request: { customerId, idempotencyKey, fingerprint: Buffer.alloc(32) },
          requestId,
          headers: {},
          body: 'x',
          released: [],
          charged: [requestId],
          expiresAt: NOW + DAY_MS,
          now: NOW,
        });
      }
      const remove = (of: Person, limit: number) =>
        store.deleteAnswersOf({ customerId: of.customerId, limit });
      expect(await remove(other, 9)).toBe(0);
      expect([await remove(person, 1), await remove(person, 9), await remove(person, 9)]).toEqual([
        ...[1, 1, 0],
      ]);
    });
  });
}
