/** What the ledger's thread gets in the test of query plans. */
import { addCustomer } from '../../../src/store/accounts/customers.ts';
import { topUp } from '../../../src/store/accounts/ledger.ts';
import { ownerOf } from '../../../src/store/accounts/members.ts';
import type { Connection } from '../../../src/store/database/connection.ts';

/** A customer with credit, to be deleted. */
export function addGone(db: Connection): { id: number; owner: number } {
  const now = Date.now();
  const { id } = addCustomer(db, { email: 'gone@example.org', now });
  topUp(db, { customerId: id, credits: 3, now });
  return { id, owner: ownerOf(db, id) };
}

/** An answer that is stored, with its charge. */
export const answerTo = (customerId: number, now: number) => ({
  request: { customerId, idempotencyKey: 'k', fingerprint: Buffer.alloc(32) },
  requestId: 'c',
  headers: {},
  body: '{}',
  charged: ['c'],
  released: [],
  expiresAt: now + 60_000,
  now,
});

/** A key that a customer makes. */
export const ownKey = (customerId: number, now: number) => ({
  customerId,
  name: 'Own',
  creditsPerMonthMax: null,
  keysMax: 9,
  keysEverMax: 9,
  now,
});
