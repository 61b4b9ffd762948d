/** Grants of OAuth clients, and payments. */
import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { SessionEvent } from '../../../src/accounts/sql/payment-decisions.ts';
import { NOW } from '../../support/accounts.ts';
import {
  addPerson,
  codeOf,
  DAY_MS,
  type GetAccounts,
  outcomesOf,
  takeEvent,
} from './accounts-under-test.ts';

const clientId = 'https://agent.example/client.json';
const redirectUri = 'https://agent.example/';
const codeChallenge = 'x'.repeat(43);
const limits = {
  accessTokenMs: 1_000,
  refreshTokenMs: DAY_MS,
  refreshGraceMs: 10,
  tokensPerGrantMax: 4,
  keysMax: 3,
  keysEverMax: 9,
};

export function testClients(get: GetAccounts): void {
  const newCode = async (customerId: number, expiresAt = NOW + 1_000) => {
    const client = { clientId, clientName: 'Agent', redirectUri, codeChallenge };
    const bounds = { creditsPerMonthMax: 9, expiresAt, codesMax: 2, now: NOW };
    return await get().store.addCode({ customerId, ...client, ...bounds });
  };
  const redeem = (code: string, input: { codeChallenge?: string; now?: number } = {}) => {
    const client = { clientId, redirectUri, codeChallenge };
    return get().store.redeemCode({ code, ...client, limits, now: NOW, ...input });
  };
  const refresh = (token: string, now = NOW) =>
    get().store.refreshGrant({ token, clientId, limits, now });
  const admit = async (secret: string, acceptsTokens = true, now = NOW) => {
    await nextTurn();
    return await get().store.admit({ secret, acceptsTokens, now });
  };
  const connect = async () => {
    const person = await addPerson(get(), { credits: 5 });
    const tokens = await redeem(await newCode(person.customerId));
    if (tokens === undefined) throw new Error('the code was refused');
    return { ...person, tokens };
  };

  describe('a client', () => {
    it('gets tokens for its code, which admit where tokens are accepted', async () => {
      const { customerId, tokens } = await connect();
      const key = { customerId, client: clientId, creditsPerMonthMax: 9 };
      expect(await admit(tokens.access)).toMatchObject({ key, credit: { balance: 5 } });
      expect(await admit(tokens.access, false)).toBeUndefined();
      expect(await admit(tokens.refresh)).toBeUndefined();
      expect(await admit(tokens.access, true, NOW + limits.accessTokenMs)).toBeUndefined();
      expect(await get().store.keyOfRefreshToken(tokens.refresh)).toMatchObject(key);
    });

    it('has until its time: the code, the access token, the refresh token', async () => {
      const { customerId, tokens } = await connect();
      const late = await redeem(await newCode(customerId), { now: NOW + 1_000 });
      expect(late).toBeUndefined();
      expect(await admit(tokens.access, true, NOW + limits.accessTokenMs - 1)).toBeDefined();
      expect(await refresh(tokens.refresh, NOW + DAY_MS)).toBeUndefined();
      const next = await refresh(tokens.refresh, NOW + DAY_MS - 1);
      expect(await admit(next?.access ?? '', true, NOW + DAY_MS)).toBeDefined();
    });

    it('has few codes and few tokens, the newest', async () => {
      const { customerId } = await addPerson(get());
      const codes: string[] = [];
      for (const later of [1, 2, 3]) codes.push(await newCode(customerId, NOW + later));
      const redeemed = [];
      for (const code of codes) redeemed.push((await redeem(code)) !== undefined);
      expect(redeemed).toEqual([false, true, true]);
      const issued = [(await connect()).tokens];
      for (let count = 1; count < 6; count++) {
        const next = await refresh(issued.at(-1)?.refresh ?? '', NOW + count);
        if (next !== undefined) issued.push(next);
      }
      const admitted = [];
      for (const { access } of issued) admitted.push((await admit(access)) !== undefined);
      expect(admitted).toEqual([false, false, true, true, true, true]);
    });

    it('loses its access when its code comes back, also after the time of the code', async () => {
      const { customerId } = await addPerson(get());
      const code = await newCode(customerId);
      const tokens = await redeem(code);
      expect(await redeem(code, { now: NOW + DAY_MS })).toBeUndefined();
      expect(await admit(tokens?.access ?? '')).toBeUndefined();
    });

    it('gets nothing for a code of two that redeem it at once, but one', async () => {
      const { customerId } = await addPerson(get());
      const code = await newCode(customerId);
      expect(await get().store.isKnownCode(code)).toBe(true);
      const issued = await Promise.all([redeem(code), redeem(code), redeem(code)]);
      const tokens = issued.filter((each) => each !== undefined);
      expect(tokens).toHaveLength(1);
      // Someone else may have the code, so the grant has ended.
      expect(await admit(tokens[0]?.access ?? '')).toBeUndefined();
    });

    it('gets nothing for a code with another verifier, and the code ends', async () => {
      const { customerId } = await addPerson(get());
      const code = await newCode(customerId);
      expect(await redeem(code, { codeChallenge: 'y'.repeat(43) })).toBeUndefined();
      expect(await redeem(code)).toBeUndefined();
      expect(await get().store.isKnownCode(code)).toBe(false);
      expect(await get().store.isKnownCode('z')).toBe(false);
    });

    it('keeps its code if the customer has too many keys', async () => {
      const { customerId } = await addPerson(get());
      const own = { customerId, name: 'own', creditsPerMonthMax: null, now: NOW };
      await get().store.createOwnKey({ ...own, keysMax: 9, keysEverMax: 9 });
      const { key } = await get().store.createOwnKey({ ...own, keysMax: 9, keysEverMax: 9 });
      const code = await newCode(customerId);
      expect(await codeOf(redeem(code))).toBe('bad_request');
      await get().store.revokeOwnKey({ customerId, prefix: key.prefix, now: NOW });
      expect(await redeem(code)).toBeDefined();
    });

    it('replaces its refresh token, again in the grace period, and loses all after it', async () => {
      const { tokens } = await connect();
      const second = await refresh(tokens.refresh, NOW + 1);
      const third = await refresh(tokens.refresh, NOW + 11);
      expect([second, third].every((issued) => issued !== undefined)).toBe(true);
      expect(await admit(third?.access ?? '')).toBeDefined();
      expect(await refresh(tokens.refresh, NOW + 12)).toBeUndefined();
      expect(await admit(third?.access ?? '')).toBeUndefined();
      expect(await refresh(third?.refresh ?? '', NOW + 12)).toBeUndefined();
      expect(await refresh('vrt_unknown')).toBeUndefined();
    });

    it('gives its access up with either token, and only its own', async () => {
      const [{ tokens }, { tokens: others }] = [await connect(), await connect()];
      const { store } = get();
      for (const token of [tokens.access, tokens.refresh]) {
        expect(await store.isTokenOfGrant(token)).toBe(true);
      }
      for (const other of ['https://other', '', 'a\u0000b']) {
        await store.revokeToken({ token: tokens.access, clientId: other, now: NOW });
      }
      expect(await admit(tokens.access)).toBeDefined();
      await store.revokeToken({ token: tokens.refresh, clientId, now: NOW });
      await store.revokeToken({ token: tokens.refresh, clientId, now: NOW });
      expect(await admit(tokens.access)).toBeUndefined();
      expect(await refresh(tokens.refresh)).toBeUndefined();
      expect(await store.isTokenOfGrant('vat_unknown')).toBe(false);
      expect(await admit(others.access)).toBeDefined();
      expect(await refresh(others.refresh)).toBeDefined();
    });
  });
}

let sessions = 0;

export function testPayments(get: GetAccounts): void {
  const amount = 900;
  const newOrder = async (perHourMax = 5) => {
    const person = await addPerson(get());
    const { customerId } = person;
    const what = { credits: 100, amount, currency: 'eur', perHourMax, now: NOW };
    return { person, order: { orderId: randomUUID(), customerId, ...what } };
  };
  const paid = (orderId: string): SessionEvent & { id: string; createdAt: number } => {
    const session = `cs_${++sessions}`;
    const ids = { id: `evt_${sessions}`, session, orderId, paymentIntent: `pi_${sessions}` };
    return { kind: 'session', state: 'paid', amount, currency: 'eur', createdAt: NOW, ...ids };
  };

  describe('an order', () => {
    it('is stored once, if it comes twice at once', async () => {
      const { order } = await newOrder(1);
      const placed = await Promise.all([1, 2].map(() => get().store.placeOrder(order)));
      expect(placed[0]).toEqual(placed[1]);
      expect(placed[0]).toMatchObject({ payment: { state: 'ordered', credits: 100, url: null } });
      const other = { ...order, credits: 7 };
      expect(await get().store.placeOrder(other)).toEqual({ rejection: 'another_order' });
      const next = { ...order, orderId: randomUUID() };
      expect(await get().store.placeOrder(next)).toEqual({ rejection: 'too_many' });
    });

    it('keeps its first checkout', async () => {
      const { order } = await newOrder();
      const { orderId } = order;
      await get().store.placeOrder(order);
      for (const session of [`${orderId}-a`, `${orderId}-b`]) {
        const checkout = { orderId, session, url: `https://pay/${session}`, expiresAt: NOW + 9 };
        await get().store.openCheckout(checkout);
      }
      const payment = { session: `${orderId}-a`, url: `https://pay/${orderId}-a` };
      expect(await get().store.placeOrder(order)).toMatchObject({ payment });
    });
  });

  describe('an event', () => {
    it('adds credit once, however often and at once it comes', async () => {
      const { person, order } = await newOrder();
      await get().store.placeOrder(order);
      const event = paid(order.orderId);
      const same = { ...event, id: `${event.id}-again` };
      const events = [event, event, same, event];
      const results = await Promise.all(events.map((each) => takeEvent(get(), each)));
      const outcomes = results.map(({ outcome }) => outcome).sort();
      expect(outcomes).toEqual(['credited', 'duplicate', 'duplicate', 'noted']);
      expect(await get().store.readBalance(person.customerId)).toBe(100);
    });

    it('takes back what returned to the payer, in any order', async () => {
      const { person, order } = await newOrder();
      await get().store.placeOrder(order);
      const event = paid(order.orderId);
      const paymentIntent = event.paymentIntent ?? '';
      const back = { paymentIntent, currency: 'eur', orderId: order.orderId, createdAt: NOW };
      await takeEvent(get(), {
        ...back,
        kind: 'refund_sum',
        id: `${event.id}-r2`,
        amount: 600,
      });
      await takeEvent(get(), event);
      await takeEvent(get(), {
        ...back,
        kind: 'refund_sum',
        id: `${event.id}-r1`,
        amount: 300,
      });
      expect(await get().store.readBalance(person.customerId)).toBe(34);
      const { payments } = await get().operator.listPayments({ email: person.email, limit: 9 });
      expect(payments).toMatchObject([{ state: 'paid', creditsGiven: 34, problem: null }]);
    });

    it('gives back what a refund took that failed, in any order', async () => {
      const { person, order } = await newOrder();
      await get().store.placeOrder(order);
      const event = paid(order.orderId);
      const facts = { paymentIntent: event.paymentIntent ?? '', currency: 'eur', amount: 300 };
      const of = { ...facts, createdAt: NOW };
      const refund = { ...of, kind: 'refund' as const, refund: `re-${event.id}` };
      const sum = { ...of, kind: 'refund_sum' as const, orderId: order.orderId };
      await takeEvent(get(), { ...refund, id: `${event.id}-made`, hasFailed: false });
      await takeEvent(get(), event);
      expect(await get().store.readBalance(person.customerId)).toBe(67);
      await takeEvent(get(), { ...refund, id: `${event.id}-gone`, hasFailed: true });
      await takeEvent(get(), { ...sum, id: `${event.id}-sum` });
      await takeEvent(get(), { ...refund, id: `${event.id}-late`, hasFailed: false });
      const { customerId } = person;
      const billing = await get().store.readBilling({ customerId, paymentsMax: 5 });
      const reversals = { refundsReported: 300, refundsListed: 0, refundsFailed: 300, disputed: 0 };
      expect(billing).toMatchObject({ balance: 100, rows: [{ paidAt: NOW, ...reversals }] });
      const { orderId } = order;
      expect(await get().store.findOwnPayment({ customerId, orderId })).toEqual(billing.rows[0]);
      const other = { customerId: customerId + 1, orderId };
      expect(await get().store.findOwnPayment(other)).toBeUndefined();
    });

    it('is kept as a problem if the amount is another one, and is foreign without an order', async () => {
      const { person, order } = await newOrder();
      await get().store.placeOrder(order);
      const wrong = await takeEvent(get(), { ...paid(order.orderId), amount: 1 });
      expect(wrong.outcome).toBe('problem');
      expect(await get().store.readBalance(person.customerId)).toBe(0);
      const foreign = { ...paid(''), orderId: undefined };
      expect(await takeEvent(get(), foreign)).toEqual({ outcome: 'foreign' });
      const stray = paid(randomUUID());
      await takeEvent(get(), stray);
      const { strays } = await get().operator.listPayments({ limit: 9 });
      expect(strays.map(({ id }) => id)).toContain(stray.id);
    });

    it('is recorded by the operator, too, or in a dry run not', async () => {
      const { person, order } = await newOrder();
      await get().store.placeOrder(order);
      const events = [paid(order.orderId)];
      const record = (dryRun: boolean) =>
        get().operator.recordReconciled({ events, dryRun, now: NOW });
      expect(await record(true)).toMatchObject([{ outcome: 'credited', credits: 100 }]);
      expect(await get().store.readBalance(person.customerId)).toBe(0);
      expect(await record(false)).toMatchObject([{ outcome: 'credited', credits: 100 }]);
      expect(await record(false)).toMatchObject([{ outcome: 'duplicate' }]);
      expect(await get().store.readBalance(person.customerId)).toBe(100);
    });
  });

  it('counts a payment with a reference once of two at once', async () => {
    const { email } = await addPerson(get());
    const reference = `transfer-${email}`;
    const both = [1, 2].map(() => get().operator.topUp({ email, credits: 5, reference, now: NOW }));
    expect(await outcomesOf(both)).toEqual({ resolved: 1, codes: ['already_exists'] });
    expect(
      await codeOf(get().operator.topUp({ email, credits: 5, reference: ' ', now: NOW })),
    ).toBe('usage');
  });
}
