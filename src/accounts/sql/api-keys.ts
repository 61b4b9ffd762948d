/**
 * API keys. The secret is created here, shown once and never stored: the database has its SHA-256.
 * A random secret of 190 bits needs no slow hash, and the lookup by hash leaks nothing through
 * timing.
 */

import { hash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { lockCustomer, query, queryFirst, type Sql } from '../../database/sql/sql.ts';
import { VerbatimError } from '../../errors.ts';
import type { LaneChoice } from '../../settings/lane-choice.ts';

const SECRET_PREFIX = 'sk_live_';
const SECRET_LENGTH = 32;
const CHECKSUM_LENGTH = 6;
/** The number of hexadecimal digits of the hash that name a key. */
const PREFIX_LENGTH = 10;
/** Sorts after all hexadecimal digits, so it ends the range of a prefix. */
const AFTER_DIGITS = 'g';
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const SECRET_FORM = /^sk_live_[0-9A-Za-z]{38}$/;

export interface ApiKey {
  id: number;
  customerId: number;
  customer: string;
  name: string;
  prefix: string;
  requestsPerMinute: number | null;
  inFlightMax: number | null;
  /** The credits that the key may spend per calendar month (UTC); null: no cap. */
  creditsPerMonthMax: number | null;
  /** The lanes allowed by the key, and by its customer. */
  lanes: LaneChoice;
  customerLanes: LaneChoice;
  createdAt: number;
  /** When the key ends or ended; for the key of a client no later than its last token. */
  revokedAt: number | null;
  /** The end that the customer chose; null: none. */
  expiresAt: number | null;
  /** The hash prefix of the secret before the last rotation, and when it ends; null: none. */
  oldPrefix: string | null;
  oldSecretEndsAt: number | null;
  /** The OAuth client whose key it is: the address of its metadata. null: a key with a secret. */
  client: string | null;
}

export interface NewKey {
  customerId: number;
  name: string;
  requestsPerMinute: number | null;
  inFlightMax: number | null;
  creditsPerMonthMax?: number | null;
  lanes?: LaneChoice;
  expiresAt?: number | null;
  /** Of the form that creates it. A form creates one key. */
  idempotencyKey?: string | null;
  now: number;
}

export interface CreatedKey {
  key: ApiKey;
  /** Shown once by the caller and never again. */
  secret: string;
}

/** The earliest of the ends that a key has; NULL if it has none. */
const revokedAt = `(SELECT min(ends_at) FROM (SELECT revoked_at AS ends_at
  UNION ALL SELECT api_keys.expires_at UNION ALL SELECT client_grants.expires_at) AS ends)`;
/** The columns of an `ApiKey`, and the tables that have them. */
export const keyColumns = `api_keys.id, api_keys.customer_id AS "customerId", email AS customer, name,
  api_keys.prefix, requests_per_minute AS "requestsPerMinute", in_flight_max AS "inFlightMax",
  credits_per_month_max AS "creditsPerMonthMax", api_keys.created_at AS "createdAt",
  ${revokedAt} AS "revokedAt", api_keys.expires_at AS "expiresAt",
  replaced_secrets.prefix AS "oldPrefix", replaced_secrets.ends_at AS "oldSecretEndsAt",
  api_keys.lanes, customers.lanes AS "customerLanes", client_id AS client`;
export const keyTables = `api_keys
  JOIN customers ON customers.id = api_keys.customer_id
  LEFT JOIN client_grants ON client_grants.key_id = api_keys.id
  LEFT JOIN replaced_secrets ON replaced_secrets.key_id = api_keys.id`;
/** Selects keys as `ApiKey`. Conditions follow. */
export const selectKeys = `SELECT ${keyColumns} FROM ${keyTables}`;

/** Creates a key with a new secret, which is in the result and nowhere else: a repeat makes another key. */
export function* createKey(input: NewKey): Sql<CreatedKey> {
  const { secret, hash: hashed, prefix } = newSecret();
  const { customerId, name, requestsPerMinute, inFlightMax, now } = input;
  const {
    creditsPerMonthMax = null,
    lanes = null,
    expiresAt = null,
    idempotencyKey = null,
  } = input;
  yield* query(
    `INSERT INTO api_keys (customer_id, name, hash, prefix, requests_per_minute, in_flight_max,
       credits_per_month_max, lanes, expires_at, idempotency_key, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
    [
      ...[customerId, name, hashed, prefix, requestsPerMinute, inFlightMax],
      ...[creditsPerMonthMax, lanes, expiresAt, idempotencyKey, now],
    ],
  );
  return { key: yield* findKey(prefix), secret };
}

/** Lists all keys, oldest first. */
export function* listKeys(): Sql<ApiKey[]> {
  return yield* query<ApiKey>(`${selectKeys} ORDER BY api_keys.id`);
}

/** Lists the keys of one customer, oldest first. */
export function* listKeysOf(customerId: number): Sql<ApiKey[]> {
  return yield* query<ApiKey>(
    `${selectKeys} WHERE api_keys.customer_id = $1 ORDER BY api_keys.id`,
    [customerId],
  );
}

/**
 * Finds the one key whose hash starts with this prefix. Throws `unknown_key` for none, or for more
 * than one.
 */
export function* findKey(prefix: string): Sql<ApiKey> {
  const [key, another] = yield* query<ApiKey>(
    `${selectKeys} WHERE api_keys.prefix >= $1 AND api_keys.prefix < $2 LIMIT 2`,
    [prefix, `${prefix}${AFTER_DIGITS}`],
  );
  if (key === undefined || prefix === '') {
    throw new VerbatimError('unknown_key', `there is no key with the prefix "${prefix}"`);
  }
  if (another !== undefined) {
    throw new VerbatimError('unknown_key', `more than one key starts with "${prefix}"`);
  }
  return key;
}

/** Finds the key with this whole prefix; undefined if there is none. */
export function* findWholeKey(prefix: string): Sql<ApiKey | undefined> {
  return yield* queryFirst<ApiKey>(`${selectKeys} WHERE api_keys.prefix = $1`, [prefix]);
}

/** Revokes a key at `at`. Keeps an earlier end. May be repeated. */
export function* revokeKey({ prefix, at }: { prefix: string; at: number }): Sql<ApiKey> {
  return yield* changeKey(prefix, { set: REVOKE, values: [at] });
}

/** Sets or clears (null) a key's monthly cap. Throws `unknown_key`. May be repeated. */
export function* capKey({
  prefix,
  creditsPerMonthMax,
}: {
  prefix: string;
  creditsPerMonthMax: number | null;
}): Sql<ApiKey> {
  const change = { set: 'credits_per_month_max = $1', values: [creditsPerMonthMax] };
  return yield* changeKey(prefix, change);
}

/** Sets or clears (null) the lanes of the key with this prefix. Throws `unknown_key`. May be repeated. */
export function* setKeyLanes({
  prefix,
  lanes,
}: {
  prefix: string;
  lanes: LaneChoice;
}): Sql<ApiKey> {
  return yield* changeKey(prefix, { set: 'lanes = $1', values: [lanes] });
}

/**
 * Sets a key's rate and its searches in flight, or gives it the defaults (null). Throws `unknown_key`. May
 * be repeated.
 */
export function* setKeyRates({
  prefix,
  requestsPerMinute,
  inFlightMax,
}: {
  prefix: string;
  requestsPerMinute: number | null;
  inFlightMax: number | null;
}): Sql<ApiKey> {
  return yield* changeKey(prefix, {
    set: 'requests_per_minute = $1, in_flight_max = $2',
    values: [requestsPerMinute, inFlightMax],
  });
}

/** Columns that are set, with values `$1`, `$2`, … */
export interface KeyChange {
  set: string;
  values: readonly (string | number | null)[];
}

/** Ends a key at a time, unless it ends earlier. */
export const REVOKE = 'revoked_at = CASE WHEN revoked_at < $1 THEN revoked_at ELSE $1 END';

function* changeKey(prefix: string, { set, values }: KeyChange): Sql<ApiKey> {
  const key = yield* findKey(prefix);
  yield* query(`UPDATE api_keys SET ${set} WHERE id = $${values.length + 1}`, [...values, key.id]);
  return yield* findKey(key.prefix);
}

export interface RotatedKey extends CreatedKey {
  /**
   * When the old key stops working: at the end of the grace period, or earlier if it was revoked
   * already.
   */
  oldKeyEnds: number;
}

/**
 * Replaces a key with a new one of the same name, caps and lanes. The old key works until
 * `graceEnds`. Throws `unknown_key` for a revoked key and for that of an OAuth client, so a repeat
 * after the grace period fails.
 */
export function* rotateKey({
  prefix,
  graceEnds,
  now,
}: {
  prefix: string;
  graceEnds: number;
  now: number;
}): Sql<RotatedKey> {
  const { customerId, prefix: whole } = yield* findKey(prefix);
  yield* lockCustomer(customerId);
  const old = yield* findKey(whole);
  if (isRevoked(old, now)) {
    throw new VerbatimError('unknown_key', `the key ${whole} is already revoked`);
  }
  if (old.client !== null) {
    throw new VerbatimError(
      'unknown_key',
      `the key ${whole} belongs to a client that has no secret; revoke it, and the customer can connect the client again`,
    );
  }
  const { revokedAt } = yield* revokeKey({ prefix: whole, at: graceEnds });
  const created = yield* createKey({ ...old, now });
  return { ...created, oldKeyEnds: revokedAt ?? graceEnds };
}

export function isRevoked(key: ApiKey, now: number): boolean {
  return key.revokedAt !== null && key.revokedAt <= now;
}

/** Checks the form and checksum of a secret, without the database. */
export function isWellFormed(secret: string): boolean {
  if (!SECRET_FORM.test(secret)) return false;
  return secret.endsWith(checksum(secret.slice(0, -CHECKSUM_LENGTH)));
}

/** A new secret with what the database stores of it. */
export function newSecret(): { secret: string; hash: Buffer; prefix: string } {
  const secret = mintSecret();
  const hashed = hashSecret(secret);
  return { secret, hash: Buffer.from(hashed, 'hex'), prefix: hashed.slice(0, PREFIX_LENGTH) };
}

function mintSecret(): string {
  let secret = SECRET_PREFIX;
  for (let i = 0; i < SECRET_LENGTH; i++) secret += ALPHABET[randomInt(ALPHABET.length)];
  return secret + checksum(secret);
}

/** Returns the CRC-32 in base 62, six digits. It detects mistyped and made-up keys. */
function checksum(text: string): string {
  let rest = crc32(text);
  let digits = '';
  for (let i = 0; i < CHECKSUM_LENGTH; i++) {
    digits = ALPHABET[rest % ALPHABET.length] + digits;
    rest = Math.floor(rest / ALPHABET.length);
  }
  return digits;
}

/** Returns the SHA-256 of a secret in hexadecimal digits. */
export function hashSecret(secret: string): string {
  return hash('sha256', secret);
}
