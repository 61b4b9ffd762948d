/** What receipts show, and mail about billing: when it is due, and that it is claimed once. */
import { describe, expect, it } from 'vitest';
import type { BillingNotice } from '../../../src/accounts/sql/billing-notice-rows.ts';
import { NOW } from '../../support/accounts.ts';
import {
  addPerson,
  type GetAccounts,
  newHold,
  type Person,
  search,
} from './accounts-under-test.ts';

export function testBillingNotices(get: GetAccounts): void {
  /** The notices of a customer that wait. */
  const waiting = async ({ customerId }: Person, now = NOW): Promise<BillingNotice[]> =>
    (await get().store.listDueNotices({ now, limit: 1_000 })).filter(
      (notice) => notice.customerId === customerId,
    );
  const claim = ({ customerId }: Person, now = NOW) =>
    get().store.claimNotice({ customerId, kind: 'low_balance', paymentId: 0, now });
  const returnNotice = ({ customerId }: Person, retryAt: number, attemptsMax = 9) =>
    get().store.returnNotice({
      customerId,
      kind: 'low_balance',
      paymentId: 0,
      retryAt,
      attemptsMax,
    });
  const topUp = ({ email }: Person, credits: number) =>
    get().operator.topUp({ email, credits, now: NOW });
  /** Somebody with 5 credits who is warned below 5. */
  const addWarned = async (): Promise<Person> => {
    const person = await addPerson(get(), { credits: 5 });
    await get().store.setLowBalance({ customerId: person.customerId, credits: 5 });
    return person;
  };

  it('keeps what a customer wants on receipts, until the account ends', async () => {
    const { customerId, memberId } = await addPerson(get());
    const read = () => get().store.findBuyer({ customerId });
    expect(await read()).toEqual({ address: '', taxId: '' });
    for (const buyer of [
      { address: 'Ada\n1 Main Street', taxId: 'VAT 1' },
      { address: 'Ada', taxId: '' },
    ]) {
      await get().store.saveBuyer({ customerId, ...buyer });
      expect(await read()).toEqual(buyer);
    }
    await get().store.deleteCustomer({ customerId, memberId, creditsForfeited: 0, now: NOW });
    expect(await read()).toEqual({ address: '', taxId: '' });
  });

  describe('a notice of a low balance', () => {
    it('waits from the first fall on, and not before', async () => {
      const person = await addWarned();
      expect(await waiting(person)).toEqual([]);
      await search(get(), person);
      await search(get(), person);
      const { customerId } = person;
      expect(await waiting(person)).toEqual([{ customerId, kind: 'low_balance', paymentId: 0 }]);
      const reason = { balance: 3, lowBalance: 5, topUp: undefined };
      const { email } = person;
      const about = { customerId, kind: 'low_balance', paymentId: 0, email };
      const expected = { ...about, recipients: [], ...reason };
      expect(await claim(person)).toEqual(expected);
    });

    it('is claimed by one of many, and once for one fall', async () => {
      const person = await addWarned();
      await search(get(), person);
      const claims = await Promise.all(Array.from({ length: 8 }, () => claim(person)));
      expect(claims.filter((claimed) => claimed !== undefined)).toHaveLength(1);
      await get().restart();
      await search(get(), person);
      await topUp(person, 1);
      await search(get(), person);
      expect(await waiting(person)).toEqual([]);
      expect(await claim(person)).toBeUndefined();
    });

    it('waits again for the next fall, after credit was added up to the warning', async () => {
      const person = await addWarned();
      await search(get(), person);
      await claim(person);
      await topUp(person, 1);
      await search(get(), person);
      expect(await claim(person)).toMatchObject({ balance: 4 });
    });

    it('does not wait again for credit that a failed search returned', async () => {
      const person = await addWarned();
      const first = newHold(person);
      await get().store.hold(first);
      expect(await claim(person)).toMatchObject({ balance: 4 });
      await get().store.release(first.requestId);
      await search(get(), person);
      expect(await waiting(person)).toEqual([]);
    });

    it('is dropped if the balance has risen before anybody claimed it, and waits at the next fall', async () => {
      const person = await addWarned();
      const first = newHold(person);
      await get().store.hold(first);
      await get().store.release(first.requestId);
      expect(await claim(person)).toBeUndefined();
      expect(await waiting(person)).toEqual([]);
      await search(get(), person);
      expect(await claim(person)).toMatchObject({ balance: 4 });
    });

    it('is dropped when the warning changes', async () => {
      const person = await addWarned();
      await search(get(), person);
      await get().store.setLowBalance({ customerId: person.customerId, credits: 3 });
      expect(await waiting(person)).toEqual([]);
      await search(get(), person);
      expect(await waiting(person)).toEqual([]);
      await search(get(), person);
      expect(await waiting(person)).toHaveLength(1);
    });

    it('waits until its time if it was given back, and as often as it may', async () => {
      const person = await addWarned();
      await search(get(), person);
      await claim(person);
      await returnNotice(person, NOW + 10, 2);
      expect(await waiting(person)).toEqual([]);
      expect(await waiting(person, NOW + 10)).toHaveLength(1);
      expect(await claim(person, NOW + 10)).toBeDefined();
      await returnNotice(person, NOW + 20, 2);
      expect(await waiting(person, NOW + 20)).toEqual([]);
    });

    it('goes to owners and those who pay, if they have a password', async () => {
      const person = await addWarned();
      const { customerId, memberId } = person;
      const limits = { lifetimeMs: 9, idleMs: 9, perMemberMax: 9 };
      const choose = (token: string) =>
        get().store.setPasswordByLink({ token, passwordHash: 'x', limits, now: NOW });
      const link = await get().store.createLink({ memberId, expiresAt: NOW + 9 });
      await choose(link.token);
      const input = { customerId, membersMax: 9, linkExpiresAt: NOW + 9, now: NOW };
      for (const role of ['billing', 'developer'] as const) {
        const email = `${role}-${person.email}`;
        await choose((await get().store.inviteMember({ ...input, email, role })).link.token);
      }
      const late = { ...input, email: `late-${person.email}`, role: 'billing' } as const;
      await get().store.inviteMember(late);
      await search(get(), person);
      const { email } = person;
      expect((await claim(person))?.recipients).toEqual([email, `billing-${email}`]);
    });

    it('is dropped for a disabled customer', async () => {
      const person = await addWarned();
      await search(get(), person);
      await get().operator.disableCustomer({ email: person.email, now: NOW });
      expect(await claim(person)).toBeUndefined();
      expect(await waiting(person)).toEqual([]);
    });
  });
}
