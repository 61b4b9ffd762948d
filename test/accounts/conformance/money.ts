/** What operators read of money, and the audits that are kept. */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { MoneyReport } from '../../../src/accounts/sql/money-sums.ts';
import type { PaymentEvent } from '../../../src/accounts/sql/payment-decisions.ts';
import type { CreditMove } from '../../../src/accounts/sql/statement-sums.ts';
import { NOW } from '../../support/accounts.ts';
import {
  addPerson,
  at,
  DAY_MS,
  type GetAccounts,
  newHold,
  outcomesOf,
  takeEvent,
} from './accounts-under-test.ts';

const TODAY = '2026-03-14';
/** A day on which no other test does anything. */
const LATER = NOW + 30 * DAY_MS;
const LATER_DAY = '2026-04-13';

export function testMoney(get: GetAccounts): void {
  const readMoney = (firstDay: string) => get().operator.readMoney({ firstDay });

  /** A payment of 900 for 100 credits in a currency that no other test has. */
  const pay = async (currency: string, events: (intent: string) => PaymentEvent[] = () => []) => {
    const person = await addPerson(get());
    const orderId = randomUUID();
    const { customerId } = person;
    const price = { credits: 100, amount: 900, currency };
    await get().store.placeOrder({ orderId, customerId, ...price, perHourMax: 9, now: NOW });
    const paymentIntent = `pi_${orderId}`;
    const paid: PaymentEvent = {
      kind: 'session',
      id: `evt_${orderId}`,
      session: `cs_${orderId}`,
      orderId,
      state: 'paid',
      amount: 900,
      currency,
      createdAt: NOW,
      paymentIntent,
    };
    for (const event of [paid, ...events(paymentIntent)]) {
      await takeEvent(get(), event);
    }
    return { ...person, paymentIntent };
  };

  const dispute = (currency: string, paymentIntent: string, amount: number): PaymentEvent => ({
    kind: 'dispute',
    id: `evt_du_${paymentIntent}`,
    dispute: `du_${paymentIntent}`,
    paymentIntent,
    amount,
    currency,
    takesBack: true,
    createdAt: NOW,
  });

  const refund = (
    { currency, paymentIntent }: { currency: string; paymentIntent: string },
    hasFailed: boolean,
  ): PaymentEvent => ({
    kind: 'refund',
    id: `evt_re_${hasFailed}_${paymentIntent}`,
    refund: `re_${paymentIntent}`,
    paymentIntent,
    amount: 300,
    currency,
    hasFailed,
    createdAt: NOW,
  });

  describe('what operators read of money', () => {
    it('has what moved on a day, by how it moved', async () => {
      const person = await addPerson(get());
      const { email, customerId, memberId } = person;
      const { operator, store } = get();
      await operator.topUp({ email, credits: 50, reference: 'invoice-of-money', now: LATER });
      await operator.topUp({ email, credits: 7, now: LATER });
      const [charged, refunded, released] = [1, 2, 3].map(() => newHold(person, LATER));
      for (const request of [charged, refunded, released]) {
        if (request !== undefined) await store.hold(request);
      }
      await at(LATER, async () => {
        await store.settle(charged?.requestId ?? '');
        await store.settle(refunded?.requestId ?? '');
      });
      await store.release(released?.requestId ?? '');
      const requestId = refunded?.requestId ?? '';
      await operator.refundSearch({ requestId, now: LATER + DAY_MS });
      await store.deleteCustomer({ customerId, memberId, creditsForfeited: 56, now: LATER });
      expect((await readMoney(LATER_DAY)).credits).toEqual([
        // The release counts on its own day, which is earlier by the clock of these tests.
        { span: LATER_DAY, move: 'call', entries: 3, credits: -3 },
        { span: LATER_DAY, move: 'forfeited', entries: 1, credits: -56 },
        { span: LATER_DAY, move: 'gift', entries: 1, credits: 7 },
        { span: LATER_DAY, move: 'purchase', entries: 1, credits: 50 },
        { span: '2026-04-14', move: 'refund', entries: 1, credits: 1 },
      ]);
      expect((await readMoney('2026-04-14')).credits).toHaveLength(1);
    });

    it('adds up to what customers have', async () => {
      const { credits, outstanding } = await readMoney('1970-01-01');
      const sum = credits.reduce((total, moved) => total + moved.credits, 0);
      expect(sum).toBe(outstanding.credits - outstanding.debt);
      expect(sum).toBeGreaterThan(0);
    });

    it('tells disputed payments from refunded ones, whichever event comes first', async () => {
      const sumsOf = async (): Promise<Partial<Record<CreditMove, number>>> => {
        const { credits } = await readMoney(TODAY);
        return Object.fromEntries(
          credits.filter(({ span }) => span === TODAY).map((sum) => [sum.move, sum.credits]),
        );
      };
      const before = await sumsOf();
      await pay('czk', (intent) => [dispute('czk', intent, 900)]);
      await pay('czk', (paymentIntent) => [refund({ currency: 'czk', paymentIntent }, false)]);
      await pay('czk', (paymentIntent) => [
        refund({ currency: 'czk', paymentIntent }, false),
        refund({ currency: 'czk', paymentIntent }, true),
      ]);
      const after = await sumsOf();
      const added = (move: CreditMove): number => (after[move] ?? 0) - (before[move] ?? 0);
      expect(added('purchase')).toBe(300);
      expect(added('dispute')).toBe(-100);
      expect(added('reversal')).toBe(-66);
      expect(added('restored')).toBe(33);
    });

    it('has revenue by currency, with what was refunded and disputed of it', async () => {
      await pay('chf');
      await pay('chf', (intent) => [dispute('chf', intent, 900)]);
      await pay('chf', (paymentIntent) => [refund({ currency: 'chf', paymentIntent }, false)]);
      await pay('chf', (paymentIntent) => [refund({ currency: 'chf', paymentIntent }, true)]);
      await pay('nok');
      const of = ({ revenue }: MoneyReport, currency: string) =>
        revenue.filter((day) => day.currency === currency);
      const report = await readMoney(TODAY);
      expect(of(report, 'chf')).toEqual([
        { day: TODAY, currency: 'chf', payments: 4, amount: 3_600, refunded: 300, disputed: 900 },
      ]);
      expect(of(report, 'nok')).toMatchObject([{ payments: 1, refunded: 0, disputed: 0 }]);
      expect(of(await readMoney(LATER_DAY), 'chf')).toEqual([]);
    });

    it('has payments to review, with their customers', async () => {
      const disputed = await pay('sek', (intent) => [dispute('sek', intent, 900)]);
      const failed = await pay('sek', (paymentIntent) => [
        refund({ currency: 'sek', paymentIntent }, true),
      ]);
      const wrong = await pay('sek', (intent) => [dispute('usd', intent, 1)]);
      const stray = dispute('sek', 'pi_of_nobody', 5);
      await takeEvent(get(), stray);
      const found = await get().operator.listPaymentsToReview({ limit: 99 });
      const { paymentIntent, email: customer } = disputed;
      const ofCustomer = found.disputes.filter((one) => one.customer === customer);
      const money = { amount: 900, currency: 'sek', takesBack: true, changedAt: NOW };
      expect(ofCustomer).toMatchObject([
        { paymentIntent, ...money, customerId: disputed.customerId },
      ]);
      const unknown = { paymentId: null, customerId: null, customer: null };
      expect(found.disputes).toContainEqual(expect.objectContaining(unknown));
      expect(found.failedRefunds).toContainEqual(
        expect.objectContaining({ customer: failed.email, amount: 300, currency: 'sek' }),
      );
      const problems = found.payments.filter((one) => one.customer === wrong.email);
      expect(problems).toMatchObject([{ problem: 'disputed in usd, paid in sek' }]);
      const others = found.payments.map((one) => one.customer);
      expect(others).not.toContain(disputed.email);
      const few = await get().operator.listPaymentsToReview({ limit: 1 });
      expect([few.payments.length, few.disputes.length]).toEqual([1, 1]);
    });
  });

  describe('an audit that an operator started', () => {
    const kept = (endedAt: number, differences: string[] = []) => ({
      startedAt: endedAt - 5,
      endedAt,
      actor: 'loopback',
      auditsMax: 3,
      differencesMax: 2,
      report: { customers: 2, entries: 9, held: 1, differences },
    });

    it('is kept with the first of its differences, in place of the oldest one', async () => {
      const { operator } = get();
      for (const endedAt of [1, 2, 3]) await operator.keepAudit(kept(endedAt));
      await operator.keepAudit(kept(4, ['a', 'b', 'c']));
      const audits = await operator.listKeptAudits({ limit: 9 });
      expect(audits.map(({ endedAt }) => endedAt)).toEqual([4, 3, 2]);
      expect(audits[0]).toEqual({
        startedAt: -1,
        endedAt: 4,
        actor: 'loopback',
        customers: 2,
        entries: 9,
        held: 1,
        differenceCount: 3,
        differences: ['a', 'b'],
      });
      expect(await operator.listKeptAudits({ limit: 1 })).toHaveLength(1);
      const [action] = await operator.listActions({ limit: 1 });
      expect(action).toMatchObject({
        action: 'credit audit',
        details: '9 entries, 3 differences',
      });
    });

    it('is kept also if two end at once', async () => {
      const both = [5, 6].map((endedAt) => get().operator.keepAudit(kept(endedAt)));
      expect(await outcomesOf(both)).toEqual({ resolved: 2, codes: [] });
      expect(await get().operator.listKeptAudits({ limit: 9 })).toHaveLength(3);
    });
  });
}
