/** Operators: added with a link, enrolled once, signed in with a code, and removed at once. */
import { describe, expect, it } from 'vitest';
import { hashToken } from '../../../src/accounts/sql/secret-tokens.ts';
import { NOW } from '../../support/accounts.ts';
import { addPerson, codeOf, DAY_MS, type GetAccounts, outcomesOf } from './accounts-under-test.ts';

const limits = { lifetimeMs: 7 * DAY_MS, idleMs: DAY_MS, perMemberMax: 9 };
const hashes = ['a', 'b', 'c'].map((text) => Buffer.alloc(32, text));
const [first, second, third] = hashes as [Buffer, Buffer, Buffer];
const secret = Buffer.alloc(20, 7);
const factor = { secret, step: 5, recoveryHashes: hashes };
const HASH = '$scrypt$operator';

let added = 0;

export function testOperators(get: GetAccounts): void {
  const addLinked = async (email = `operator-${++added}@example.org`) => {
    const linkExpiresAt = NOW + 1_000;
    const { operator, link } = await get().operator.addOperator({ email, linkExpiresAt, now: NOW });
    return { ...operator, link: link.token };
  };
  const enroll = (token: string, input: object = {}) =>
    get().store.enrollOperator({
      token,
      passwordHash: HASH,
      ...factor,
      limits,
      now: NOW,
      ...input,
    });
  const addEnrolled = async (email?: string) => {
    const { link, ...operator } = await addLinked(email);
    return { ...operator, token: (await enroll(link)).token };
  };
  const find = (token: string, now = NOW) =>
    get().store.findOperatorSession({ token, limits, now });
  const start = (operatorId: number, proof: { step: number } | { recoveryHash: Buffer }) =>
    get().store.startOperatorSession({
      operatorId,
      passwordHash: HASH,
      proof,
      limits,
      now: NOW,
    });
  /** What the trail says of an operator, oldest first. */
  const trailOf = async (email: string) =>
    (await get().operator.listActions({ limit: 99 }))
      .filter(({ actor, details }) => actor === email || details === email)
      .reverse()
      .map(({ actor, action, details }) => [actor, action, details]);

  describe('an operator', () => {
    it('is added once, whatever the case of the address, and listed', async () => {
      const { id, email } = await addLinked();
      const again = { email: email.toUpperCase(), linkExpiresAt: NOW, now: NOW };
      expect(await codeOf(get().operator.addOperator(again))).toBe('already_exists');
      const wrong = { ...again, email: 'nobody' };
      expect(await codeOf(get().operator.addOperator(wrong))).toBe('usage');
      const listed = await get().operator.listOperators({ limits, now: NOW });
      expect(listed.find((one) => one.id === id)).toEqual({
        id,
        email,
        createdAt: NOW,
        enrolledAt: null,
        linkExpiresAt: NOW + 1_000,
        sessions: 0,
        seenAt: null,
      });
      expect(await get().store.hasOperators()).toBe(true);
    });

    it('has no login before the enrollment, which one of two makes', async () => {
      const { id, email, link } = await addLinked();
      expect(await get().store.findOperatorLogin(email)).toBeUndefined();
      expect(await get().store.operatorLoginOf(id)).toBeUndefined();
      expect(await get().store.findOperatorLink({ token: link, now: NOW })).toEqual({ id, email });
      const late = get().store.findOperatorLink({ token: link, now: NOW + 1_000 });
      expect(await codeOf(late)).toBe('link_over');
      expect(await codeOf(enroll(link, { now: NOW + 1_000 }))).toBe('link_over');
      expect(await outcomesOf([enroll(link), enroll(link)])).toEqual({
        resolved: 1,
        codes: ['link_over'],
      });
      const login = await get().store.findOperatorLogin(email);
      expect(login).toMatchObject({
        id,
        email,
        usedStep: 5,
        enrolledAt: NOW,
        recoveryCodesLeft: 3,
      });
      expect(Buffer.from(login?.secret ?? []).equals(secret)).toBe(true);
      expect(login?.browserKey).toHaveLength(32);
    });

    it('signs in with a proof, which counts once', async () => {
      const { id, email } = await addEnrolled();
      expect(await codeOf(start(id, { step: 5 }))).toBe('wrong_code');
      for (const proof of [{ step: 6 }, { recoveryHash: first }]) {
        expect(await outcomesOf([start(id, proof), start(id, proof)])).toEqual({
          resolved: 1,
          codes: ['wrong_code'],
        });
      }
      const other = { operatorId: id, passwordHash: 'other', limits, now: NOW };
      const wrong = get().store.startOperatorSession({ ...other, proof: { recoveryHash: second } });
      expect(await codeOf(wrong)).toBe('wrong_sign_in');
      const { token } = await start(id, { recoveryHash: second });
      expect(await find(token)).toEqual({
        operator: { id, email },
        createdAt: NOW,
        seenAt: NOW,
      });
      expect(await find(token, NOW + DAY_MS)).toBeUndefined();
      await get().store.touchOperatorSession({ token, now: NOW + 5 });
      expect((await find(token))?.seenAt).toBe(NOW + 5);
      await get().store.endOperatorSession({ token });
      expect(await find(token)).toBeUndefined();
    });

    it('has sessions, ended by name or all together', async () => {
      const { id, token } = await addEnrolled();
      const other = await addEnrolled();
      const { token: second } = await start(id, { step: 6 });
      const list = () => get().store.listOperatorSessions({ ownerId: id, limits, now: NOW });
      expect(await list()).toHaveLength(2);
      const [named] = await list();
      const end = (ownerId: number) =>
        get().store.endNamedOperatorSession({ ownerId, name: named?.name ?? '' });
      expect(await codeOf(end(other.id))).toBe('not_found');
      await end(id);
      expect(await list()).toHaveLength(1);
      expect(await get().store.endOperatorSessions({ ownerId: id })).toBe(1);
      for (const ended of [token, second]) expect(await find(ended)).toBeUndefined();
      expect((await get().store.operatorLoginOf(id))?.browserKey).toBeNull();
      expect(await find(other.token)).toBeDefined();
    });

    it('changes password, app, and recovery codes', async () => {
      const { id, email, token } = await addEnrolled();
      const checked = { operatorId: id, passwordHash: HASH, limits, now: NOW };
      const change = () =>
        get().store.replaceOperatorPassword({ ...checked, newHash: 'new', device: 'Firefox' });
      expect(await outcomesOf([change(), change()])).toEqual({
        resolved: 1,
        codes: ['wrong_sign_in'],
      });
      expect(await find(token)).toBeUndefined();
      const started = { ...checked, passwordHash: 'new', proof: { step: 7 } };
      const [kept, ended] = [
        await get().store.startOperatorSession({ ...started, proof: { step: 6 } }),
        await get().store.startOperatorSession(started),
      ];
      const proved = { operatorId: id, now: NOW, keep: kept.token };
      const renewed = { secret: Buffer.alloc(20, 8), step: 3, recoveryHashes: [first] };
      const replace = (step: number) =>
        get().store.replaceOperatorFactor({ ...proved, ...renewed, proof: { step } });
      expect(await codeOf(replace(7))).toBe('wrong_code');
      await replace(8);
      expect(await find(kept.token)).toBeDefined();
      expect(await find(ended.token)).toBeUndefined();
      const login = await get().store.operatorLoginOf(id);
      expect(login).toMatchObject({ passwordHash: 'new', usedStep: 3, recoveryCodesLeft: 1 });
      const renew = (recoveryHash: Buffer) =>
        get().store.renewOperatorCodes({
          operatorId: id,
          now: NOW,
          proof: { recoveryHash },
          recoveryHashes: [second],
        });
      expect(await codeOf(renew(third))).toBe('wrong_code');
      await renew(first);
      expect(await codeOf(renew(first))).toBe('wrong_code');
      expect((await trailOf(email)).map(([, action]) => action)).toEqual([
        ...['operator add', 'operator enroll', 'operator password', 'sign in', 'sign in'],
        ...['operator second factor', 'operator recovery codes'],
      ]);
    });

    it('gets another link, which replaces everything once it is used', async () => {
      const { id, email, token } = await addEnrolled();
      const link = async (expiresAt = NOW + 1) =>
        (await get().operator.linkOperator({ email: email.toUpperCase(), expiresAt })).link.token;
      const [earlier, later] = [await link(), await link()];
      expect(await codeOf(enroll(earlier))).toBe('link_over');
      expect(await find(token)).toBeDefined();
      const input = { passwordHash: 'new', step: 2, recoveryHashes: [first] };
      const started = await enroll(later, input);
      expect(await find(token)).toBeUndefined();
      expect((await find(started.token))?.operator.email).toBe(email);
      expect(await get().store.operatorLoginOf(id)).toMatchObject({
        passwordHash: 'new',
        usedStep: 2,
        recoveryCodesLeft: 1,
      });
      const unknown = { email: 'unknown@example.org', expiresAt: NOW };
      expect(await codeOf(get().operator.linkOperator(unknown))).toBe('unknown_operator');
    });

    it('who is removed can do nothing from that moment', async () => {
      const { id, email, token } = await addEnrolled();
      const { email: customer } = await addPerson(get());
      const present = { actor: email, session: hashToken(token) };
      const add = () => get().asOperator(present).topUp({ email: customer, credits: 1, now: NOW });
      expect(await add()).toBe(1);
      const link = (await get().operator.linkOperator({ email, expiresAt: NOW + 1 })).link.token;
      const remove = () => get().operator.removeOperator({ email: email.toUpperCase() });
      expect(await remove()).toEqual({ id, email });
      expect(await codeOf(remove())).toBe('unknown_operator');
      expect(await codeOf(add())).toBe('signed_out');
      expect(await find(token)).toBeUndefined();
      expect(await codeOf(start(id, { step: 6 }))).toBe('wrong_sign_in');
      expect(await codeOf(enroll(link))).toBe('link_over');
      expect(await get().store.findOperatorLogin(email)).toBeUndefined();
      // Whoever comes back starts anew.
      const { link: newLink } = await addLinked(email);
      expect(await get().store.findOperatorLogin(email)).toBeUndefined();
      await enroll(newLink);
      expect(await codeOf(add())).toBe('signed_out');
    });

    it('who is removed at the same time has either made a change or not', async () => {
      const { email, token } = await addEnrolled();
      const { email: customer, customerId } = await addPerson(get());
      const somebody = get().asOperator({ actor: email, session: hashToken(token) });
      const changes = [1, 2, 3].map(() =>
        somebody.topUp({ email: customer, credits: 1, now: NOW }),
      );
      const removal = get().operator.removeOperator({ email });
      const { resolved, codes } = await outcomesOf(changes);
      await removal;
      expect(await get().store.readBalance(customerId)).toBe(resolved);
      expect(codes.filter((code) => code !== 'signed_out')).toEqual([]);
    });
  });

  describe('an operator and a customer with one address', () => {
    it('do not open each other', async () => {
      const { email, memberId, customerId } = await addPerson(get());
      const { id, token } = await addEnrolled(email);
      expect(await get().store.findSession({ token, limits, now: NOW })).toBeUndefined();
      expect(await get().store.findSecondFactor(email)).toBeUndefined();
      expect((await get().store.findLogin(email))?.passwordHash).toBeNull();
      const link = await get().store.createLink({ memberId, expiresAt: NOW + 1 });
      const wrong = get().store.findOperatorLink({ token: link.token, now: NOW });
      expect(await codeOf(wrong)).toBe('link_over');
      const session = await get().store.setPasswordByLink({
        token: link.token,
        passwordHash: 'customer',
        limits,
        now: NOW,
      });
      expect(await find(session.token)).toBeUndefined();
      // What a customer ends is not the operator's.
      const colleague = { customerId, email: `${email}.uk`, role: 'owner' as const, now: NOW };
      await get().store.inviteMember({ ...colleague, membersMax: 9, linkExpiresAt: NOW });
      await get().store.endSessions({ ownerId: memberId });
      await get().store.enableSecondFactor({ email, ...factor, now: NOW });
      await get().operator.removeSecondFactor({ email });
      await get().operator.disableCustomer({ email, now: NOW });
      expect(await find(token)).toBeDefined();
      expect(await get().store.operatorLoginOf(id)).toMatchObject({ recoveryCodesLeft: 3 });
      await get().operator.removeOperator({ email });
      await get().operator.enableCustomer({ email });
      expect((await get().store.findLogin(email))?.passwordHash).toBe('customer');
    });

    it('a member who is removed stays an operator', async () => {
      const { customerId } = await addPerson(get());
      const email = `member-${++added}@example.org`;
      const invitation = { customerId, email, role: 'developer' as const, now: NOW };
      const { member, link } = await get().store.inviteMember({
        ...{ ...invitation, membersMax: 9, linkExpiresAt: NOW + 1 },
      });
      await get().store.setPasswordByLink({
        token: link.token,
        passwordHash: 'member',
        limits,
        now: NOW,
      });
      await get().store.enableSecondFactor({ email, ...factor, now: NOW });
      const { id, token } = await addEnrolled(email);
      await get().store.removeMember({ customerId, memberId: member.id });
      expect(await get().store.findSecondFactor(email)).toBeUndefined();
      expect(await find(token)).toBeDefined();
      expect(await get().store.operatorLoginOf(id)).toMatchObject({ recoveryCodesLeft: 3 });
      expect(await codeOf(start(id, { step: 6 }))).toBeUndefined();
    });
  });
}
