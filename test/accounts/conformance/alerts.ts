/** What operators are alerted of: what they chose, what they were told, and what payments say of it. */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { PaymentEvent } from '../../../src/accounts/sql/payment-decisions.ts';
import { NOW } from '../../support/accounts.ts';
import { addPerson, type GetAccounts, takeEvent } from './accounts-under-test.ts';

export function testAlerts(get: GetAccounts): void {
  const none = { channel: 'mail', isRaised: false, told: 0, triedAt: 0 };
  const save = (state: object, triedMax: number) =>
    get().store.saveAlertState({
      state: { kind: 'disk', server: 'a:1', ...none, ...state },
      triedMax,
    });

  describe('alerts', () => {
    it('are set by operators, who read what they chose', async () => {
      const { operator, store } = get();
      const disk = { kind: 'disk', isOn: false, threshold: 7 };
      const searches = { kind: 'searches', isOn: true, threshold: 9 };
      await operator.setAlerts({ settings: [disk, searches] });
      await operator.setAlerts({ settings: [{ ...disk, threshold: 8 }] });
      const chosen = await store.listAlertSettings();
      expect(chosen).toHaveLength(2);
      expect(chosen).toEqual(expect.arrayContaining([searches, { ...disk, threshold: 8 }]));
      const [action] = await operator.listActions({ limit: 1 });
      expect(action).toMatchObject({ action: 'alerts set', details: 'disk off' });
    });

    it('have a state for each server and channel, and one for all servers together', async () => {
      expect(await save({ isRaised: true, told: 5 }, 0)).toBe(true);
      expect(await save({ channel: 'webhook' }, 0)).toBe(true);
      expect(await save({ server: 'b:1' }, 0)).toBe(true);
      expect(await save({ server: '', told: 7 }, 0)).toBe(true);
      const states = await get().store.listAlertStates({ server: 'a:1' });
      const listed = states.map((one) => [one.server, one.channel, one.isRaised, one.told]);
      expect(listed.sort()).toEqual([
        ['', 'mail', false, 7],
        ['a:1', 'mail', true, 5],
        ['a:1', 'webhook', false, 0],
      ]);
    });

    it('are told by one of several servers', async () => {
      const claims = [11, 12, 13].map((triedAt) =>
        save({ server: '', kind: 'payments', triedAt }, 0),
      );
      expect((await Promise.all(claims)).filter(Boolean)).toHaveLength(1);
      expect(await save({ server: '', kind: 'payments', triedAt: 20 }, 10)).toBe(false);
    });

    it('count what of payments needs a look, and a payment knows whether an operator was told', async () => {
      const { customerId } = await addPerson(get());
      const orderId = randomUUID();
      const order = { orderId, customerId, credits: 9, amount: 900, currency: 'eur' };
      await get().store.placeOrder({ ...order, perHourMax: 9, now: NOW });
      const since = { disputesSince: NOW, problemsSince: NOW };
      const before = await get().store.countReviews(since);
      const wrong: PaymentEvent = {
        kind: 'session',
        id: `evt_${orderId}`,
        session: `cs_${orderId}`,
        orderId,
        state: 'paid',
        amount: 1,
        currency: 'eur',
        createdAt: NOW,
        paymentIntent: `pi_${orderId}`,
      };
      await takeEvent(get(), wrong);
      const after = await get().store.countReviews(since);
      expect(after).toEqual({ ...before, problems: before.problems + 1, problemAt: NOW });
      const later = { disputesSince: NOW + 1, problemsSince: NOW + 1 };
      expect(await get().store.countReviews(later)).toEqual({
        disputes: 0,
        disputedAt: 0,
        problems: 0,
        problemAt: 0,
      });
      const isNotified = async () =>
        (await get().store.findOwnPayment({ customerId, orderId }))?.isOperatorNotified;
      const told = (at: number) => save({ server: '', kind: 'payments', told: at }, NOW);
      await told(NOW - 1);
      expect(await isNotified()).toBe(false);
      await told(NOW);
      expect(await isNotified()).toBe(true);
    });
  });
}
