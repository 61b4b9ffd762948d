/** How operators put right what went wrong: credit that is taken back, and refunds of many requests. */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { NOW } from '../../support/accounts.ts';
import {
  addPerson,
  codeOf,
  DAY_MS,
  type GetAccounts,
  newHold,
  outcomesOf,
  type Person,
  search,
} from './accounts-under-test.ts';
import { recordFor } from './requests.ts';

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
      const input = { customerId, entryId, note: 'typed twice', now: NOW };
      const both = [1, 2].map(() => get().operator.takeBackCredit(input));
      expect(await outcomesOf(both)).toEqual({ resolved: 1, codes: ['already_exists'] });
      expect(await balanceOf(person)).toBe(0);
      expect(await get().operator.listGivenCredit({ customerId, limit: 9 })).toMatchObject([
        { id: entryId, credits: 50, isTakenBack: true },
      ]);
      const [entry] = await get().operator.listEntries({ email, limit: 1 });
      const reference = `gift:${entryId}`;
      expect(entry).toMatchObject({ kind: 'adjust', credits: -50, reference, note: 'typed twice' });
      const subject = `entry ${entryId}`;
      const details = '50 credits, typed twice';
      expect(await latestAction()).toMatchObject({ action: 'credit take-back', subject, details });
    });

    it('is owed if it was spent', async () => {
      const person = await misgiven(5);
      const { customerId, entryId } = person;
      for (let i = 0; i < 3; i++) await search(get(), person);
      const taken = await get().operator.takeBackCredit({ customerId, entryId, now: NOW });
      expect(taken).toMatchObject({ credits: 5, balance: -3 });
    });

    it('is not the credit of others, nor that of a payment, nor what is no credit', async () => {
      const { entryId } = await misgiven(5);
      const other = await misgiven(5);
      const { email, customerId: otherId } = other;
      const takeBack = (id: number) =>
        get().operator.takeBackCredit({ customerId: otherId, entryId: id, now: NOW });
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
    /** A charged search that is recorded as well, as servers do it. */
    const charged = async (person: Person, request: object = {}): Promise<string> => {
      // As servers name them: what ends with a number is a part of another request.
      const requestId = randomUUID();
      await get().store.hold({ ...newHold(person), requestId });
      await get().store.settle(requestId);
      await recordFor(get(), person, { requestId, credits: 1, ...request });
      return requestId;
    };
    const find = async ({ customerId }: Person, filter: object = {}, requestsMax = 999) => {
      const search = { customerId, ...filter, requestsMax };
      return (await get().operator.findRefundable(search)).map(({ requestId }) => requestId);
    };
    const refund = ({ customerId }: Person, requestIds: readonly string[]) => {
      const input = { customerId, requestIds, filter: 'path=/mcp', note: 'outage', now: NOW };
      return get().operator.refundRequests(input);
    };

    it('are found by the filter of requests, if they were charged and not refunded', async () => {
      const person = await addPerson(get(), { credits: 20 });
      const first = await charged(person);
      const second = await charged(person);
      const paper = await charged(person, { path: '/mcp', createdAt: NOW - DAY_MS });
      await recordFor(get(), person, { status: 503, code: 'degraded', credits: 0 });
      await get().operator.refundSearch({ requestId: first, now: NOW });
      expect(await find(person)).toEqual([second, paper]);
      expect(await find(person, {}, 1)).toEqual([second]);
      expect(await find(person, { path: '/mcp' })).toEqual([paper]);
      expect(await find(person, { from: NOW, keyId: person.key.id })).toEqual([second]);
      expect(await find(person, { status: 'failed' })).toEqual([]);
      expect(await find(await addPerson(get()))).toEqual([]);
    });

    it('are refunded with all parts, although some were never charged', async () => {
      const person = await addPerson(get(), { credits: 20 });
      const requestId = randomUUID();
      for (const part of [2, 4]) {
        await get().store.hold({ ...newHold(person), requestId: `${requestId}-${part}` });
        await get().store.settle(`${requestId}-${part}`);
      }
      await recordFor(get(), person, { requestId, path: '/v1/search/batch', credits: 2 });
      expect(await refund(person, await find(person))).toMatchObject({ requests: 1, credits: 2 });
      expect(await get().store.findRequest({ requestId })).toMatchObject({ credits: 0 });
      expect(await find(person)).toEqual([]);
    });

    it('are refunded once, however often, and whoever else refunds them at the same time', async () => {
      const person = await addPerson(get(), { credits: 20 });
      for (let i = 0; i < 12; i++) await charged(person);
      const requestIds = await find(person);
      const [requestId = ''] = requestIds;
      const results = await Promise.allSettled([
        refund(person, requestIds),
        get().operator.refundSearch({ requestId, now: NOW }),
        refund(person, requestIds),
      ]);
      const refunded = results.flatMap((result) =>
        result.status === 'fulfilled' && 'requests' in result.value ? [result.value.requests] : [],
      );
      const sum = refunded.reduce((total, requests) => total + requests, 0);
      expect(refunded).toHaveLength(2);
      expect(sum + (results[1]?.status === 'fulfilled' ? 1 : 0)).toBe(12);
      expect(await balanceOf(person)).toBe(20);
      expect(await find(person)).toEqual([]);
      const limits = { lifetimeMs: DAY_MS, idleMs: DAY_MS, perMemberMax: 1 };
      const shown = await get().operator.showCustomer({ email: person.email, limits, now: NOW });
      expect(shown.keys[0]?.toDate).toEqual({ requests: 12, credits: 0 });
      const before = await latestAction();
      expect(await refund(person, requestIds)).toMatchObject({ requests: 0, credits: 0 });
      expect(await latestAction()).toEqual(before);
      expect(before).toMatchObject({ action: 'credit refund-many', customer: person.email });
      expect(before?.details).toMatch(/^1[12] credits, 1[12] requests, path=\/mcp, outage$/);
    });

    it('are refunded with all their parts that were charged, and only for their customer', async () => {
      const person = await addPerson(get(), { credits: 20 });
      const whole = await charged(person, { path: '/v1/search/batch', credits: 3 });
      for (const part of [1, 2, 3]) {
        const held = { ...newHold(person), requestId: `${whole}-${part}` };
        await get().store.hold(held);
        await get().store[part === 2 ? 'release' : 'settle'](held.requestId);
      }
      const stranger = await addPerson(get(), { credits: 1 });
      expect(await codeOf(refund(stranger, [whole]))).toBe('unknown_request');
      expect(await refund(person, [whole])).toMatchObject({ requests: 1, credits: 3 });
      expect(await balanceOf(person)).toBe(20);
    });
  });

  it('the note of a customer is read by operators', async () => {
    const { email } = await addPerson(get());
    const limits = { lifetimeMs: DAY_MS, idleMs: DAY_MS, perMemberMax: 1 };
    const noteOf = async () =>
      (await get().operator.showCustomer({ email, limits, now: NOW })).note;
    const write = (note: string) => get().operator.setCustomerNote({ email, note });
    expect(await noteOf()).toBe('');
    await write('of a lab');
    expect(await noteOf()).toBe('of a lab');
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
      get().operator.refundRequests({ customerId, requestIds: [requestId], filter: '', now: NOW }),
      get().operator.setCustomerNote({ email, note: 'x' }),
    ];
    expect(await outcomesOf(refused)).toEqual({ resolved: 0, codes: ['usage'] });
    expect(await balanceOf(person)).toBe(0);
  });
}
