/** Deletion on PostgreSQL: what decides when it meets another transaction of the customer at any statement. */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { deleteCustomer } from '../../../src/accounts/sql/delete-customer.ts';
import { enableCustomer } from '../../../src/accounts/sql/disable-customer.ts';
import { inviteMember } from '../../../src/accounts/sql/member-rows.ts';
import { createOwnKey } from '../../../src/accounts/sql/own-keys.ts';
import { placeOrder } from '../../../src/accounts/sql/payments.ts';
import { NOW } from '../../support/accounts.ts';
import { addPerson, codeOf, DAY_MS, outcomesOf } from '../conformance/accounts-under-test.ts';
import { atEachStatement, meetAt, useAccounts } from './meetings.ts';

const limits = { lifetimeMs: DAY_MS, idleMs: DAY_MS, perMemberMax: 9 };
const keyLimits = { keysMax: 2, keysEverMax: 9, creditsPerMonthMax: null };
const get = useAccounts();

function newInvitation(customerId: number) {
  const email = `invited-${randomUUID()}@example.org`;
  const role = 'owner' as const;
  return { customerId, email, role, membersMax: 2, linkExpiresAt: NOW + 1_000, now: NOW };
}

describe('an account', () => {
  it('is deleted once', async () => {
    await atEachStatement(get().database, async (meet) => {
      const { customerId, memberId } = await addPerson(get());
      const remove = () => deleteCustomer({ customerId, memberId, creditsForfeited: 0, now: NOW });
      const both = await meet(remove, remove);
      expect(await outcomesOf(both)).toEqual({ resolved: 1, codes: ['not_found'] });
    });
  });

  it('gets nothing new when it is deleted', async () => {
    await atEachStatement(get().database, async (meet) => {
      const { customerId, memberId } = await addPerson(get());
      const [created, removed] = await meet(
        () => createOwnKey({ customerId, name: 'own', ...keyLimits, now: NOW }),
        () => deleteCustomer({ customerId, memberId, creditsForfeited: 0, now: NOW }),
      );
      await removed;
      const secret = await created.then((key) => key.secret).catch(() => '');
      expect(await get().store.admit({ secret, acceptsTokens: false, now: NOW })).toBeUndefined();
      const { keys } = await get().operator.showCustomer({ customerId, limits, now: NOW });
      expect(keys.every(({ revokedAt }) => revokedAt !== null)).toBe(true);
    });
  });

  it('invites nobody when it is deleted', async () => {
    await atEachStatement(get().database, async (meet) => {
      const { customerId, memberId } = await addPerson(get());
      const invitation = newInvitation(customerId);
      const [, removed] = await meet(
        () => inviteMember(invitation),
        () => deleteCustomer({ customerId, memberId, creditsForfeited: 0, now: NOW }),
      );
      await removed;
      // The address is free for somebody else.
      const other = await addPerson(get());
      await get().store.inviteMember({
        ...newInvitation(other.customerId),
        email: invitation.email,
      });
    });
  });

  // No lock decides this: whoever is deleted has lost the address.
  it('is not enabled when it is deleted', async () => {
    await atEachStatement(get().database, async (meet) => {
      const { customerId, memberId, email } = await addPerson(get());
      const [removed] = await meet(
        () => deleteCustomer({ customerId, memberId, creditsForfeited: 0, now: NOW }),
        () => enableCustomer({ email }),
      );
      await removed;
      const deleted = `deleted-${customerId}`;
      const shown = await get().operator.showCustomer({ email: deleted, limits, now: NOW });
      expect(shown.disabledAt).toBe(NOW);
    });
  });

  it('orders nothing once its deletion has begun', async () => {
    const { customerId, memberId } = await addPerson(get());
    const order = { orderId: randomUUID(), customerId, credits: 10, amount: 500, now: NOW };
    const afterTheLock = 1;
    const { stopped, other } = await meetAt(
      get().database,
      afterTheLock,
      () => deleteCustomer({ customerId, memberId, creditsForfeited: 0, now: NOW }),
      () => placeOrder({ ...order, currency: 'usd', perHourMax: 9 }),
    );
    await stopped;
    expect(await codeOf(other)).toBe('unknown_customer');
  });
});
