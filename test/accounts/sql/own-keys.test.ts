/** Keys that expire, and rotation within a key: both secrets are one key. */
import { beforeEach, describe, expect, it } from 'vitest';
import {
  type ApiKey,
  createKeyReader,
  listKeysOf,
  revokeKey,
} from '../../../src/accounts/sql/api-keys.ts';
import { addCustomer } from '../../../src/accounts/sql/customers.ts';
import { createLedger, topUp } from '../../../src/accounts/sql/ledger.ts';
import {
  createOwnKey,
  editOwnKey,
  listOwnKeys,
  rotateOwnSecret,
} from '../../../src/accounts/sql/own-keys.ts';
import { createChangeWatch } from '../../../src/database/sqlite/change-watch.ts';
import type { Connection } from '../../../src/database/sqlite/connection.ts';
import { addKey, NOW, openMemoryStore, rowsOf } from '../../support/accounts.ts';

const HOUR = 3_600_000;

let db: Connection;
let customerId: number;
beforeEach(() => {
  db = openMemoryStore();
  customerId = addCustomer(db, { email: 'ada@example.org', now: NOW }).id;
});

const authenticate = (secret: string, now = NOW): ApiKey | undefined =>
  createKeyReader(db, { watch: createChangeWatch(db), keptMax: 10 }).authenticate(secret, now);

describe('a key that expires', () => {
  it('works until its end, and no longer', () => {
    const given = { customerId, name: 'course', creditsPerMonthMax: null };
    const limits = { keysMax: 9, keysEverMax: 9, now: NOW };
    const { secret } = createOwnKey(db, { ...given, ...limits, expiresAt: NOW + HOUR });
    const times = [NOW, NOW + HOUR - 1, NOW + HOUR, NOW + 2 * HOUR];
    expect(times.map((now) => authenticate(secret, now) !== undefined)).toEqual([
      ...[true, true, false, false],
    ]);
  });

  it('can be given another end or none, and keeps an earlier revocation', () => {
    const { key, secret } = addKey(db, customerId);
    const edit = (expiresAt: number | null): void =>
      editOwnKey(db, { customerId, prefix: key.prefix, name: 'renamed', expiresAt });
    edit(NOW);
    expect(authenticate(secret)).toBeUndefined();
    edit(null);
    expect(authenticate(secret)).toMatchObject({ name: 'renamed', revokedAt: null });
    revokeKey(db, { prefix: key.prefix, at: NOW });
    edit(NOW + HOUR);
    expect(authenticate(secret)).toBeUndefined();
  });
});

describe('rotation within a key', () => {
  const rotate = (prefix: string, graceEnds = NOW + HOUR, owner = customerId) =>
    rotateOwnSecret(db, { customerId: owner, prefix, graceEnds, now: NOW });

  it('lets both secrets work as the same key until the grace period ends', () => {
    const old = addKey(db, customerId);
    const rotated = rotate(old.key.prefix);
    expect(rotated.key).toMatchObject({
      id: old.key.id,
      name: old.key.name,
      oldPrefix: old.key.prefix,
      oldSecretEndsAt: NOW + HOUR,
    });
    expect(rotated.key.prefix).not.toBe(old.key.prefix);
    expect(authenticate(old.secret)).toEqual(authenticate(rotated.secret));
    expect(authenticate(old.secret, NOW + HOUR - 1)).toBeDefined();
    expect(authenticate(old.secret, NOW + HOUR)).toBeUndefined();
    expect(authenticate(rotated.secret, NOW + HOUR)).toBeDefined();
    expect(listKeysOf(db, customerId)).toHaveLength(1);
  });

  it('without a grace period ends the old secret at once', () => {
    const old = addKey(db, customerId);
    const { secret } = rotate(old.key.prefix, NOW);
    expect(authenticate(old.secret)).toBeUndefined();
    expect(authenticate(secret)).toBeDefined();
  });

  it('a second time ends the secret before the last one', () => {
    const first = addKey(db, customerId);
    const second = rotate(first.key.prefix);
    const third = rotate(second.key.prefix);
    const works = [first, second, third].map(({ secret }) => authenticate(secret) !== undefined);
    expect(works).toEqual([false, true, true]);
    expect(rowsOf(db, 'SELECT count(*) AS n FROM replaced_secrets')).toEqual([{ n: 1 }]);
  });

  it('counts both secrets toward one cap', () => {
    topUp(db, { customerId, credits: 10, now: NOW });
    const limits = { keysMax: 9, keysEverMax: 9, now: NOW };
    const old = createOwnKey(db, { customerId, name: 'capped', creditsPerMonthMax: 2, ...limits });
    const rotated = rotate(old.key.prefix);
    const ledger = createLedger(db);
    const hold = (secret: string): number | undefined => {
      const keyId = authenticate(secret)?.id ?? 0;
      const requestId = crypto.randomUUID();
      return ledger.hold({ requestId, customerId, keyId, credits: 1, now: NOW });
    };
    expect([hold(old.secret), hold(rotated.secret)]).toEqual([9, 8]);
    for (const { secret } of [old, rotated]) {
      expect(() => hold(secret)).toThrow('monthly credit cap of this key reached');
    }
  });

  it('and revocation end both secrets', () => {
    const old = addKey(db, customerId);
    const rotated = rotate(old.key.prefix);
    revokeKey(db, { prefix: rotated.key.prefix, at: NOW });
    expect([old, rotated].map(({ secret }) => authenticate(secret))).toEqual([
      ...[undefined, undefined],
    ]);
  });

  it('is refused for revoked keys, for unknown ones, and for those of others', () => {
    const { key } = addKey(db, customerId);
    const eve = addCustomer(db, { email: 'eve@example.org', now: NOW }).id;
    expect(() => rotate(key.prefix, NOW, eve)).toThrow('not found');
    expect(() => rotate('0000000000')).toThrow('not found');
    revokeKey(db, { prefix: key.prefix, at: NOW });
    expect(() => rotate(key.prefix)).toThrow('not found');
    expect(rowsOf(db, 'SELECT * FROM replaced_secrets')).toEqual([]);
  });
});

it('the list of keys counts the calls of this month that were free', () => {
  topUp(db, { customerId, credits: 10, now: NOW });
  const { key } = addKey(db, customerId);
  const ledger = createLedger(db);
  const days = [NOW - 40 * 24 * HOUR, NOW, NOW];
  for (const [index, now] of days.entries()) {
    const requestId = `request-${index}`;
    ledger.hold({ requestId, customerId, keyId: key.id, credits: 1, now });
    ledger.release(requestId, now);
  }
  expect(listOwnKeys(db, { customerId, now: NOW })).toMatchObject([{ freeThisMonth: 2 }]);
});
