/** What customers do with their own keys. Another customer's key is never found. */

import type { Connection } from '../../database/sqlite/connection.ts';
import { VerbatimError } from '../../errors.ts';
import type { LaneChoice } from '../../settings/lane-choice.ts';
import {
  type ApiKey,
  type CreatedKey,
  createKey,
  findKey,
  isRevoked,
  listKeysOf,
  newSecret,
  revokeKey,
  selectKeys,
} from './api-keys.ts';
import { periodOf } from './ledger.ts';
import type { KeyUsage } from './search-usage.ts';

export interface OwnKey extends ApiKey {
  /** When its last search started; null: never used. */
  lastUsedAt: number | null;
  thisMonth: KeyUsage;
  /** The calls of this month that were not charged. */
  freeThisMonth: number;
  toDate: KeyUsage;
}

/** Lists the keys of a customer with their usage, oldest first, including revoked ones. */
export function listOwnKeys(
  db: Connection,
  { customerId, now }: { customerId: number; now: number },
): OwnKey[] {
  const readLastUse = db
    .prepare(
      `SELECT created_at FROM ledger_entries
       WHERE key_id = ? AND kind = 'hold' ORDER BY id DESC LIMIT 1`,
    )
    .pluck();
  // The table has one row per month of use.
  const readUsage = db.prepare(
    `SELECT coalesce(sum(requests), 0) AS requests, coalesce(sum(credits), 0) AS credits
     FROM usage WHERE key_id = ? AND period >= ?`,
  );
  const readFree = db.prepare(
    `SELECT key_id AS keyId, sum(lines) AS lines FROM activity_days
     WHERE customer_id = ? AND day >= ? AND outcome = 'free' GROUP BY key_id`,
  );
  const monthBegins = `${periodOf(now)}-01`;
  const free = new Map(
    (readFree.all(customerId, monthBegins) as { keyId: number; lines: number }[]).map(
      ({ keyId, lines }) => [keyId, lines],
    ),
  );
  const usageSince = (keyId: number, period: string): KeyUsage =>
    readUsage.get(keyId, period) as KeyUsage;
  return listKeysOf(db, customerId).map((key) => ({
    ...key,
    lastUsedAt: (readLastUse.get(key.id) as number | undefined) ?? null,
    thisMonth: usageSince(key.id, periodOf(now)),
    freeThisMonth: free.get(key.id) ?? 0,
    toDate: usageSince(key.id, ''),
  }));
}

export interface NewOwnKey {
  customerId: number;
  name: string;
  creditsPerMonthMax: number | null;
  /** When the key ends; null or absent: never. */
  expiresAt?: number | null;
  /** Of the form that creates it; null or absent: none does. */
  idempotencyKey?: string | null;
  /** The maximum of valid keys. */
  keysMax: number;
  /** The maximum including revoked keys, since pages show them all. */
  keysEverMax: number;
  now: number;
}

/**
 * Creates a key for a customer. Throws `form_sent` if the form has created one, and `bad_request` if the
 * customer has reached a maximum.
 */
export function createOwnKey(
  db: Connection,
  { keysMax, keysEverMax, ...rest }: NewOwnKey,
): CreatedKey {
  return db
    .transaction(() => {
      const { customerId, idempotencyKey = null } = rest;
      const created = db.prepare(
        'SELECT 1 FROM api_keys WHERE customer_id = ? AND idempotency_key = ?',
      );
      if (created.get(customerId, idempotencyKey) !== undefined)
        throw new VerbatimError('form_sent');
      assertRoomForKey(db, { keysMax, keysEverMax, ...rest });
      return createKey(db, { ...rest, requestsPerMinute: null, inFlightMax: null });
    })
    .immediate();
}

/** Throws `bad_request` if the customer has reached a maximum. */
export function assertRoomForKey(
  db: Connection,
  input: Pick<NewOwnKey, 'customerId' | 'keysMax' | 'keysEverMax' | 'now'>,
): void {
  assertRoom(listKeysOf(db, input.customerId), input);
}

/** Throws `bad_request` if these keys of a customer reach a maximum. */
export function assertRoom(
  keys: readonly ApiKey[],
  { keysMax, keysEverMax, now }: Pick<NewOwnKey, 'keysMax' | 'keysEverMax' | 'now'>,
): void {
  const valid = keys.filter((key) => !isRevoked(key, now));
  if (valid.length >= keysMax) {
    throw new VerbatimError(
      'bad_request',
      `you have ${valid.length} valid keys, which is the maximum; revoke one first`,
    );
  }
  if (keys.length >= keysEverMax) {
    throw new VerbatimError(
      'bad_request',
      `you have created ${keys.length} keys, which is the maximum; ask the operator`,
    );
  }
}

export interface OwnKeyName {
  customerId: number;
  prefix: string;
}

/** Finds a customer's own key, valid or not; undefined if the customer has none with this prefix. */
export function findOwnKey(db: Connection, { customerId, prefix }: OwnKeyName): ApiKey | undefined {
  return db
    .prepare(`${selectKeys} WHERE customer_id = ? AND api_keys.prefix = ?`)
    .get(customerId, prefix) as ApiKey | undefined;
}

/** Revokes a customer's own key immediately. Throws `not_found` if the customer has no such key. */
export function revokeOwnKey(
  db: Connection,
  { customerId, prefix, now }: OwnKeyName & { now: number },
): ApiKey {
  return db
    .transaction(() => {
      assertOwn(db, { customerId, prefix });
      return revokeKey(db, { prefix, at: now });
    })
    .immediate();
}

/**
 * Sets or clears (null) the monthly cap of a customer's own key. Throws `not_found` if the customer
 * has no such key.
 */
export function setOwnKeyCap(
  db: Connection,
  input: OwnKeyName & { creditsPerMonthMax: number | null },
): void {
  const { customerId, prefix, creditsPerMonthMax } = input;
  const { changes } = db
    .prepare('UPDATE api_keys SET credits_per_month_max = ? WHERE customer_id = ? AND prefix = ?')
    .run(creditsPerMonthMax, customerId, prefix);
  if (changes === 0) throw new VerbatimError('not_found');
}

function assertOwn(db: Connection, { customerId, prefix }: OwnKeyName): void {
  const found = db
    .prepare('SELECT 1 FROM api_keys WHERE customer_id = ? AND prefix = ?')
    .get(customerId, prefix);
  if (found === undefined) throw new VerbatimError('not_found');
}

/**
 * Sets or clears (null) the lanes of a customer's own key. Throws `not_found` if the customer has
 * no such key.
 */
export function setOwnKeyLanes(
  db: Connection,
  { customerId, prefix, lanes }: OwnKeyName & { lanes: LaneChoice },
): void {
  const { changes } = db
    .prepare('UPDATE api_keys SET lanes = ? WHERE customer_id = ? AND prefix = ?')
    .run(lanes, customerId, prefix);
  if (changes === 0) throw new VerbatimError('not_found');
}

/**
 * Changes the name and the end of a customer's own key. Throws `not_found` if the customer has no such
 * key.
 */
export function editOwnKey(
  db: Connection,
  input: OwnKeyName & { name: string; expiresAt: number | null },
): void {
  const { customerId, prefix, name, expiresAt } = input;
  const { changes } = db
    .prepare('UPDATE api_keys SET name = ?, expires_at = ? WHERE customer_id = ? AND prefix = ?')
    .run(name, expiresAt, customerId, prefix);
  if (changes === 0) throw new VerbatimError('not_found');
}

/** Throws `form_sent` if one of a customer's keys had this prefix before its last rotation. */
export function assertNotRotated(keys: readonly ApiKey[], prefix: string): void {
  if (keys.some((key) => key.oldPrefix === prefix)) throw new VerbatimError('form_sent');
}

export interface RotatedSecret extends CreatedKey {
  /** When the old secret ends. */
  oldKeyEnds: number;
}

/**
 * Gives a customer's own key a new secret. The old one works until `graceEnds`, for the same key, so
 * both count toward its caps. A secret that was replaced before ends at once. Throws `not_found` if
 * the customer has no such valid key with a secret, and `form_sent` if the key had this prefix before
 * its last rotation.
 */
export function rotateOwnSecret(
  db: Connection,
  { customerId, prefix, graceEnds, now }: OwnKeyName & { graceEnds: number; now: number },
): RotatedSecret {
  const rotate = db.transaction(() => {
    assertNotRotated(listKeysOf(db, customerId), prefix);
    assertOwn(db, { customerId, prefix });
    const key = findKey(db, prefix);
    if (isRevoked(key, now) || key.client !== null) throw new VerbatimError('not_found');
    db.prepare(
      `INSERT INTO replaced_secrets SELECT id, hash, prefix, ? FROM api_keys WHERE id = ?
       ON CONFLICT (key_id) DO UPDATE
         SET hash = excluded.hash, prefix = excluded.prefix, ends_at = excluded.ends_at`,
    ).run(graceEnds, key.id);
    const { secret, hash, prefix: newPrefix } = newSecret();
    db.prepare('UPDATE api_keys SET hash = ?, prefix = ? WHERE id = ?').run(
      ...[hash, newPrefix, key.id],
    );
    return { key: findKey(db, newPrefix), secret, oldKeyEnds: graceEnds };
  });
  return rotate.immediate();
}
