/** The keys of customers: what they do with their own, and what the operator does with any. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { NOW } from '../../support/accounts.ts';
import {
  addPerson,
  at,
  codeOf,
  DAY_MS,
  type GetAccounts,
  hold,
  outcomesOf,
  search,
} from './accounts-under-test.ts';
import { recordFor } from './requests.ts';

const HOUR = 3_600_000;

export function testKeys(get: GetAccounts): void {
  const admit = async (secret: string, now = NOW) => {
    await nextTurn();
    return (await get().store.admit({ secret, acceptsTokens: false, now }))?.key;
  };

  describe('keys of a customer', () => {
    it('are made at once no more often than there is room for', async () => {
      const { customerId } = await addPerson(get());
      const input = { customerId, name: 'own', creditsPerMonthMax: null, now: NOW };
      const all = Array.from({ length: 6 }, () =>
        get().store.createOwnKey({ ...input, keysMax: 3, keysEverMax: 9 }),
      );
      expect(await outcomesOf(all)).toEqual({ resolved: 2, codes: ['bad_request'] });
      const room = { customerId, keysMax: 3, keysEverMax: 9, now: NOW };
      expect(await codeOf(get().store.assertRoomForKey(room))).toBe('bad_request');
    });

    it('are at most so many, and revoked ones count toward another maximum', async () => {
      const { customerId, key } = await addPerson(get());
      const limits = { keysMax: 2, keysEverMax: 3, now: NOW };
      const create = () =>
        get().store.createOwnKey({ customerId, name: 'own', creditsPerMonthMax: null, ...limits });
      const second = await create();
      await expect(create()).rejects.toThrow('you have 2 valid keys, which is the maximum');
      const revoke = (prefix: string) => get().store.revokeOwnKey({ customerId, prefix, now: NOW });
      await revoke(key.prefix);
      await revoke((await create()).key.prefix);
      await expect(create()).rejects.toThrow('you have created 3 keys, which is the maximum');
      expect(await admit(second.secret)).toMatchObject({ id: second.key.id });
    });

    it('have an end that can be moved, but no later than a revocation', async () => {
      const { customerId } = await addPerson(get());
      const input = { customerId, name: 'course', creditsPerMonthMax: null, now: NOW };
      const limits = { keysMax: 9, keysEverMax: 9, expiresAt: NOW + HOUR };
      const { key, secret } = await get().store.createOwnKey({ ...input, ...limits });
      expect(await admit(secret, NOW + HOUR - 1)).toBeDefined();
      expect(await admit(secret, NOW + HOUR)).toBeUndefined();
      const own = { customerId, prefix: key.prefix };
      const edit = (expiresAt: number | null) =>
        get().store.editOwnKey({
          ...own,
          name: 'renamed',
          expiresAt,
          creditsPerMonthMax: null,
          lanes: null,
        });
      await edit(NOW);
      expect(await admit(secret)).toBeUndefined();
      await edit(null);
      expect(await admit(secret, NOW + HOUR)).toMatchObject({ name: 'renamed', revokedAt: null });
      await get().store.revokeOwnKey({ ...own, now: NOW });
      await edit(NOW + HOUR);
      expect(await admit(secret)).toBeUndefined();
    });

    it('are made once by a form, however often it is sent at once', async () => {
      const { customerId } = await addPerson(get());
      const limits = { keysMax: 9, keysEverMax: 9, now: NOW };
      const create = (idempotencyKey: string | null) =>
        get().store.createOwnKey({
          customerId,
          name: 'own',
          creditsPerMonthMax: null,
          idempotencyKey,
          ...limits,
        });
      const all = Array.from({ length: 4 }, () => create('copy'));
      expect(await outcomesOf(all)).toEqual({ resolved: 1, codes: ['form_sent'] });
      await Promise.all([create('another copy'), create(null), create(null)]);
      const other = await addPerson(get());
      const input = { customerId: other.customerId, name: 'own', creditsPerMonthMax: null };
      await get().store.createOwnKey({ ...input, idempotencyKey: 'copy', ...limits });
      expect(await get().store.listOwnKeys({ customerId, now: NOW })).toHaveLength(5);
    });

    it('change and end', async () => {
      const { customerId, key, secret } = await addPerson(get());
      const own = { customerId, prefix: key.prefix };
      const edit = { name: 'renamed', expiresAt: NOW + DAY_MS, creditsPerMonthMax: 4 };
      await get().store.editOwnKey({ ...own, ...edit, lanes: 'arxiv' });
      await get().store.setCustomerLanes({ customerId, lanes: '' });
      const changed = { creditsPerMonthMax: 4, lanes: 'arxiv', name: 'renamed', customerLanes: '' };
      expect(await admit(secret)).toMatchObject(changed);
      expect(await get().store.listOwnKeys({ customerId, now: NOW })).toMatchObject([changed]);
      await get().store.revokeOwnKey({ ...own, now: NOW });
      const again = await get().store.revokeOwnKey({ ...own, now: NOW + 5 });
      expect(again.revokedAt).toBe(NOW);
      expect(await admit(secret)).toBeUndefined();
    });

    it('get a new secret, and the old one works for the same key in its grace period', async () => {
      const { customerId, key, secret } = await addPerson(get());
      const own = { customerId, prefix: key.prefix };
      const rotate = () => get().store.rotateOwnSecret({ ...own, graceEnds: NOW + 10, now: NOW });
      const rotated = await rotate();
      expect(rotated).toMatchObject({ oldKeyEnds: NOW + 10, key: { id: key.id } });
      const ids = [await admit(secret, NOW + 9), await admit(rotated.secret, NOW + 9)];
      expect(ids.map((found) => found?.id)).toEqual([key.id, key.id]);
      expect(await admit(secret, NOW + 10)).toBeUndefined();
      expect(await admit(rotated.secret, NOW + 10)).toMatchObject({
        name: key.name,
        oldPrefix: key.prefix,
        oldSecretEndsAt: NOW + 10,
      });
      expect(await codeOf(rotate())).toBe('form_sent');
    });

    it('have at most one old secret, none without a grace period, and one cap', async () => {
      const person = await addPerson(get(), { credits: 9, creditsPerMonthMax: 2 });
      const { customerId } = person;
      const rotate = (prefix: string, graceEnds = NOW + 10) =>
        get().store.rotateOwnSecret({ customerId, prefix, graceEnds, now: NOW });
      const second = await rotate(person.key.prefix);
      const third = await rotate(second.key.prefix);
      expect(await admit(person.secret)).toBeUndefined();
      for (const { secret } of [second, third]) {
        const key = await admit(secret);
        expect(key?.creditsPerMonthMax).toBe(2);
        await hold(get(), { ...person, key: key ?? person.key });
      }
      expect(await codeOf(hold(get(), person))).toBe('key_cap_reached');
      const fourth = await rotate(third.key.prefix, NOW);
      expect(await admit(third.secret)).toBeUndefined();
      const fifth = await rotate(fourth.key.prefix);
      await get().operator.revokeKey({ prefix: fifth.key.prefix, at: NOW });
      for (const { secret } of [fourth, fifth]) expect(await admit(secret)).toBeUndefined();
      expect(await codeOf(rotate(fifth.key.prefix))).toBe('not_found');
      expect(await get().store.listOwnKeys({ customerId, now: NOW })).toHaveLength(1);
    });

    it('have the usage of the month and to date, net of refunds, and their last use', async () => {
      const person = await addPerson(get(), { credits: 9 });
      const { customerId } = person;
      const refunded = await at(NOW - 40 * DAY_MS, async () => {
        await search(get(), person);
        await get().store.release(await hold(get(), person));
        return await search(get(), person);
      });
      await search(get(), person);
      await get().store.release(await hold(get(), person));
      await get().operator.refundSearch({ requestId: refunded, now: NOW });
      await recordFor(get(), person, { status: 429, code: 'rate_limited' });
      expect(await get().store.listOwnKeys({ customerId, now: NOW })).toMatchObject([
        {
          lastUsedAt: NOW,
          thisMonth: { requests: 1, credits: 1 },
          failedThisMonth: 1,
          toDate: { requests: 3, credits: 2 },
        },
      ]);
    });

    it('are not found by others, and look like missing ones', async () => {
      const [ada, bob] = [await addPerson(get()), await addPerson(get())];
      const { store } = get();
      const edit = { name: 'mine', expiresAt: null, creditsPerMonthMax: 1, lanes: null };
      for (const prefix of [ada.key.prefix, ada.key.prefix.slice(0, 9), '', '%', "' OR 1 = 1"]) {
        const own = { customerId: bob.customerId, prefix };
        const attempts = [
          store.revokeOwnKey({ ...own, now: NOW }),
          store.editOwnKey({ ...own, ...edit }),
          store.rotateOwnSecret({ ...own, graceEnds: NOW, now: NOW }),
        ];
        expect(await outcomesOf(attempts)).toEqual({ resolved: 0, codes: ['not_found'] });
      }
      expect(await admit(ada.secret)).toEqual(ada.key);
      const listed = await store.listOwnKeys({ customerId: bob.customerId, now: NOW });
      expect(listed.map(({ id }) => id)).toEqual([bob.key.id]);
    });
  });

  it('keeps the balance below which a customer is warned', async () => {
    const { customerId, email } = await addPerson(get());
    const read = async () =>
      (await get().operator.listCustomers()).find((customer) => customer.email === email);
    await get().store.setLowBalance({ customerId, credits: 7 });
    expect((await read())?.lowBalance).toBe(7);
    await get().store.setLowBalance({ customerId, credits: null });
    expect((await read())?.lowBalance).toBeNull();
  });
}

export function testOperatorKeys(get: GetAccounts): void {
  const isAdmitted = async (secret: string, now = NOW): Promise<boolean> => {
    await nextTurn();
    const admission = await get().store.admit({ secret, acceptsTokens: false, now });
    return admission !== undefined;
  };

  describe('keys of the operator', () => {
    const caps = { requestsPerMinute: 7, inFlightMax: 3, creditsPerMonthMax: 5 };

    it('have caps, and a rotated one has the same, and works from the end of the other', async () => {
      const { email } = await addPerson(get());
      const { operator } = get();
      const input = { email, name: 'cluster', ...caps, now: NOW };
      const { key, secret } = await operator.createKey(input);
      const rotate = (prefix: string, graceEnds: number) =>
        operator.rotateKey({ prefix, graceEnds, now: NOW });
      const rotated = await rotate(key.prefix, NOW + HOUR);
      const { id, prefix } = rotated.key;
      expect(rotated.key).toEqual({ ...key, id, prefix, createdAt: NOW });
      await nextTurn();
      const later = { secret: rotated.secret, acceptsTokens: false, now: NOW + HOUR };
      const admission = await get().store.admit(later);
      expect(admission?.key).toEqual(rotated.key);
      const taken = await Promise.all(
        [NOW + HOUR - 1, NOW + HOUR].map((now) => isAdmitted(secret, now)),
      );
      expect(taken).toEqual([true, false]);
      // A second rotation does not extend the grace period, and one without grace ends the key at once.
      await rotate(key.prefix, NOW + 9 * HOUR);
      expect(await isAdmitted(secret, NOW + HOUR)).toBe(false);
      await rotate(prefix, NOW);
      expect(await isAdmitted(rotated.secret)).toBe(false);
      expect(await codeOf(rotate(prefix, NOW + HOUR))).toBe('unknown_key');
      expect(await get().operator.findKey({ prefix })).toMatchObject({ revokedAt: NOW });
    });

    it('end at a time, no later than at an earlier one, and alone', async () => {
      const [first, second] = [await addPerson(get()), await addPerson(get())];
      const { prefix } = first.key;
      const revoke = (at: number) => get().operator.revokeKey({ prefix, at });
      await revoke(NOW + HOUR);
      const times = [NOW, NOW + HOUR - 1, NOW + HOUR];
      const taken = await Promise.all(times.map((now) => isAdmitted(first.secret, now)));
      expect(taken).toEqual([true, true, false]);
      expect((await revoke(NOW + 2 * HOUR)).revokedAt).toBe(NOW + HOUR);
      expect((await revoke(NOW)).revokedAt).toBe(NOW);
      expect(await isAdmitted(first.secret)).toBe(false);
      expect(await isAdmitted(second.secret)).toBe(true);
    });

    it('are found by their prefix as far as it is unique, and not by anything else', async () => {
      const { email } = await addPerson(get());
      // 17 keys, 16 first digits.
      const create = () => get().operator.createKey({ email, name: 'one', ...caps, now: NOW });
      const keys = await Promise.all(Array.from({ length: 17 }, create));
      const prefixes = keys.map(({ key }) => key.prefix);
      const shared = prefixes.map((prefix) => prefix.charAt(0));
      const twice = shared.find((digit, index) => shared.indexOf(digit) !== index) ?? '';
      const { operator } = get();
      for (const prefix of [twice, `${prefixes[0]}0`, ' ', '_', 'zzzz', "' OR 1 = 1 --", '\0']) {
        const attempts = [
          operator.revokeKey({ prefix, at: NOW }),
          operator.rotateKey({ prefix, graceEnds: NOW, now: NOW }),
        ];
        expect(await outcomesOf(attempts)).toEqual({ resolved: 0, codes: ['unknown_key'] });
      }
      const listed = await operator.listKeys({ email });
      expect(listed.filter(({ revokedAt }) => revokedAt !== null)).toEqual([]);
      expect(await operator.revokeKey({ prefix: prefixes[3] ?? '', at: NOW })).toMatchObject({
        prefix: prefixes[3],
      });
    });
  });
}
