/** How operators put right what went wrong: credit that is taken back, and refunds of many requests. */
import { describe, expect, it } from 'vitest';
import { NOW } from '../../support/accounts.ts';
import {
  addPerson,
  codeOf,
  DAY_MS,
  type GetAccounts,
  hold,
  newHold,
  outcomesOf,
  type Person,
  search,
} from './accounts-under-test.ts';

export function testCorrections(get: GetAccounts): void {
  const balanceOf = ({ customerId }: Person) => get().store.readBalance(customerId);
  const latestAction = async () => (await get().operator.listActions({ limit: 1 }))[0];

  /** A person with credit that was given by mistake, and its entry. */
  const misgiven = async (credits: number) => {
    const person = await addPerson(get());
    await get().operator.topUp({ email: person.email, credits, now: NOW });
    const [gift] = await get().operator.listGivenCredit({ ...person, limit: 9 });
    return { ...person, entryId: gift?.id ?? 0 };
  };

  describe('credit that was given by mistake', () => {
    it('is taken back once, and says so', async () => {
      const person = await misgiven(50);
      const { email, entryId, customerId } = person;
      const input = { email, entryId, note: 'typed twice', now: NOW };
      const both = [1, 2].map(() => get().operator.takeBackCredit(input));
      expect(await outcomesOf(both)).toEqual({ resolved: 1, codes: ['already_exists'] });
      expect(await balanceOf(person)).toBe(0);
      expect(await get().operator.listGivenCredit({ customerId, limit: 9 })).toMatchObject([
        { id: entryId, credits: 50, takenBack: 50 },
      ]);
      const [entry] = await get().operator.listEntries({ email, limit: 1 });
      const reference = `gift:${entryId}`;
      expect(entry).toMatchObject({ kind: 'adjust', credits: -50, reference, note: 'typed twice' });
      const subject = `entry ${entryId}`;
      const details = '50 credits, typed twice';
      expect(await latestAction()).toMatchObject({ action: 'credit take-back', subject, details });
    });

    it('is taken back in part, and below zero only if that is said', async () => {
      const person = await misgiven(5);
      const { email, entryId } = person;
      for (let i = 0; i < 3; i++) await search(get(), person);
      const takeBack = (more: object) =>
        get().operator.takeBackCredit({ email, entryId, now: NOW, ...more });
      expect(await codeOf(takeBack({}))).toBe('usage');
      expect(await codeOf(takeBack({ credits: 6, mayOwe: true }))).toBe('usage');
      expect(await balanceOf(person)).toBe(2);
      expect(await takeBack({ credits: 4, mayOwe: true })).toMatchObject({ balance: -2 });
    });

    it('is not the credit of others, nor that of a payment, nor what is no credit', async () => {
      const { entryId } = await misgiven(5);
      const other = await misgiven(5);
      const { email } = other;
      const takeBack = (id: number) =>
        get().operator.takeBackCredit({ email, entryId: id, now: NOW });
      expect(await codeOf(takeBack(entryId))).toBe('usage');
      await search(get(), other);
      const [charge] = await get().operator.listEntries({ email, limit: 1 });
      expect(await codeOf(takeBack(charge?.id ?? 0))).toBe('usage');
      const { email: buyer, customerId } = await addPerson(get());
      const price = { credits: 9, amount: 9, currency: 'eur' };
      await get().store.placeOrder({
        orderId: buyer,
        customerId,
        ...price,
        perHourMax: 9,
        now: NOW,
      });
      const paid = { orderId: buyer, amount: 9, currency: 'eur', createdAt: NOW };
      const session = { ...paid, id: `e-${buyer}`, session: `cs-${buyer}`, paymentIntent: buyer };
      const event = { kind: 'session', state: 'paid', ...session } as const;
      await get().store.recordPaymentEvent({ event, now: NOW });
      expect(await get().operator.listGivenCredit({ customerId, limit: 9 })).toEqual([]);
    });
  });

  describe('many requests', () => {
    const all = { from: 0, until: NOW + DAY_MS };
    const find = ({ email }: Person, filter: object = {}, limit = 999) =>
      get().operator.findRefundable({ email, ...all, ...filter, limit });
    const refund = ({ email }: Person, requestIds: readonly string[]) =>
      get().operator.refundRequests({ email, requestIds, filter: all, note: 'outage', now: NOW });

    it('are found by time, key, and kind, if they were charged and not refunded', async () => {
      const person = await addPerson(get(), { credits: 20 });
      const [first, second] = [await search(get(), person), await search(get(), person)];
      const paper = { ...newHold(person), call: 'paper' as const };
      await get().store.hold(paper);
      await get().store.settle(paper.requestId);
      await hold(get(), person);
      await get().operator.refundSearch({ requestId: first, now: NOW });
      const { prefix } = person.key;
      const both = { requests: 2, credits: 2, requestIds: [second, paper.requestId] };
      expect(await find(person)).toEqual(both);
      expect(await find(person, { keyPrefix: prefix, from: NOW })).toEqual(both);
      expect(await find(person, {}, 1)).toEqual({ ...both, requestIds: [second] });
      expect((await find(person, { call: 'search' })).requestIds).toEqual([second]);
      expect((await find(person, { call: 'paper' })).requestIds).toEqual([paper.requestId]);
      const other = await addPerson(get());
      const nothing = { requests: 0, credits: 0, requestIds: [] };
      for (const filter of [{ until: NOW }, { from: NOW + 1 }, { keyPrefix: other.key.prefix }]) {
        expect(await find(person, filter), JSON.stringify(filter)).toEqual(nothing);
      }
      expect(await find(other)).toEqual(nothing);
    });

    it('are refunded once, however often, and whoever else refunds them at the same time', async () => {
      const person = await addPerson(get(), { credits: 150 });
      const stranger = await addPerson(get(), { credits: 1 });
      const foreign = await search(get(), stranger);
      for (let i = 0; i < 120; i++) await search(get(), person);
      const { requestIds } = await find(person);
      const [requestId = ''] = requestIds;
      const named = [...requestIds, foreign, 'unknown'];
      const results = await Promise.allSettled([
        refund(person, named),
        get().operator.refundSearch({ requestId, now: NOW }),
        refund(person, named),
      ]);
      const refunded = results.flatMap((result) =>
        result.status === 'fulfilled' && 'requests' in result.value ? [result.value.requests] : [],
      );
      const sum = refunded.reduce((total, requests) => total + requests, 0);
      expect(refunded).toHaveLength(2);
      expect(sum + (results[1]?.status === 'fulfilled' ? 1 : 0)).toBe(120);
      expect(await balanceOf(person)).toBe(150);
      expect(await balanceOf(stranger)).toBe(0);
      expect(await find(person)).toEqual({ requests: 0, credits: 0, requestIds: [] });
      const limits = { lifetimeMs: DAY_MS, idleMs: DAY_MS, perMemberMax: 1 };
      const shown = await get().operator.showCustomer({ email: person.email, limits, now: NOW });
      expect(shown.keys[0]?.toDate).toEqual({ requests: 120, credits: 0 });
      const before = await latestAction();
      expect(await refund(person, named)).toMatchObject({ requests: 0, balance: 150 });
      expect(await latestAction()).toEqual(before);
      expect(before).toMatchObject({
        action: 'credit refund-many',
        customer: person.email,
        details: expect.stringMatching(/ credits, 1970-01-01T00:00 to 2026-03-15T09:30, outage$/),
      });
    });
  });

  it('the note of a customer is read by operators, and has a longest length', async () => {
    const { email } = await addPerson(get());
    const limits = { lifetimeMs: DAY_MS, idleMs: DAY_MS, perMemberMax: 1 };
    const noteOf = async () =>
      (await get().operator.showCustomer({ email, limits, now: NOW })).note;
    const write = (note: string) =>
      get().operator.setCustomerNote({ email, note, charactersMax: 9 });
    expect(await noteOf()).toBe('');
    await write('of a lab');
    expect(await noteOf()).toBe('of a lab');
    expect(await codeOf(write('0123456789'))).toBe('usage');
    await write('');
    expect(await noteOf()).toBe('');
  });

  it('a deleted customer gets no credit and no note', async () => {
    const person = await addPerson(get(), { credits: 5 });
    const { customerId, memberId } = person;
    const requestId = await search(get(), person);
    await get().store.deleteCustomer({ customerId, memberId, creditsForfeited: 4, now: NOW });
    const email = `deleted-${customerId}`;
    const refused = [
      get().operator.topUp({ email, credits: 5, now: NOW }),
      get().operator.refundSearch({ requestId, now: NOW }),
      refundAll(email, requestId),
      get().operator.setCustomerNote({ email, note: 'x', charactersMax: 9 }),
    ];
    expect(await outcomesOf(refused)).toEqual({ resolved: 0, codes: ['usage'] });
    expect(await balanceOf(person)).toBe(0);
  });

  function refundAll(email: string, requestId: string) {
    const filter = { from: 0, until: NOW };
    return get().operator.refundRequests({ email, requestIds: [requestId], filter, now: NOW });
  }
}
