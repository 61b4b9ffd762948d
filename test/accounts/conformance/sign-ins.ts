/** Sign-in and sessions. */
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
    const input = { token, passwordHash: HASH, limits, now: NOW };
    const session = await get().store.setPasswordByLink(input);
    return { ...person, token: session.token };
  };
  const find = (token: string, now = NOW) => get().store.findSession({ token, limits, now });
  const start = ({ memberId }: Person, passwordHash = HASH, now = NOW) =>
    get().store.startSession({ memberId, passwordHash, limits, now });

  it('finds nobody who is not there', async () => {
    for (const email of ['ada', '', 'a\u0000@example.org', '\ud800@example.org', "' OR 1 = 1 --"]) {
      expect(await get().store.findLogin(email)).toBeUndefined();
    }
    expect(await get().store.loginOf(987_654_321)).toBeUndefined();
    expect(await get().store.readBalance(987_654_321)).toBe(0);
  });

  describe('a link', () => {
    it('is found until it expires or a newer one is made', async () => {
      const { memberId, customerId, email } = await addPerson(get());
      const owner = { memberId, customerId, email };
      const create = () => get().store.createLink({ memberId, expiresAt: NOW + 10 });
      const { token } = await create();
      expect(await get().store.findLink({ token, now: NOW + 9 })).toEqual(owner);
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
      await get().store.touchSession({ token, now: NOW + 10 });
      await get().store.touchSession({ token, now: NOW + 5 });
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
      expect(await get().store.endSessions({ ownerId: ada.memberId })).toBe(1);
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
