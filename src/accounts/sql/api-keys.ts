/**
 * API keys. The secret is created here, shown once and never stored: the database has its SHA-256.
 * A random secret of 190 bits needs no slow hash, and the lookup by hash leaks nothing through
 * timing.
 */

import { hash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { type KeptOptions, keepUntilChange } from '../../database/sqlite/change-watch.ts';
import type { Connection } from '../../database/sqlite/connection.ts';
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

/** Later than any time. */
const NEVER = Number.MAX_SAFE_INTEGER;
const columns = `api_keys.id, customer_id AS customerId, email AS customer, name,
  api_keys.prefix AS prefix, requests_per_minute AS requestsPerMinute,
  in_flight_max AS inFlightMax, credits_per_month_max AS creditsPerMonthMax,
  api_keys.created_at AS createdAt,
  nullif(min(coalesce(revoked_at, ${NEVER}), coalesce(api_keys.expires_at, ${NEVER}),
    coalesce(client_grants.expires_at, ${NEVER})), ${NEVER}) AS revokedAt,
  api_keys.expires_at AS expiresAt,
  replaced_secrets.prefix AS oldPrefix, replaced_secrets.ends_at AS oldSecretEndsAt,
  api_keys.lanes AS lanes, customers.lanes AS customerLanes, client_id AS client`;
/** Selects keys as `ApiKey`. Conditions follow. */
export const selectKeys = `SELECT ${columns} FROM api_keys
  JOIN customers ON customers.id = customer_id
  LEFT JOIN client_grants ON client_grants.key_id = api_keys.id
  LEFT JOIN replaced_secrets ON replaced_secrets.key_id = api_keys.id`;

/** Creates a key with a new secret. */
export function createKey(db: Connection, input: NewKey): CreatedKey {
  const { secret, hash: hashed, prefix } = newSecret();
  const { customerId, name, requestsPerMinute, inFlightMax, now } = input;
  const {
    creditsPerMonthMax = null,
    lanes = null,
    expiresAt = null,
    idempotencyKey = null,
  } = input;
  db.prepare(
    `INSERT INTO api_keys (customer_id, name, hash, prefix, requests_per_minute, in_flight_max,
       credits_per_month_max, lanes, expires_at, idempotency_key, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  ).run(
    ...[customerId, name, hashed, prefix, requestsPerMinute, inFlightMax],
    ...[creditsPerMonthMax, lanes, expiresAt, idempotencyKey, now],
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
export function findKey(db: Connection, prefix: string): ApiKey {
  const rows = db
    .prepare(`${selectKeys} WHERE api_keys.prefix >= ? AND api_keys.prefix < ? LIMIT 2`)
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

/** Finds the key with this whole prefix; undefined if there is none. */
export function findWholeKey(db: Connection, prefix: string): ApiKey | undefined {
  return db.prepare(`${selectKeys} WHERE api_keys.prefix = ?`).get(prefix) as ApiKey | undefined;
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
  const find = db.prepare(`${selectKeys} WHERE api_keys.hash = ? AND disabled_at IS NULL`);
  const findOld = db.prepare(
    `${selectKeys} WHERE api_keys.id = (SELECT key_id FROM replaced_secrets WHERE hash = ?)
       AND disabled_at IS NULL`,
  );
  const read = keepUntilChange((hash: string): KeyOfSecret | undefined => {
    const stored = Buffer.from(hash, 'hex');
    const key = find.get(stored) as ApiKey | undefined;
    if (key !== undefined) return { key, endsAt: NEVER };
    const rotated = findOld.get(stored) as ApiKey | undefined;
    return rotated && { key: rotated, endsAt: rotated.oldSecretEndsAt ?? 0 };
  }, options);
  return {
    authenticate(secret, now) {
      if (!isWellFormed(secret)) return undefined;
      const found = read(hashSecret(secret));
      if (found === undefined || found.endsAt <= now || isRevoked(found.key, now)) return undefined;
      return found.key;
    },
  };
}

/** The key of a secret, and when the secret ends. */
interface KeyOfSecret {
  key: ApiKey;
  endsAt: number;
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
function hashSecret(secret: string): string {
  return hash('sha256', secret);
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

/** Sets a key's rate and its searches in flight, or gives it the defaults (null). Throws `unknown_key`. */
export function setKeyRates(
  db: Connection,
  input: { prefix: string; requestsPerMinute: number | null; inFlightMax: number | null },
): ApiKey {
  const key = findKey(db, input.prefix);
  db.prepare('UPDATE api_keys SET requests_per_minute = ?, in_flight_max = ? WHERE id = ?').run(
    ...[input.requestsPerMinute, input.inFlightMax, key.id],
  );
  return findKey(db, key.prefix);
}
