/** Automatic top-ups: one order for one fall, within the month, and none after a pause or an end. */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { SessionEvent } from '../../../src/accounts/sql/payment-decisions.ts';
import { NOW } from '../../support/accounts.ts';
import {
  addPerson,
  type GetAccounts,
  type Person,
  search,
  takeEvent,
} from './accounts-under-test.ts';

const LATER = NOW + 1_000;
const terms = {
  threshold: 5,
  credits: 10,
  amount: 500,
  currency: 'usd',
  amountPerMonthMax: 1_000,
};

export function testAutomaticTopUps(get: GetAccounts): void {
  const find = ({ customerId }: Person) =>
    get().store.findAutomaticTopUp({ customerId, monthStart: NOW - 9 });
  const isDue = async ({ customerId }: Person, now = NOW): Promise<boolean> => {
    const due = await get().store.listDueTopUps({ now, limit: 1_000 });
    return due.some((each) => each.customerId === customerId);
  };
  const place = ({ customerId }: Person, orderId: string = randomUUID(), now = NOW) => {
    const times = { monthStart: NOW - 9, retryAt: LATER, expiresAt: NOW + 9_000_000, now };
    return get().store.placeTopUpOrder({ customerId, orderId, ...times });
  };
  const claim = (now = NOW) =>
    get().store.claimTopUpOrders({ now, retryAt: now + 1_000, limit: 1_000 });
  const removals = async (now = NOW): Promise<string[]> => {
    const cards = await get().store.claimCardRemovals({ now, retryAt: now + 1_000, limit: 1_000 });
    return cards.map(({ stripeCustomer }) => stripeCustomer);
  };
  const agree = async (person: Person, setUp: string = randomUUID()): Promise<string> => {
    const { customerId } = person;
    await get().store.startTopUp({ ...terms, customerId, setUp, now: NOW });
    return setUp;
  };
  const cardOf = (setUp: string) => ({
    stripeCustomer: `cus_${setUp}`,
    paymentMethod: `pm_${setUp}`,
    card: 'visa 4242',
  });
  /** Somebody with 5 credits whose card is charged below 5. */
  const addAgreed = async (): Promise<Person & { setUp: string }> => {
    const person = await addPerson(get(), { credits: 5 });
    const setUp = await agree(person);
    expect(await get().store.saveTopUpCard({ setUp, ...cardOf(setUp) })).toBe(true);
    expect(await place(person)).toBe('idle');
    return { ...person, setUp };
  };
  const reported = (orderId: string, state: SessionEvent['state']) =>
    takeEvent(get(), {
      id: `event-${orderId}-${state}`,
      createdAt: NOW,
      kind: 'session',
      session: `pi_${orderId}`,
      orderId,
      paymentIntent: `pi_${orderId}`,
      state,
      amount: terms.amount,
      currency: terms.currency,
    });
  const fall = async (): Promise<Person & { setUp: string }> => {
    const person = await addAgreed();
    await search(get(), person);
    return person;
  };

  describe('an automatic top-up', () => {
    it('is on when the card is saved, and due when the balance falls', async () => {
      const person = await addPerson(get(), { credits: 5 });
      const setUp = await agree(person);
      await agree(person, setUp);
      expect(await find(person)).toMatchObject({ ...terms, card: null, pausedFor: null });
      await search(get(), person);
      expect(await isDue(person)).toBe(false);
      expect(await place(person)).toBe('idle');
      await get().store.saveTopUpCard({ setUp, ...cardOf(setUp) });
      await get().store.saveTopUpCard({ setUp, ...cardOf(setUp) });
      expect(await find(person)).toMatchObject({ card: 'visa 4242' });
      expect(await isDue(person)).toBe(true);
      expect(await removals()).toEqual([]);
    });

    it('places one order for a fall, of many that try at once, and none before it is paid', async () => {
      const person = await fall();
      expect(await isDue(person)).toBe(true);
      const outcomes = await Promise.all(Array.from({ length: 8 }, () => place(person)));
      expect(outcomes.filter((outcome) => outcome === 'ordered')).toHaveLength(1);
      expect(outcomes.filter((outcome) => outcome === 'busy')).toHaveLength(7);
      expect(await isDue(person)).toBe(false);
      expect(await place(person, randomUUID(), LATER)).toBe('busy');
    });

    it('is credited by an event only, whatever comes first, and once', async () => {
      const person = await fall();
      const orderId = randomUUID();
      await place(person, orderId);
      const [order] = (await claim()).filter((each) => each.orderId === orderId);
      expect(order).toMatchObject({ amount: 500, currency: 'usd', ...cardOfOrder(person.setUp) });
      expect((await claim()).filter((each) => each.orderId === orderId)).toEqual([]);
      expect((await claim(LATER)).filter((each) => each.orderId === orderId)).toHaveLength(1);
      const paymentIntent = `pi_${orderId}`;
      await reported(orderId, 'paid');
      await get().store.nameTopUpPayment({ orderId, paymentIntent });
      await reported(orderId, 'paid');
      expect(await get().store.readBalance(person.customerId)).toBe(14);
      const asked = await claim(LATER * 2);
      expect(asked.filter((each) => each.orderId === orderId)).toEqual([]);
      expect(await place(person)).toBe('idle');
      const { customerId } = person;
      const { rows: payments } = await get().store.readBilling({ customerId, paymentsMax: 9 });
      expect(payments).toMatchObject([{ state: 'paid', session: paymentIntent }]);
    });

    it('keeps to its month', async () => {
      const person = await fall();
      let sum = 0;
      for (const expected of ['ordered', 'ordered', 'bound', 'bound']) {
        expect(await find(person)).toMatchObject({ amountOfMonth: sum });
        const orderId = randomUUID();
        expect(await place(person, orderId)).toBe(expected);
        if (expected === 'bound') continue;
        sum += terms.amount;
        await reported(orderId, 'paid');
        for (let i = 0; i < 10; i++) await search(get(), person);
      }
      expect(await isDue(person, LATER)).toBe(true);
    });

    it('whose month is full is told once, until an order is placed again', async () => {
      const person = await fall();
      const { customerId } = person;
      const limit = { customerId, kind: 'top_up_limit', paymentId: 0 } as const;
      const claimLimit = () => get().store.claimNotice({ ...limit, now: NOW });
      const fill = async (): Promise<void> => {
        for (;;) {
          const orderId = randomUUID();
          if ((await place(person, orderId)) === 'bound') return;
          expect(await claimLimit()).toBeUndefined();
          await reported(orderId, 'paid');
          for (let i = 0; i < 10; i++) await search(get(), person);
        }
      };
      await fill();
      expect(await claimLimit()).toMatchObject({ balance: 4, topUp: { amountOfMonth: 1_000 } });
      expect(await place(person)).toBe('bound');
      expect(await claimLimit()).toBeUndefined();
      const raised = { ...terms, customerId, amountPerMonthMax: 2_000, now: NOW };
      expect(await get().store.changeTopUp(raised)).toBe(true);
      await fill();
      // Credit that was bought by hand meanwhile: nothing is low any more.
      await get().operator.topUp({ email: person.email, credits: 9, now: NOW });
      expect(await claimLimit()).toBeUndefined();
    });

    it('pauses after a decline, said by an answer or an event, and tells it once', async () => {
      for (const how of ['answer', 'event'] as const) {
        const person = await fall();
        const { customerId } = person;
        const orderId = randomUUID();
        await place(person, orderId);
        const end = () => get().store.endTopUpOrder({ orderId, reason: 'authentication_required' });
        if (how === 'answer') await end();
        await reported(orderId, 'failed');
        await end();
        const pausedFor = how === 'answer' ? 'authentication_required' : 'declined';
        expect(await find(person)).toMatchObject({ pausedFor });
        await search(get(), person);
        expect(await isDue(person)).toBe(false);
        expect(await place(person)).toBe('idle');
        const notice = { customerId, kind: 'top_up_paused', paymentId: 0 } as const;
        expect(await get().store.claimNotice({ ...notice, now: NOW })).toMatchObject({
          topUp: { pausedFor },
        });
        expect(await get().store.claimNotice({ ...notice, now: NOW })).toBeUndefined();
        expect(await get().store.changeTopUp({ ...terms, customerId, now: NOW })).toBe(true);
        expect(await place(person)).toBe('ordered');
      }
    });

    it('pauses when money goes back, so that the card is not charged for it', async () => {
      const person = await fall();
      const orderId = randomUUID();
      await place(person, orderId);
      await reported(orderId, 'paid');
      await takeEvent(get(), {
        id: `refund-${orderId}`,
        createdAt: NOW,
        kind: 'refund_sum',
        orderId,
        paymentIntent: `pi_${orderId}`,
        amount: terms.amount,
        currency: 'usd',
      });
      expect(await get().store.readBalance(person.customerId)).toBe(4);
      expect(await find(person)).toMatchObject({ pausedFor: 'reversed' });
      expect(await place(person)).toBe('idle');
    });

    it('gives up an order without an answer, which an event may still pay', async () => {
      const person = await fall();
      const orderId = randomUUID();
      await place(person, orderId);
      await get().store.endTopUpOrder({ orderId, reason: 'no_answer' });
      expect(await find(person)).toMatchObject({ pausedFor: 'no_answer' });
      await reported(orderId, 'paid');
      expect(await get().store.readBalance(person.customerId)).toBe(14);
    });

    it('is turned off, and its card removed before Stripe is asked for an open order', async () => {
      const person = await fall();
      const { customerId, setUp } = person;
      const orderId = randomUUID();
      await place(person, orderId);
      await get().store.turnOffTopUp({ customerId });
      await get().store.turnOffTopUp({ customerId });
      expect(await find(person)).toBeUndefined();
      expect((await claim()).filter((each) => each.orderId === orderId)).toEqual([]);
      const { stripeCustomer } = cardOf(setUp);
      expect(await removals()).toContain(stripeCustomer);
      expect(await removals()).not.toContain(stripeCustomer);
      await get().store.endCardRemoval({ stripeCustomer });
      expect(await removals(LATER)).not.toContain(stripeCustomer);
      expect((await claim()).filter((each) => each.orderId === orderId)).toHaveLength(1);
    });

    it('of a set-up that was replaced or turned off removes the card that comes late', async () => {
      const person = await addPerson(get(), { credits: 5 });
      const [first, second] = [await agree(person), await agree(person)];
      expect(await get().store.saveTopUpCard({ setUp: first, ...cardOf(first) })).toBe(false);
      expect(await removals()).toContain(cardOf(first).stripeCustomer);
      await get().store.saveTopUpCard({ setUp: second, ...cardOf(second) });
      await agree(person);
      expect(await removals()).toContain(cardOf(second).stripeCustomer);
      expect(await find(person)).toMatchObject({ card: null });
      const { customerId } = person;
      expect(await get().store.changeTopUp({ ...terms, customerId, now: NOW })).toBe(false);
    });

    it('ends with its account', async () => {
      const person = await addAgreed();
      const { customerId, memberId } = person;
      await get().store.deleteCustomer({ customerId, memberId, creditsForfeited: 5, now: NOW });
      expect(await find(person)).toBeUndefined();
      expect(await removals()).toContain(cardOf(person.setUp).stripeCustomer);
    });
  });

  function cardOfOrder(setUp: string) {
    const { stripeCustomer, paymentMethod } = cardOf(setUp);
    return { stripeCustomer, paymentMethod };
  }
}
