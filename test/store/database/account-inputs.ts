/** What the ledger's thread gets in the test of query plans. */

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
