/** Payments on PostgreSQL: what decides when two of their transactions meet at any statement. */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  changeTopUp,
  endTopUpOrder,
  pauseTopUp,
  placeTopUpOrder,
  saveTopUpCard,
  startTopUp,
  turnOffTopUp,
} from '../../../src/accounts/sql/automatic-top-up-rows.ts';
import { claimNotice } from '../../../src/accounts/sql/billing-notice-rows.ts';
import { addPaymentEntry, refundSearch } from '../../../src/accounts/sql/credit-entries.ts';
import type { SessionEvent } from '../../../src/accounts/sql/payment-decisions.ts';
import { recordPaymentEvent } from '../../../src/accounts/sql/payment-events.ts';
import { placeOrder } from '../../../src/accounts/sql/payments.ts';
import { NOW } from '../../support/accounts.ts';
import { addPerson, newHold, outcomesOf } from '../conformance/accounts-under-test.ts';
import { atEachStatement, useAccounts } from './meetings.ts';

const amount = 500;
const currency = 'usd';
const terms = { threshold: 5, credits: 10, amount, currency, amountPerMonthMax: 1_000 };
const monthStart = NOW - 9;
const get = useAccounts();

const newOrder = async (perHourMax: number) => {
  const { customerId } = await addPerson(get());
  const what = { credits: 10, amount, currency, perHourMax, now: NOW };
  return { orderId: randomUUID(), customerId, ...what };
};

const reported = (orderId: string, state: SessionEvent['state']) => {
  const session = `pi_${orderId}`;
  const names = { id: `event-${orderId}-${state}`, session, paymentIntent: session, orderId };
  const event = { ...names, kind: 'session', state, amount, currency, createdAt: NOW } as const;
  return { event, now: NOW };
};

describe('an order', () => {
  it('is stored once', async () => {
    await atEachStatement(get().database, async (meet) => {
      const order = await newOrder(9);
      const place = () => placeOrder(order);
      const [one, other] = await Promise.all(await meet(place, place));
      expect(one).toEqual(other);
      expect(one).toMatchObject({ payment: { state: 'ordered' } });
    });
  });

  it('is not one too many in an hour', async () => {
    await atEachStatement(get().database, async (meet) => {
      const order = await newOrder(1);
      const place = () => placeOrder({ ...order, orderId: randomUUID() });
      const placed = await Promise.all(await meet(place, place));
      expect(placed.filter((each) => 'payment' in each)).toHaveLength(1);
    });
  });

  it('is credited by an event once', async () => {
    await atEachStatement(get().database, async (meet) => {
      const order = await newOrder(9);
      await get().store.placeOrder(order);
      const record = () => recordPaymentEvent(reported(order.orderId, 'paid'));
      const results = await Promise.all(await meet(record, record));
      expect(results.map(({ outcome }) => outcome).sort()).toEqual(['credited', 'duplicate']);
      expect(await get().store.readBalance(order.customerId)).toBe(10);
    });
  });
});

it('a search is refunded once', async () => {
  await atEachStatement(get().database, async (meet) => {
    const request = newHold(await addPerson(get(), { credits: 5 }), NOW);
    const { requestId } = request;
    await get().store.hold(request);
    await get().store.settle(requestId);
    const refund = () => refundSearch({ requestId, now: NOW });
    const both = await meet(refund, refund);
    expect(await outcomesOf(both)).toEqual({ resolved: 1, codes: ['not_refundable'] });
  });
});

it('a fall is told, although the reason of an earlier notice is gone', async () => {
  await atEachStatement(get().database, async (meet) => {
    const person = await addPerson(get(), { credits: 5 });
    const { customerId } = person;
    await get().store.setLowBalance({ customerId, credits: 5 });
    const request = newHold(person, NOW);
    await get().store.hold(request);
    await get().store.release(request.requestId);
    const back = { kind: 'adjust' as const, credits: -1, reference: `back-${customerId}` };
    const [claimed, fallen] = await meet(
      () => claimNotice({ customerId, kind: 'low_balance', paymentId: 0, now: NOW }),
      () => addPaymentEntry({ customerId, ...back, now: NOW }),
    );
    expect(await fallen).toBe(4);
    const due = await get().store.listDueNotices({ now: NOW, limit: 1_000 });
    const isWaiting = due.some((notice) => notice.customerId === customerId);
    expect(isWaiting || (await claimed) !== undefined).toBe(true);
  });
});

describe('an automatic top-up', () => {
  const find = (customerId: number) => get().store.findAutomaticTopUp({ customerId, monthStart });
  const newAgreement = async () => {
    const { customerId } = await addPerson(get(), { credits: 4 });
    const setUp = randomUUID();
    const card = { setUp, stripeCustomer: `cus_${setUp}`, paymentMethod: 'pm', card: 'visa 4242' };
    return { agreement: { ...terms, customerId, setUp, now: NOW }, card };
  };
  /** Somebody who has agreed, and whose card is saved. */
  const addAgreed = async () => {
    const { agreement, card } = await newAgreement();
    await get().store.startTopUp(agreement);
    await get().store.saveTopUpCard(card);
    return agreement;
  };
  const newTopUpOrder = ({ customerId }: { customerId: number }) => {
    const times = { monthStart, retryAt: NOW + 9, expiresAt: NOW + 9, now: NOW };
    return { customerId, orderId: randomUUID(), ...times };
  };
  const paymentsOf = async (customerId: number) =>
    (await get().store.readBilling({ customerId, paymentsMax: 9 })).rows;

  it('keeps the card that was saved before a form is repeated', async () => {
    await atEachStatement(get().database, async (meet) => {
      const { agreement, card } = await newAgreement();
      const [repeated] = await meet(
        () => startTopUp(agreement),
        function* () {
          yield* startTopUp(agreement);
          return yield* saveTopUpCard(card);
        },
      );
      await repeated;
      expect(await find(agreement.customerId)).toMatchObject({ card: card.card });
    });
  });

  it('is started with one of two cards', async () => {
    await atEachStatement(get().database, async (meet) => {
      const { agreement } = await newAgreement();
      const start = () => startTopUp({ ...agreement, setUp: randomUUID() });
      await Promise.all(await meet(start, start));
      expect(await find(agreement.customerId)).toMatchObject({ card: null });
    });
  });

  it('is turned off with the card that comes', async () => {
    await atEachStatement(get().database, async (meet) => {
      const { agreement, card } = await newAgreement();
      const { customerId } = agreement;
      await get().store.startTopUp(agreement);
      const both = await meet(
        () => turnOffTopUp({ customerId }),
        () => saveTopUpCard(card),
      );
      await Promise.all(both);
      expect(await find(customerId)).toBeUndefined();
      const claim = { now: NOW, retryAt: NOW + 1, limit: 1_000 };
      const removals = await get().store.claimCardRemovals(claim);
      expect(removals.map(({ stripeCustomer }) => stripeCustomer)).toContain(card.stripeCustomer);
    });
  });

  it('is turned off, although it is changed', async () => {
    await atEachStatement(get().database, async (meet) => {
      const agreement = await addAgreed();
      const { customerId } = agreement;
      const [off] = await meet(
        () => turnOffTopUp({ customerId }),
        () => changeTopUp(agreement),
      );
      await off;
      expect(await find(customerId)).toBeUndefined();
    });
  });

  it('is changed and paused, in one order or the other', async () => {
    await atEachStatement(get().database, async (meet) => {
      const agreement = await addAgreed();
      const { customerId } = agreement;
      const [paused, changed] = await meet(
        () => pauseTopUp({ customerId, reason: 'declined' }),
        () => changeTopUp(agreement),
      );
      await paused;
      expect(await changed).toBe(true);
      const due = await get().store.listDueTopUps({ now: NOW, limit: 1_000 });
      const isDue = due.some((each) => each.customerId === customerId);
      expect(isDue).toBe((await find(customerId))?.pausedFor === null);
    });
  });

  it('places an order before it is paused, or none', async () => {
    await atEachStatement(get().database, async (meet) => {
      const { customerId } = await addAgreed();
      const order = newTopUpOrder({ customerId });
      const [placed, paused] = await meet(
        () => placeTopUpOrder(order),
        () => pauseTopUp({ customerId, reason: 'declined' }),
      );
      await paused;
      expect(await find(customerId)).toMatchObject({ pausedFor: 'declined' });
      const payments = await paymentsOf(customerId);
      expect(payments).toHaveLength((await placed) === 'ordered' ? 1 : 0);
    });
  });

  it('places one order', async () => {
    await atEachStatement(get().database, async (meet) => {
      const { customerId } = await addAgreed();
      const place = () => placeTopUpOrder(newTopUpOrder({ customerId }));
      const outcomes = await Promise.all(await meet(place, place));
      expect(outcomes.sort()).toEqual(['busy', 'ordered']);
    });
  });

  // No lock of both decides this: what an order reads of payments and balance is one moment.
  it('places no order while an event pays the last one', async () => {
    await atEachStatement(get().database, async (meet) => {
      const { customerId } = await addAgreed();
      const order = newTopUpOrder({ customerId });
      await get().store.placeTopUpOrder(order);
      const [recorded, placed] = await meet(
        () => recordPaymentEvent(reported(order.orderId, 'paid')),
        () => placeTopUpOrder(newTopUpOrder({ customerId })),
      );
      expect((await recorded).outcome).toBe('credited');
      expect(await placed).not.toBe('ordered');
    });
  });

  it('whose order has ended is not opened by an event', async () => {
    await atEachStatement(get().database, async (meet) => {
      const { customerId } = await addAgreed();
      const order = newTopUpOrder({ customerId });
      await get().store.placeTopUpOrder(order);
      const { orderId } = order;
      const both = await meet(
        () => endTopUpOrder({ orderId, reason: 'declined' }),
        () => recordPaymentEvent(reported(orderId, 'unpaid')),
      );
      await Promise.all(both);
      expect(await paymentsOf(customerId)).toMatchObject([{ state: 'failed' }]);
    });
  });
});
