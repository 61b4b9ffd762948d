/** Admission, holds and their outcomes, and stored answers. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { newSecret } from '../../../src/accounts/sql/api-keys.ts';
import { NOW, PERIOD } from '../../support/accounts.ts';
import {
  addPerson,
  codeOf,
  type GetAccounts,
  hold,
  newHold,
  outcomesOf,
  type Person,
  search,
} from './accounts-under-test.ts';

const AT_ONCE = 64;

export function testAdmission(get: GetAccounts): void {
  const admit = async (secret: string, now = NOW) => {
    await nextTurn();
    return await get().store.admit({ secret, acceptsTokens: false, now });
  };

  describe('admission', () => {
    it('finds the key of a secret, its rate, and what it may spend', async () => {
      const person = await addPerson(get(), { credits: 7, creditsPerMonthMax: 5 });
      await search(get(), person);
      const admission = await admit(person.secret);
      expect(admission).toMatchObject({
        key: { id: person.key.id, customerId: person.customerId, customer: person.email },
        rate: { allowed: true },
        credit: { balance: 6, monthLeft: 4 },
      });
    });

    it('knows no cap where there is none', async () => {
      const { secret } = await addPerson(get());
      expect((await admit(secret))?.credit).toEqual({ balance: 0, monthLeft: null });
    });

    it('does not count open holds against the cap', async () => {
      const person = await addPerson(get(), { credits: 7, creditsPerMonthMax: 5 });
      await hold(get(), person);
      expect((await admit(person.secret))?.credit).toEqual({ balance: 6, monthLeft: 5 });
    });

    it('finds no key for another secret', async () => {
      const { secret, key } = await addPerson(get());
      const others = ['', 'sk_live_', `${secret}x`, secret.slice(0, -1), secret.toLowerCase()];
      // That of another service.
      const { secret: wellFormed } = newSecret();
      for (const other of [...others, wellFormed, key.prefix, `sk_live_${key.prefix}`]) {
        expect(await admit(other)).toBeUndefined();
      }
    });

    it('fails on the first request after the key was revoked', async () => {
      const person = await addPerson(get());
      expect(await admit(person.secret)).toBeDefined();
      await get().operator.revokeKey({ prefix: person.key.prefix, at: NOW });
      expect(await admit(person.secret)).toBeUndefined();
    });

    it('fails while the customer is disabled', async () => {
      const { email, secret } = await addPerson(get());
      await get().operator.disableCustomer({ email, now: NOW });
      expect(await admit(secret)).toBeUndefined();
      await get().operator.enableCustomer({ email });
      expect(await admit(secret)).toBeDefined();
    });

    it('fails from the moment at which the key expires', async () => {
      const { customerId, key, secret } = await addPerson(get());
      const { prefix, name, creditsPerMonthMax, lanes } = key;
      const edit = { name, expiresAt: NOW + 10, creditsPerMonthMax, lanes };
      await get().store.editOwnKey({ customerId, prefix, ...edit });
      expect(await admit(secret, NOW + 9)).toBeDefined();
      expect(await admit(secret, NOW + 10)).toBeUndefined();
    });

    it('counts requests against the rate of the key, however they come', async () => {
      const person = await addPerson(get(), { credits: 1, requestsPerMinute: 4 });
      const { customerId, key, secret } = person;
      expect((await admit(secret))?.rate).toMatchObject({ limit: 4, remaining: 3 });
      const own = { customerId, prefix: key.prefix, now: NOW };
      expect((await get().store.admitOwnKey(own))?.rate.remaining).toBe(2);
      const more = await get().store.takeRates(key, { count: 3, now: NOW });
      expect(more.map(({ allowed }) => allowed)).toEqual([true, true, false]);
      expect(await admit(secret)).toMatchObject({ rate: { allowed: false }, credit: undefined });
      expect((await admit(secret, NOW + 60_000))?.rate.allowed).toBe(true);
    });

    it('admits no more at once than the rate allows', async () => {
      const { secret } = await addPerson(get(), { requestsPerMinute: 10 });
      const all = await Promise.all(Array.from({ length: AT_ONCE }, () => admit(secret)));
      expect(all.filter((admission) => admission?.rate.allowed)).toHaveLength(10);
    });

    it('admits a key with a high rate after years', async () => {
      const { secret } = await addPerson(get(), { requestsPerMinute: 1_000_000_000 });
      const years = 10 * 365 * 86_400_000;
      for (const now of [NOW, NOW + years]) {
        expect((await admit(secret, now))?.rate).toMatchObject({
          allowed: true,
          remaining: 999_999_999,
        });
      }
    });

    it("finds a customer's own key, and nobody else's", async () => {
      const [ada, bob] = [await addPerson(get(), { credits: 3 }), await addPerson(get())];
      const admitOwn = ({ customerId }: Person, { prefix }: Person['key']) =>
        get().store.admitOwnKey({ customerId, prefix, now: NOW });
      expect(await admitOwn(ada, ada.key)).toMatchObject({ credit: { balance: 3 } });
      expect(await admitOwn(bob, ada.key)).toBeUndefined();
      await get().operator.revokeKey({ prefix: ada.key.prefix, at: NOW });
      expect(await admitOwn(ada, ada.key)).toBeUndefined();
    });
  });
}

export function testHolds(get: GetAccounts): void {
  describe('a hold', () => {
    it('takes credit, and fails without any if there is too little', async () => {
      const person = await addPerson(get(), { credits: 2 });
      expect(await get().store.hold(newHold(person))).toBe(1);
      expect(await get().store.hold({ ...newHold(person), credits: 2 })).toBeUndefined();
      expect(await get().store.hold(newHold(person))).toBe(0);
      expect(await get().store.hold(newHold(person))).toBeUndefined();
      expect(await get().store.readBalance(person.customerId)).toBe(0);
    });

    it('succeeds at once no more often than the balance allows', async () => {
      const person = await addPerson(get(), { credits: 10 });
      const holds = Array.from({ length: AT_ONCE }, () => get().store.hold(newHold(person)));
      const held = (await Promise.all(holds)).filter((balance) => balance !== undefined);
      expect(held.sort((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    });

    it('succeeds at once no more often than the cap allows, with holds that are open', async () => {
      const person = await addPerson(get(), { credits: 1_000, creditsPerMonthMax: 10 });
      await search(get(), person);
      const holds = Array.from({ length: AT_ONCE }, () => get().store.hold(newHold(person)));
      expect(await outcomesOf(holds)).toEqual({ resolved: 9, codes: ['key_cap_reached'] });
      expect(await get().store.readBalance(person.customerId)).toBe(990);
    });

    it('has room in the next month, but for the holds that are open', async () => {
      const person = await addPerson(get(), { credits: 9, creditsPerMonthMax: 2 });
      await search(get(), person);
      await hold(get(), person);
      const inApril = Date.UTC(2026, 3, 1);
      expect(await codeOf(get().store.hold(newHold(person)))).toBe('key_cap_reached');
      expect(await get().store.hold(newHold(person, inApril))).toBe(6);
      expect(await codeOf(get().store.hold(newHold(person, inApril)))).toBe('key_cap_reached');
    });

    it('is charged once, or released once, whichever comes first', async () => {
      const person = await addPerson(get(), { credits: 5 });
      const charged = await hold(get(), person);
      expect(await get().store.settle(charged)).toBe(4);
      expect(await get().store.settle(charged)).toBeUndefined();
      expect(await get().store.release(charged)).toBeUndefined();
      const released = await hold(get(), person);
      expect(await get().store.release(released)).toBe(4);
      expect(await get().store.release(released)).toBeUndefined();
      expect(await get().store.settle(released)).toBeUndefined();
      expect(await get().store.settle('never held')).toBeUndefined();
      expect(await get().store.readBalance(person.customerId)).toBe(4);
    });

    it('of several credits is charged or released as one', async () => {
      const person = await addPerson(get(), { credits: 12, creditsPerMonthMax: 9 });
      const { store } = get();
      const five = () => ({ ...newHold(person), credits: 5 });
      const [charged, released] = [five(), five()];
      expect(await store.hold(charged)).toBe(7);
      expect(await store.settle(charged.requestId)).toBe(7);
      expect(await codeOf(store.hold(five()))).toBe('key_cap_reached');
      const later = { ...released, now: Date.UTC(2026, 3, 1) };
      expect(await store.hold(later)).toBe(2);
      expect(await store.release(later.requestId)).toBe(7);
      expect(await store.readKeyAccount(person.key, { period: PERIOD })).toEqual({
        usage: { requests: 1, credits: 5 },
        balance: 7,
      });
    });

    it('has one outcome if all come at once', async () => {
      const person = await addPerson(get(), { credits: 5 });
      const { store } = get();
      for (const first of ['settle', 'release'] as const) {
        const id = await hold(get(), person);
        const steps = [store[first](id), store.settle(id), store.release(id), store.settle(id)];
        const applied = (await Promise.all(steps)).filter((balance) => balance !== undefined);
        expect(applied).toHaveLength(1);
      }
    });

    it('counts toward the usage of its key when it is charged', async () => {
      const person = await addPerson(get(), { credits: 5 });
      await search(get(), person);
      await get().store.release(await hold(get(), person));
      await hold(get(), person);
      const read = (period: string) => get().store.readKeyAccount(person.key, { period });
      expect(await read(PERIOD)).toEqual({ usage: { requests: 1, credits: 1 }, balance: 3 });
      expect(await read('2026-02')).toEqual({ usage: { requests: 0, credits: 0 }, balance: 3 });
    });
  });

  it('reads usage and balance of one moment', async () => {
    const credits = 40;
    const person = await addPerson(get(), { credits });
    let isDone = false;
    const searching = (async () => {
      for (let i = 0; i < credits; i++) await search(get(), person);
      isDone = true;
    })();
    while (!isDone) {
      const { usage, balance } = await get().store.readKeyAccount(person.key, { period: PERIOD });
      // At most one credit is held.
      expect([credits - 1, credits]).toContain(usage.credits + balance);
      await nextTurn();
    }
    await searching;
  });
}

export function testAnswers(get: GetAccounts): void {
  let keys = 0;
  const answerOf = ({ customerId }: Person, charged: string[], released: string[] = []) => {
    const fingerprint = new Uint8Array([1, 2, 3]);
    const request = { customerId, idempotencyKey: `key-${++keys}`, fingerprint };
    const content = { headers: { 'X-Token-Budget': '9' }, body: '{"n":0,"é":1}' };
    const times = { expiresAt: NOW + 1_000, now: NOW };
    return { request, requestId: charged[0] ?? 'none', ...content, charged, released, ...times };
  };
  const find = (request: { customerId: number; idempotencyKey: string }, now = NOW) =>
    get().store.findAnswer({ ...request, now });

  describe('a stored answer', () => {
    it('is found with its charge, until it expires', async () => {
      const person = await addPerson(get(), { credits: 5 });
      const [charged, released] = [await hold(get(), person), await hold(get(), person)];
      const answer = answerOf(person, [charged, await hold(get(), person)], [released]);
      const before = await find(answer.request);
      expect(before).toMatchObject({ stored: undefined, own: { answers: 0, bytes: 0 } });
      expect(await get().store.storeAnswer(answer)).toBe(3);
      const found = await find(answer.request);
      const { requestId, headers, body } = answer;
      expect(found.stored).toMatchObject({ requestId, headers, body });
      expect(Uint8Array.from(found.stored?.fingerprint ?? [])).toEqual(answer.request.fingerprint);
      expect(found.own).toEqual({
        answers: 1,
        bytes: Buffer.byteLength('{"X-Token-Budget":"9"}{"n":0,"é":1}'),
      });
      expect(found.all.answers).toBe(before.all.answers + 1);
      expect(found.all).toEqual(await get().store.readAnswerTotals());
      expect((await find(answer.request, answer.expiresAt)).stored).toBeUndefined();
      expect(await get().store.settle(charged)).toBeUndefined();
    });

    it('is of one customer', async () => {
      const [ada, bob] = [await addPerson(get(), { credits: 5 }), await addPerson(get())];
      const { request, ...answer } = answerOf(ada, [await hold(get(), ada)]);
      await get().store.storeAnswer({ request, ...answer });
      const { idempotencyKey } = request;
      expect((await find({ customerId: bob.customerId, idempotencyKey })).stored).toBeUndefined();
    });

    it('is the only one of its key, and another one leaves its holds open', async () => {
      const person = await addPerson(get(), { credits: 5 });
      const ids = [await hold(get(), person), await hold(get(), person)] as const;
      const answer = answerOf(person, [ids[0]]);
      const both = ids.map((id) => get().store.storeAnswer({ ...answer, charged: [id] }));
      expect((await outcomesOf(both)).resolved).toBe(1);
      const releases = await Promise.all(ids.map((id) => get().store.release(id)));
      expect(releases.filter((balance) => balance !== undefined)).toEqual([4]);
    });

    it('is stored with all of its charges or not at all', async () => {
      const person = await addPerson(get(), { credits: 5 });
      const id = await hold(get(), person);
      const answer = answerOf(person, [id, 'never held']);
      // With several nodes, another one may have released the hold; with one, it is a defect.
      expect(['degraded', 'unexpected']).toContain(await codeOf(get().store.storeAnswer(answer)));
      expect((await find(answer.request)).stored).toBeUndefined();
      expect(await get().store.release(id)).toBe(5);
    });

    it('makes room for another one when it has expired', async () => {
      const person = await addPerson(get(), { credits: 5 });
      const { request, ...answer } = answerOf(person, [await hold(get(), person)]);
      await get().store.storeAnswer({ request, ...answer });
      const times = { now: answer.expiresAt, expiresAt: answer.expiresAt + 1_000 };
      const second = { ...answer, ...times, charged: [await hold(get(), person)], body: 'later' };
      await get().store.storeAnswer({ request, ...second });
      expect((await find(request, times.now)).stored?.body).toBe('later');
      expect((await find(request)).own.answers).toBe(1);
    });

    it('replaces the one that it completes, once', async () => {
      const person = await addPerson(get(), { credits: 5 });
      const { request, ...first } = answerOf(person, [await hold(get(), person)]);
      await get().store.storeAnswer({ request, ...first });
      const completing = { ...request, replaces: first.requestId };
      const ids = [await hold(get(), person), await hold(get(), person)] as const;
      const both = ids.map((id) => {
        const answer = { ...first, requestId: id, charged: [id], body: 'whole' };
        return get().store.storeAnswer({ request: completing, ...answer });
      });
      expect((await outcomesOf(both)).resolved).toBe(1);
      const { stored, own } = await find(request);
      expect([stored?.body, own.answers]).toEqual(['whole', 1]);
      const releases = await Promise.all(ids.map((id) => get().store.release(id)));
      expect(releases.filter((balance) => balance !== undefined)).toEqual([3]);
    });

    it('is deleted after it has expired, a few at a time', async () => {
      const person = await addPerson(get(), { credits: 5 });
      const deleteSome = () => get().store.deleteExpiredAnswers({ now: NOW + 1_000, limit: 2 });
      while ((await deleteSome()) > 0);
      const answers: ReturnType<typeof answerOf>[] = [];
      for (const age of [0, 2, 1]) {
        const answer = answerOf(person, [await hold(get(), person)]);
        answers.push({ ...answer, expiresAt: answer.expiresAt - age });
      }
      for (const answer of answers) await get().store.storeAnswer(answer);
      expect(await get().store.deleteExpiredAnswers({ now: NOW + 997, limit: 9 })).toBe(0);
      // The oldest first.
      expect(await deleteSome()).toBe(2);
      const left = await Promise.all(answers.map(({ request }) => find(request)));
      expect(left.map(({ stored }) => stored !== undefined)).toEqual([true, false, false]);
      expect([await deleteSome(), await deleteSome()]).toEqual([1, 0]);
      expect((await find({ customerId: person.customerId, idempotencyKey: '' })).own).toEqual({
        answers: 0,
        bytes: 0,
      });
    });
  });

  it('deletes old measures and keeps the usage', async () => {
    const person = await addPerson(get(), { credits: 5 });
    await search(get(), person);
    const range = { customerId: person.customerId, firstDay: '2000-01-01', lastDay: '2999-01-01' };
    const totalOf = async () => [...(await get().store.readUsage(range)).byKey.values()][0];
    expect(await totalOf()).toMatchObject({ requests: 1, latencies: [{ calls: 1 }] });
    const deleteSome = () => get().store.deleteOldMeasures({ before: '2999-01-01', limit: 1_000 });
    while ((await deleteSome()) > 0);
    expect(await totalOf()).toMatchObject({ requests: 1, credits: 1, latencies: [], lanes: {} });
  });
}
