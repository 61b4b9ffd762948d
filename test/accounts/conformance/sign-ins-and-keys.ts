/** Sign-in, sessions, and the keys of customers. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { NOW } from '../../support/accounts.ts';
import {
  addPerson,
  codeOf,
  DAY_MS,
  type GetAccounts,
  outcomesOf,
  type Person,
} from './accounts-under-test.ts';

const HASH = '$scrypt$first';
const limits = { lifetimeMs: 7 * DAY_MS, idleMs: DAY_MS, perMemberMax: 2 };

export function testSignIns(get: GetAccounts): void {
  /** A person with a password and a session. */
  const addSignedIn = async () => {
    const person = await addPerson(get());
    const { memberId } = person;
    const { token } = await get().store.createLink({ memberId, expiresAt: NOW + 1_000 });
    const given = { token, passwordHash: HASH, limits, now: NOW };
    const session = await get().store.setPasswordByLink(given);
    return { ...person, token: session.token };
  };
  const find = (token: string, now = NOW) => get().store.findSession({ token, limits, now });
  const start = ({ memberId }: Person, passwordHash = HASH, now = NOW) =>
    get().store.startSession({ memberId, passwordHash, limits, now });

  describe('a registration', () => {
    it('adds one customer of two at once, without credit', async () => {
      const email = 'Registered@Example.org';
      const both = [1, 2].map(() => get().store.addCustomer({ email, now: NOW }));
      expect(await outcomesOf(both)).toEqual({ resolved: 1, codes: ['already_exists'] });
      const login = await get().store.findLogin('registered@example.org');
      expect(login).toMatchObject({ passwordHash: null, disabledAt: null, browserKey: null });
      expect(await get().store.readBalance(login?.customerId ?? 0)).toBe(0);
    });

    it('refuses what is no address, and nobody is found who is not there', async () => {
      expect(await codeOf(get().store.addCustomer({ email: 'ada', now: NOW }))).toBe('usage');
      for (const email of [
        'ada',
        '',
        'a\u0000@example.org',
        '\ud800@example.org',
        "' OR 1 = 1 --",
      ]) {
        expect(await get().store.findLogin(email)).toBeUndefined();
      }
      expect(await get().store.loginOf(987_654_321)).toBeUndefined();
      expect(await get().store.readBalance(987_654_321)).toBe(0);
    });
  });

  describe('a link', () => {
    it('is found until it expires or a newer one is made', async () => {
      const { memberId, email } = await addPerson(get());
      const create = () => get().store.createLink({ memberId, expiresAt: NOW + 10 });
      const { token } = await create();
      expect(await get().store.findLink({ token, now: NOW + 9 })).toEqual({ memberId, email });
      expect(await codeOf(get().store.findLink({ token, now: NOW + 10 }))).toBe('link_over');
      await create();
      expect(await codeOf(get().store.findLink({ token, now: NOW }))).toBe('link_over');
    });

    it('sets one password of two at once', async () => {
      const { memberId } = await addPerson(get());
      const { token } = await get().store.createLink({ memberId, expiresAt: NOW + 10 });
      const both = ['a', 'b'].map((passwordHash) =>
        get().store.setPasswordByLink({ token, passwordHash, limits, now: NOW }),
      );
      expect(await outcomesOf(both)).toEqual({ resolved: 1, codes: ['link_over'] });
    });
  });

  describe('a session', () => {
    it('is found by its token, with the customer', async () => {
      const { token, customerId, email } = await addSignedIn();
      expect(await find(token)).toMatchObject({ customer: { id: customerId, email }, seenAt: NOW });
      expect(await find('x'.repeat(43))).toBeUndefined();
    });

    it('ends when it is idle, and lives on when it is seen', async () => {
      const { token } = await addSignedIn();
      expect(await find(token, NOW + DAY_MS)).toBeUndefined();
      await get().store.seeSession({ token, now: NOW + 10 });
      await get().store.seeSession({ token, now: NOW + 5 });
      expect(await find(token, NOW + DAY_MS)).toMatchObject({ seenAt: NOW + 10 });
    });

    it('starts only with the password that was checked', async () => {
      const person = await addSignedIn();
      expect(await codeOf(start(person, 'other'))).toBe('wrong_sign_in');
      await get().operator.disableCustomer({ email: person.email, now: NOW });
      expect(await codeOf(start(person))).toBe('wrong_sign_in');
      expect(await find(person.token)).toBeUndefined();
    });

    it('ends when a later one exceeds the number', async () => {
      const person = await addSignedIn();
      const second = await start(person, HASH, NOW + 1);
      await start(person, HASH, NOW + 2);
      expect(await find(person.token, NOW + 2)).toBeUndefined();
      expect(await find(second.token, NOW + 2)).toBeDefined();
    });

    it('ends alone, or with all others of its customer', async () => {
      const [ada, bob] = [await addSignedIn(), await addSignedIn()];
      const second = await start(ada);
      await get().store.endSession({ token: ada.token });
      await get().store.endSession({ token: ada.token });
      expect(await find(second.token)).toBeDefined();
      expect(await get().store.endSessions({ memberId: ada.memberId })).toBe(1);
      expect(await find(second.token)).toBeUndefined();
      expect(await find(bob.token)).toBeDefined();
      expect((await get().store.loginOf(ada.memberId))?.browserKey).toBeNull();
    });
  });

  describe('a new password', () => {
    it('ends all sessions, and one of two at once wins', async () => {
      const person = await addSignedIn();
      const { memberId } = person;
      const change = { memberId, passwordHash: HASH, limits, now: NOW };
      const both = ['b', 'c'].map((newHash) => get().store.replacePassword({ ...change, newHash }));
      expect(await outcomesOf(both)).toEqual({ resolved: 1, codes: ['wrong_sign_in'] });
      expect(await find(person.token)).toBeUndefined();
      expect(await codeOf(start(person))).toBe('wrong_sign_in');
    });

    it('is not undone by a renewed hash of the old one', async () => {
      const person = await addSignedIn();
      const { memberId } = person;
      const renew = (passwordHash: string, newHash: string) =>
        get().store.renewHash({ memberId, passwordHash, newHash });
      await renew(HASH, 'renewed');
      await renew(HASH, 'late');
      expect((await get().store.loginOf(memberId))?.passwordHash).toBe('renewed');
      expect(await find(person.token)).toBeDefined();
    });
  });
}

export function testKeys(get: GetAccounts): void {
  const admit = async (secret: string, now = NOW) => {
    await nextTurn();
    return (await get().store.admit({ secret, acceptsTokens: false, now }))?.key;
  };

  describe('keys of a customer', () => {
    it('are made at once no more often than there is room for', async () => {
      const { customerId } = await addPerson(get());
      const given = { customerId, name: 'own', creditsPerMonthMax: null, now: NOW };
      const all = Array.from({ length: 6 }, () =>
        get().store.createOwnKey({ ...given, keysMax: 3, keysEverMax: 9 }),
      );
      expect(await outcomesOf(all)).toEqual({ resolved: 2, codes: ['bad_request'] });
      const room = { customerId, keysMax: 3, keysEverMax: 9, now: NOW };
      expect(await codeOf(get().store.assertRoomForKey(room))).toBe('bad_request');
    });

    it('are made once by a form, however often it is sent at once', async () => {
      const { customerId } = await addPerson(get());
      const limits = { keysMax: 9, keysEverMax: 9, now: NOW };
      const create = (formCopy: string | null) =>
        get().store.createOwnKey({
          customerId,
          name: 'own',
          creditsPerMonthMax: null,
          formCopy,
          ...limits,
        });
      const all = Array.from({ length: 4 }, () => create('copy'));
      expect(await outcomesOf(all)).toEqual({ resolved: 1, codes: ['form_sent'] });
      await Promise.all([create('another copy'), create(null), create(null)]);
      const other = await addPerson(get());
      const given = { customerId: other.customerId, name: 'own', creditsPerMonthMax: null };
      await get().store.createOwnKey({ ...given, formCopy: 'copy', ...limits });
      expect(await get().store.listOwnKeys({ customerId, now: NOW })).toHaveLength(5);
    });

    it('change and end', async () => {
      const { customerId, key, secret } = await addPerson(get());
      const own = { customerId, prefix: key.prefix };
      await get().store.setOwnKeyCap({ ...own, creditsPerMonthMax: 4 });
      await get().store.setOwnKeyLanes({ ...own, lanes: 'arxiv' });
      await get().store.editOwnKey({ ...own, name: 'renamed', expiresAt: NOW + DAY_MS });
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
      expect(await codeOf(rotate())).toBe('form_sent');
    });

    it('are not found by others, and look like missing ones', async () => {
      const [ada, bob] = [await addPerson(get()), await addPerson(get())];
      const { store } = get();
      for (const prefix of [ada.key.prefix, ada.key.prefix.slice(0, 9), '', '%', "' OR 1 = 1"]) {
        const own = { customerId: bob.customerId, prefix };
        const attempts = [
          store.revokeOwnKey({ ...own, now: NOW }),
          store.setOwnKeyCap({ ...own, creditsPerMonthMax: 1 }),
          store.setOwnKeyLanes({ ...own, lanes: null }),
          store.editOwnKey({ ...own, name: 'mine', expiresAt: null }),
          store.rotateOwnSecret({ ...own, graceEnds: NOW, now: NOW }),
        ];
        expect(await outcomesOf(attempts)).toEqual({ resolved: 0, codes: ['not_found'] });
      }
      expect(await admit(ada.secret)).toEqual(ada.key);
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
