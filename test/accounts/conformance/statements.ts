/** Monthly statements, and the receipts of what was bought: their numbers and their mail. */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { receiptNumber } from '../../../src/accounts/payments/receipt.ts';
import type { BillingNotice } from '../../../src/accounts/sql/billing-notice-rows.ts';
import { statementsOf } from '../../../src/accounts/statements.ts';
import { NOW } from '../../support/accounts.ts';
import { addPerson, DAY_MS, type GetAccounts, newHold, takeEvent } from './accounts-under-test.ts';

export function testStatements(get: GetAccounts): void {
  it('each month opens and closes with what the ledger had', async () => {
    const person = await addPerson(get());
    const { customerId, email } = person;
    const { operator, store } = get();
    const at = (month: number, day: number): number => Date.UTC(2026, month - 1, day, 23, 59);
    const call = async (now: number): Promise<string> => {
      const request = newHold(person, now);
      await store.hold(request);
      await store.settle(request.requestId);
      return request.requestId;
    };
    await operator.topUp({ email, credits: 50, reference: `invoice of ${email}`, now: at(1, 31) });
    const refunded = await call(at(1, 31));
    await call(at(3, 1));
    await operator.topUp({ email, credits: 7, now: at(3, 2) });
    await operator.refundSearch({ requestId: refunded, now: at(3, 31) });
    const { sums } = await store.readStatement({ customerId, month: '2026-03' });
    const statements = statementsOf(sums, at(4, 2));
    expect(statements.map(({ month, opening, closing }) => [month, opening, closing])).toEqual([
      ['2026-01', 0, 49],
      ['2026-02', 49, 49],
      ['2026-03', 49, 56],
      ['2026-04', 56, 56],
    ]);
    const entries = await operator.listEntries({ email, limit: 99 });
    for (const { month, opening, lines, closing } of statements) {
      const end = entries.find(
        ({ createdAt }) => new Date(createdAt).toISOString().slice(0, 7) <= month,
      );
      expect(closing, month).toBe(end?.balance);
      expect(opening + lines.reduce((sum, { credits }) => sum + credits, 0), month).toBe(closing);
    }
    expect(
      statements[2]?.lines.map(({ move, entries: count, credits }) => [move, count, credits]),
    ).toEqual([
      ['gift', 1, 7],
      ['call', 1, -1],
      ['refund', 1, 1],
    ]);
  });

  it('a customer without an entry has the statement of this month', () => {
    const [only, ...others] = statementsOf([], NOW);
    expect(only).toEqual({ month: '2026-03', opening: 0, lines: [], closing: 0 });
    expect(others).toEqual([]);
  });

  describe('a receipt', () => {
    const order = (customerId: number) => {
      const orderId = randomUUID();
      const price = { credits: 10, amount: 900, currency: 'eur' };
      const placed = { orderId, customerId, ...price, perHourMax: 9, now: NOW };
      return get()
        .store.placeOrder(placed)
        .then(() => orderId);
    };
    const pay = (orderId: string) =>
      takeEvent(get(), {
        kind: 'session',
        id: `evt_${orderId}`,
        session: `cs_${orderId}`,
        paymentIntent: `pi_${orderId}`,
        orderId,
        state: 'paid',
        amount: 900,
        currency: 'eur',
        createdAt: NOW,
      });
    const waiting = async (customerId: number): Promise<BillingNotice[]> =>
      (await get().store.listDueNotices({ now: NOW, limit: 1_000 })).filter(
        (notice) => notice.customerId === customerId,
      );

    it('is numbered without gaps, in the order in which payments arrive, and mailed once', async () => {
      const { customerId, email } = await addPerson(get());
      const ids = [await order(customerId), await order(customerId), await order(customerId)];
      const [first = '', , third = ''] = ids;
      await pay(third);
      await pay(first);
      const found = await Promise.all(
        ids.map((orderId) => get().store.findOwnPayment({ customerId, orderId })),
      );
      const numbers = found.map((payment) => payment && receiptNumber(payment));
      expect(numbers).toEqual([`${customerId}-0002`, undefined, `${customerId}-0001`]);
      const notices = await waiting(customerId);
      expect(notices.map(({ paymentId }) => paymentId).toSorted()).toEqual(
        [found[0]?.id, found[2]?.id].toSorted(),
      );
      const [notice] = notices;
      const claim = () => get().store.claimNotice({ ...(notice as BillingNotice), now: NOW });
      expect(await claim()).toMatchObject({
        kind: 'receipt',
        email,
        receipt: { payment: { id: notice?.paymentId, paidAt: NOW }, buyer: { address: '' } },
      });
      expect(await claim()).toBeUndefined();
      expect(await waiting(customerId)).toHaveLength(1);
    });

    it('is numbered once each of many that arrive at once', async () => {
      const { customerId } = await addPerson(get());
      const ids = await Promise.all(Array.from({ length: 5 }, () => order(customerId)));
      await Promise.all([...ids, ...ids].map(pay));
      const { rows: payments } = await get().store.readBilling({ customerId, paymentsMax: 9 });
      expect(payments.map(({ receipt }) => receipt).toSorted()).toEqual([1, 2, 3, 4, 5]);
    });

    it('is not mailed a week later', async () => {
      const { customerId } = await addPerson(get());
      await pay(await order(customerId));
      const [notice] = await waiting(customerId);
      const late = { ...(notice as BillingNotice), now: NOW + 7 * DAY_MS };
      expect(await get().store.claimNotice(late)).toBeUndefined();
      expect(await waiting(customerId)).toEqual([]);
    });
  });
}
