/** Second factors: turned on once, used once, and asked for wherever a session starts. */
import { describe, expect, it } from 'vitest';
import { NOW } from '../../support/accounts.ts';
import { addPerson, codeOf, DAY_MS, type GetAccounts, outcomesOf } from './accounts-under-test.ts';

const HASH = '$scrypt$factor';
const limits = { lifetimeMs: 7 * DAY_MS, idleMs: DAY_MS, perMemberMax: 9 };
const hashes = ['a', 'b', 'c'].map((text) => Buffer.alloc(32, text));
const [first, second, third] = hashes as [Buffer, Buffer, Buffer];

export function testSecondFactors(get: GetAccounts): void {
  const addEnrolled = async () => {
    const person = await addPerson(get());
    const { memberId, email } = person;
    const { token } = await get().store.createLink({ memberId, expiresAt: NOW + 1_000 });
    const input = { token, passwordHash: HASH, limits, now: NOW };
    const session = await get().store.setPasswordByLink(input);
    const secret = Buffer.alloc(20, 7);
    const factor = { email, secret, step: 5, recoveryHashes: hashes, now: NOW };
    return { ...person, token: session.token, factor };
  };
  const find = (token: string) => get().store.findSession({ token, limits, now: NOW });

  describe('a second factor', () => {
    it('is turned on once of two at once, and ends the other sessions', async () => {
      const { email, memberId, token, factor } = await addEnrolled();
      const checked = { memberId, passwordHash: HASH, limits, now: NOW };
      const other = await get().store.startSession(checked);
      expect(await get().store.findSecondFactor(email)).toBeUndefined();
      const both = [1, 2].map(() => get().store.enableSecondFactor({ ...factor, keep: token }));
      expect(await outcomesOf(both)).toEqual({ resolved: 1, codes: ['second_factor_on'] });
      const found = await get().store.findSecondFactor(email);
      expect(found).toMatchObject({ usedStep: 5, enabledAt: NOW, recoveryCodesLeft: 3 });
      expect(Buffer.from(found?.secret ?? []).equals(factor.secret)).toBe(true);
      expect(await find(token)).toBeDefined();
      expect(await find(other.token)).toBeUndefined();
    });

    it('must be proved wherever a session starts, and a proof counts once', async () => {
      const { email, memberId, factor } = await addEnrolled();
      await get().store.enableSecondFactor(factor);
      const checked = { memberId, passwordHash: HASH, limits, now: NOW };
      expect(await codeOf(get().store.startSession(checked))).toBe('second_factor_needed');
      const { token } = await get().store.createLink({ memberId, expiresAt: NOW + 1_000 });
      const redeem = (proof?: { step: number }) =>
        get().store.setPasswordByLink({ token, passwordHash: HASH, proof, limits, now: NOW });
      expect(await codeOf(redeem())).toBe('second_factor_needed');
      expect(await codeOf(redeem({ step: 5 }))).toBe('wrong_code');
      const start = () => get().store.startSession({ ...checked, proof: { step: 6 } });
      const both = await outcomesOf([start(), start()]);
      expect(both).toEqual({ resolved: 1, codes: ['wrong_code'] });
      await redeem({ step: 7 });
      expect(await get().store.findSecondFactor(email)).toMatchObject({ usedStep: 7 });
    });

    it('keeps a proof for a session that does not start', async () => {
      const { memberId, factor } = await addEnrolled();
      await get().store.enableSecondFactor(factor);
      const checked = { memberId, limits, now: NOW, proof: { recoveryHash: first } };
      const wrong = get().store.startSession({ ...checked, passwordHash: 'other' });
      expect(await codeOf(wrong)).toBe('wrong_sign_in');
      await get().store.startSession({ ...checked, passwordHash: HASH });
    });

    it('takes each recovery code once, and replaces them all', async () => {
      const { email, factor } = await addEnrolled();
      await get().store.enableSecondFactor(factor);
      const use = (recoveryHash: Buffer) =>
        get().store.useSecondFactor({ email, proof: { recoveryHash } });
      expect(await outcomesOf([use(first), use(first)])).toEqual({
        resolved: 1,
        codes: ['wrong_code'],
      });
      const renewed = [Buffer.alloc(32, 'x')];
      const renew = (recoveryHash: Buffer) =>
        get().store.renewRecoveryCodes({
          email,
          proof: { recoveryHash },
          recoveryHashes: renewed,
        });
      expect(await codeOf(renew(first))).toBe('wrong_code');
      await renew(second);
      expect(await codeOf(use(third))).toBe('wrong_code');
      expect((await get().store.findSecondFactor(email))?.recoveryCodesLeft).toBe(1);
    });

    it('is turned off after a code, or by the operator', async () => {
      const { email, factor, memberId } = await addEnrolled();
      const { store, operator } = get();
      await store.enableSecondFactor(factor);
      const disable = (step: number) => store.disableSecondFactor({ email, proof: { step } });
      expect(await codeOf(disable(5))).toBe('wrong_code');
      await disable(6);
      expect(await store.findSecondFactor(email)).toBeUndefined();
      expect(await codeOf(disable(7))).toBe('wrong_code');
      await store.enableSecondFactor(factor);
      const show = () => operator.showCustomer({ email, limits, now: NOW });
      expect((await show()).members[0]?.hasSecondFactor).toBe(true);
      expect(await operator.removeSecondFactor({ email: email.toUpperCase() })).toBe(true);
      expect(await operator.removeSecondFactor({ email })).toBe(false);
      expect((await show()).members[0]?.hasSecondFactor).toBe(false);
      await store.startSession({ memberId, passwordHash: HASH, limits, now: NOW });
    });
  });
}
