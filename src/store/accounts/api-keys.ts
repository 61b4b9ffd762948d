/**
 * API keys. The secret is created here, shown once and never stored: the database has its SHA-256.
 * A random secret of 190 bits needs no slow hash, and the lookup by hash leaks nothing through
 * timing.
 */

import { hash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { VerbatimError } from '../../errors.ts';
import type { LaneChoice } from '../../lane-choice.ts';
import { type KeptOptions, keepUntilChange } from '../database/change-watch.ts';
import type { Connection } from '../database/connection.ts';
import { periodOf } from './ledger.ts';
import type { KeyUsage } from './search-usage.ts';

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
  now: number;
}

export interface CreatedKey {
  key: ApiKey;
  /** Shown once by the caller and never again. */
  secret: string;
}

const columns = `api_keys.id, customer_id AS customerId, email AS customer, name, prefix,
  requests_per_minute AS requestsPerMinute, in_flight_max AS inFlightMax,
  credits_per_month_max AS creditsPerMonthMax, api_keys.created_at AS createdAt,
  CASE WHEN expires_at IS NULL THEN revoked_at
    ELSE min(coalesce(revoked_at, expires_at), expires_at) END AS revokedAt,
  api_keys.lanes AS lanes, customers.lanes AS customerLanes, client_id AS client`;
/** Selects keys as `ApiKey`. Conditions follow. */
export const selectKeys = `SELECT ${columns} FROM api_keys
  JOIN customers ON customers.id = customer_id
  LEFT JOIN client_grants ON key_id = api_keys.id`;

/** Creates a key with a new secret. */
export function createKey(db: Connection, given: NewKey): CreatedKey {
  const secret = mintSecret();
  const hashed = hashSecret(secret);
  const prefix = hashed.slice(0, PREFIX_LENGTH);
  const { customerId, name, requestsPerMinute, inFlightMax, now } = given;
  const { creditsPerMonthMax = null, lanes = null } = given;
  db.prepare(
    `INSERT INTO api_keys (customer_id, name, hash, prefix, requests_per_minute, in_flight_max,
       credits_per_month_max, lanes, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  ).run(
    ...[customerId, name, Buffer.from(hashed, 'hex'), prefix, requestsPerMinute, inFlightMax],
    ...[creditsPerMonthMax, lanes, now],
  );
  return { key: findKey(db, prefix), secret };
}

/** Lists all keys, oldest first. */
export function listKeys(db: Connection): ApiKey[] {
  return db.prepare(`${selectKeys} ORDER BY api_keys.id`).all() as ApiKey[];
}

/** Lists the keys of one customer, oldest first. */
export function listKeysOf(db: Connection, customerId: number): ApiKey[] {
  return db
    .prepare(`${selectKeys} WHERE customer_id = ? ORDER BY api_keys.id`)
    .all(customerId) as ApiKey[];
}

/**
 * Finds the one key whose hash starts with this prefix. Throws `unknown_key` for none, or for more
 * than one.
 */
function findKey(db: Connection, prefix: string): ApiKey {
  const rows = db
    .prepare(`${selectKeys} WHERE prefix >= ? AND prefix < ? LIMIT 2`)
    .all(prefix, `${prefix}${AFTER_DIGITS}`) as ApiKey[];
  const [key, another] = rows;
  if (key === undefined || prefix === '') {
    throw new VerbatimError('unknown_key', `there is no key with the prefix "${prefix}"`);
  }
  if (another !== undefined) {
    throw new VerbatimError('unknown_key', `more than one key starts with "${prefix}"`);
  }
  return key;
}

/** Revokes a key at `at`. Keeps an earlier end. */
export function revokeKey(db: Connection, { prefix, at }: { prefix: string; at: number }): ApiKey {
  const key = findKey(db, prefix);
  db.prepare('UPDATE api_keys SET revoked_at = min(coalesce(revoked_at, ?), ?) WHERE id = ?').run(
    ...[at, at, key.id],
  );
  return findKey(db, key.prefix);
}

/** Sets or clears (null) a key's monthly cap. Throws `unknown_key`. */
export function capKey(
  db: Connection,
  { prefix, creditsPerMonthMax }: { prefix: string; creditsPerMonthMax: number | null },
): ApiKey {
  const key = findKey(db, prefix);
  db.prepare('UPDATE api_keys SET credits_per_month_max = ? WHERE id = ?').run(
    ...[creditsPerMonthMax, key.id],
  );
  return findKey(db, key.prefix);
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
 * `graceEnds`. Throws `unknown_key` for a revoked key and for that of an OAuth client.
 */
export function rotateKey(
  db: Connection,
  { prefix, graceEnds, now }: { prefix: string; graceEnds: number; now: number },
): RotatedKey {
  return db
    .transaction(() => {
      const old = findKey(db, prefix);
      if (isRevoked(old, now)) {
        throw new VerbatimError('unknown_key', `the key ${old.prefix} is already revoked`);
      }
      if (old.client !== null) {
        throw new VerbatimError(
          'unknown_key',
          `the key ${old.prefix} belongs to a client that has no secret; revoke it, and the customer can connect the client again`,
        );
      }
      const { revokedAt } = revokeKey(db, { prefix: old.prefix, at: graceEnds });
      return { ...createKey(db, { ...old, now }), oldKeyEnds: revokedAt ?? graceEnds };
    })
    .immediate();
}

export function isRevoked(key: ApiKey, now: number): boolean {
  return key.revokedAt !== null && key.revokedAt <= now;
}

export interface KeyReader {
  /**
   * Returns the valid key with this secret; undefined if it is unknown, revoked, or its customer is
   * disabled.
   */
  authenticate(secret: string, now: number): ApiKey | undefined;
}

/**
 * Reads keys. Keeps at most `keptMax` until the database changes, whoever changes it, so that a revoked
 * key fails on the very next request.
 */
export function createKeyReader(db: Connection, options: KeptOptions): KeyReader {
  const find = db.prepare(`${selectKeys} WHERE hash = ? AND disabled_at IS NULL`);
  const read = keepUntilChange(
    (hash: string) => find.get(Buffer.from(hash, 'hex')) as ApiKey | undefined,
    options,
  );
  return {
    authenticate(secret, now) {
      if (!isWellFormed(secret)) return undefined;
      const key = read(hashSecret(secret));
      return key === undefined || isRevoked(key, now) ? undefined : key;
    },
  };
}

/** Checks the form and checksum of a secret, without the database. */
export function isWellFormed(secret: string): boolean {
  if (!SECRET_FORM.test(secret)) return false;
  return secret.endsWith(checksum(secret.slice(0, -CHECKSUM_LENGTH)));
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
function hashSecret(secret: string): string {
  return hash('sha256', secret);
}

export interface OwnKey extends ApiKey {
  /** When its last search started; null: never used. */
  lastUsedAt: number | null;
  thisMonth: KeyUsage;
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
  const usageSince = (keyId: number, period: string): KeyUsage =>
    readUsage.get(keyId, period) as KeyUsage;
  return listKeysOf(db, customerId).map((key) => ({
    ...key,
    lastUsedAt: (readLastUse.get(key.id) as number | undefined) ?? null,
    thisMonth: usageSince(key.id, periodOf(now)),
    toDate: usageSince(key.id, ''),
  }));
}

export interface NewOwnKey {
  customerId: number;
  name: string;
  creditsPerMonthMax: number | null;
  /** The maximum of valid keys. */
  keysMax: number;
  /** The maximum including revoked keys, since pages show them all. */
  keysEverMax: number;
  now: number;
}

/** Creates a key for a customer. Throws `bad_request` if the customer has reached a maximum. */
export function createOwnKey(
  db: Connection,
  { keysMax, keysEverMax, ...given }: NewOwnKey,
): CreatedKey {
  return db
    .transaction(() => {
      assertRoomForKey(db, { keysMax, keysEverMax, ...given });
      return createKey(db, { ...given, requestsPerMinute: null, inFlightMax: null });
    })
    .immediate();
}

/** Throws `bad_request` if the customer has reached a maximum. */
export function assertRoomForKey(
  db: Connection,
  given: Pick<NewOwnKey, 'customerId' | 'keysMax' | 'keysEverMax' | 'now'>,
): void {
  const { customerId, keysMax, keysEverMax, now } = given;
  const keys = listKeysOf(db, customerId);
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
  given: OwnKeyName & { creditsPerMonthMax: number | null },
): void {
  const { customerId, prefix, creditsPerMonthMax } = given;
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

/** Sets or clears (null) the lanes of the key with this prefix. Throws `unknown_key`. */
export function setKeyLanes(
  db: Connection,
  { prefix, lanes }: { prefix: string; lanes: LaneChoice },
): ApiKey {
  const key = findKey(db, prefix);
  db.prepare('UPDATE api_keys SET lanes = ? WHERE id = ?').run(lanes, key.id);
  return findKey(db, key.prefix);
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
