/**
 * What customers do with their own keys. A key is named by its customer and its prefix, so nobody finds
 * what belongs to another customer. What names one throws `not_found` if the customer has no such key.
 */

import { lockCustomer, query, queryFirst, type Sql } from '../../database/sql/sql.ts';
import { VerbatimError } from '../../errors.ts';
import type { LaneChoice } from '../../settings/lane-choice.ts';
import {
  type ApiKey,
  type CreatedKey,
  createKey,
  findKey,
  hashSecret,
  isRevoked,
  isWellFormed,
  type KeyChange,
  keyColumns,
  keyTables,
  listKeysOf,
  newSecret,
  REVOKE,
  selectKeys,
} from './api-keys.ts';
import { periodOf } from './calendar-month.ts';
import { lockEnabledCustomer } from './lock-enabled-customer.ts';
import type { KeyUsage } from './search-usage.ts';

export interface OwnKey extends ApiKey {
  /** When its last search started; null: never used. */
  lastUsedAt: number | null;
  thisMonth: KeyUsage;
  /** The requests of this month that failed. */
  failedThisMonth: number;
  toDate: KeyUsage;
}

interface OwnKeyRow extends Omit<OwnKey, 'thisMonth' | 'toDate'> {
  monthRequests: number;
  monthCredits: number;
  requests: number;
  credits: number;
}

/** Lists the keys of a customer with their usage, oldest first, including revoked ones. */
export function* listOwnKeys({
  customerId,
  now,
}: {
  customerId: number;
  now: number;
}): Sql<OwnKey[]> {
  // The table has one row per month of use.
  const used = (column: string, since: string): string =>
    `(SELECT CAST(coalesce(sum(usage.${column}), 0) AS bigint) FROM usage
      WHERE key_id = api_keys.id AND period >= ${since})`;
  const rows = yield* query<OwnKeyRow>(
    `SELECT ${keyColumns},
       (SELECT created_at FROM ledger_entries WHERE key_id = api_keys.id AND kind = 'hold'
        ORDER BY id DESC LIMIT 1) AS "lastUsedAt",
       (SELECT CAST(coalesce(sum(calls), 0) AS bigint) FROM request_days
        WHERE request_days.customer_id = $1 AND day >= $3 AND code <> ''
          AND key_id = api_keys.id) AS "failedThisMonth",
       ${used('requests', '$2')} AS "monthRequests", ${used('credits', '$2')} AS "monthCredits",
       ${used('requests', "''")} AS requests, ${used('credits', "''")} AS credits
     FROM ${keyTables} WHERE api_keys.customer_id = $1 ORDER BY api_keys.id`,
    [customerId, periodOf(now), `${periodOf(now)}-01`],
  );
  return rows.map(({ monthRequests, monthCredits, requests, credits, ...key }) => ({
    ...key,
    thisMonth: { requests: monthRequests, credits: monthCredits },
    toDate: { requests, credits },
  }));
}

/** Names a key and its customer. */
export type KeyOwner = Pick<ApiKey, 'id' | 'customerId' | 'prefix'>;

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
 * Creates a key for a customer. A repeat makes another key, or throws `form_sent` if the form has created
 * one. Throws `bad_request` if the customer has reached a maximum: of several at once, no more succeed than
 * there is room for.
 */
export function* createOwnKey({ keysMax, keysEverMax, ...rest }: NewOwnKey): Sql<CreatedKey> {
  const { customerId, idempotencyKey = null } = rest;
  yield* lockEnabledCustomer(customerId);
  const created = yield* query(
    'SELECT 1 FROM api_keys WHERE customer_id = $1 AND idempotency_key = $2',
    [customerId, idempotencyKey],
  );
  if (created.length > 0) throw new VerbatimError('form_sent');
  yield* assertRoomForKey({ keysMax, keysEverMax, ...rest });
  return yield* createKey({ ...rest, requestsPerMinute: null, inFlightMax: null });
}

/** Throws `bad_request` if the customer has reached a maximum. */
export function* assertRoomForKey({
  customerId,
  keysMax,
  keysEverMax,
  now,
}: Pick<NewOwnKey, 'customerId' | 'keysMax' | 'keysEverMax' | 'now'>): Sql<void> {
  const keys = yield* listKeysOf(customerId);
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
export function* findOwnKey({ customerId, prefix }: OwnKeyName): Sql<ApiKey | undefined> {
  return yield* queryFirst<ApiKey>(
    `${selectKeys} WHERE api_keys.customer_id = $1 AND api_keys.prefix = $2`,
    [customerId, prefix],
  );
}

/** Revokes a key at once. May be repeated. */
export function* revokeOwnKey({ now, ...own }: OwnKeyName & { now: number }): Sql<ApiKey> {
  yield* changeOwn(own, { set: REVOKE, values: [now] });
  return yield* findKey(own.prefix);
}

/** What a customer can change of a key. */
export interface KeyEdit {
  name: string;
  /** null: never. */
  expiresAt: number | null;
  /** null: no cap. */
  creditsPerMonthMax: number | null;
  lanes: LaneChoice;
}

/** Changes a key. Throws `not_found`. May be repeated. */
export function* editOwnKey(input: OwnKeyName & KeyEdit): Sql<void> {
  const { name, expiresAt, creditsPerMonthMax, lanes, ...own } = input;
  const set = 'name = $1, expires_at = $2, credits_per_month_max = $3, lanes = $4';
  yield* changeOwn(own, { set, values: [name, expiresAt, creditsPerMonthMax, lanes] });
}

function* changeOwn({ customerId, prefix }: OwnKeyName, { set, values }: KeyChange): Sql<void> {
  const next = values.length + 1;
  const changed = yield* query(
    `UPDATE api_keys SET ${set} WHERE customer_id = $${next} AND prefix = $${next + 1} RETURNING id`,
    [...values, customerId, prefix],
  );
  if (changed.length === 0) throw new VerbatimError('not_found');
}

export interface RotatedSecret extends CreatedKey {
  /** When the old secret ends. */
  oldKeyEnds: number;
}

/**
 * Gives a key a new secret. The old one works until `graceEnds`, for the same key, so both count toward its
 * caps. A secret that was replaced before ends at once. Not repeatable: the prefix changes with the secret.
 * Throws `not_found` also for a revoked key and for one without a secret, and `form_sent` for the prefix
 * before the last rotation.
 */
export function* rotateOwnSecret({
  customerId,
  prefix,
  graceEnds,
  now,
}: OwnKeyName & { graceEnds: number; now: number }): Sql<RotatedSecret> {
  yield* lockCustomer(customerId);
  const keys = yield* listKeysOf(customerId);
  if (keys.some(({ oldPrefix }) => oldPrefix === prefix)) throw new VerbatimError('form_sent');
  const key = keys.find((own) => own.prefix === prefix);
  if (key === undefined || isRevoked(key, now) || key.client !== null) {
    throw new VerbatimError('not_found');
  }
  yield* query(
    `INSERT INTO replaced_secrets (key_id, hash, prefix, ends_at)
     SELECT id, hash, prefix, CAST($2 AS bigint) FROM api_keys WHERE id = $1
     ON CONFLICT (key_id) DO UPDATE
       SET hash = excluded.hash, prefix = excluded.prefix, ends_at = excluded.ends_at`,
    [key.id, graceEnds],
  );
  const { secret, hash, prefix: newPrefix } = newSecret();
  yield* query('UPDATE api_keys SET hash = $2, prefix = $3 WHERE id = $1', [
    ...[key.id, hash, newPrefix],
  ]);
  return { key: yield* findKey(newPrefix), secret, oldKeyEnds: graceEnds };
}

/**
 * Finds whose key has or had this secret, also one that has ended, or whose customer is disabled. Such a
 * key opens nothing: it says whose request was refused.
 */
export function* findKeyOfSecret(secret: string): Sql<KeyOwner | undefined> {
  if (!isWellFormed(secret)) return undefined;
  return yield* queryFirst<KeyOwner>(
    `SELECT id, customer_id AS "customerId", prefix FROM api_keys WHERE id =
       coalesce((SELECT id FROM api_keys WHERE hash = $1),
         (SELECT key_id FROM replaced_secrets WHERE hash = $1))`,
    [Buffer.from(hashSecret(secret), 'hex')],
  );
}
