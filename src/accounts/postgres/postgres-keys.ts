/** API keys on PostgreSQL: those of the operator, and customers' own. */

import type { Database, Queries } from '../../database/postgres/postgres-database.ts';
import { VerbatimError } from '../../errors.ts';
import type { LaneChoice } from '../../settings/lane-choice.ts';
import {
  type ApiKey,
  type CreatedKey,
  isRevoked,
  type NewKey,
  newSecret,
  type RotatedKey,
} from '../sql/api-keys.ts';
import { periodOf } from '../sql/ledger.ts';
import {
  assertNotRotated,
  assertRoom,
  type NewOwnKey,
  type OwnKey,
  type OwnKeyName,
  type RotatedSecret,
} from '../sql/own-keys.ts';
import { lockCustomer } from './postgres-customer-lock.ts';

/** Creates a key with a new secret. */
export async function createKey(queries: Queries, input: NewKey): Promise<CreatedKey> {
  const { secret, hash, prefix } = newSecret();
  const { customerId, name, requestsPerMinute, inFlightMax, now } = input;
  const {
    creditsPerMonthMax = null,
    lanes = null,
    expiresAt = null,
    idempotencyKey = null,
  } = input;
  await queries.query(
    `INSERT INTO api_keys (customer_id, name, hash, prefix, requests_per_minute, in_flight_max,
       credits_per_month_max, lanes, expires_at, idempotency_key, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
    [
      ...[customerId, name, hash, prefix, requestsPerMinute, inFlightMax],
      ...[creditsPerMonthMax, lanes, expiresAt, idempotencyKey, now],
    ],
  );
  return { key: await findKey(queries, prefix), secret };
}

export async function listKeys({ query }: Queries): Promise<ApiKey[]> {
  return await query('SELECT * FROM keys ORDER BY id');
}

export async function listKeysOf({ query }: Queries, customerId: number): Promise<ApiKey[]> {
  return await query('SELECT * FROM keys WHERE "customerId" = $1 ORDER BY id', [customerId]);
}

/** Sorts after all hexadecimal digits, so it ends the range of a prefix. */
const AFTER_DIGITS = 'g';

/** Finds the one key whose hash starts with this prefix. Throws `unknown_key`. */
async function findKey({ query }: Queries, prefix: string): Promise<ApiKey> {
  const [key, another] = await query<ApiKey>(
    'SELECT * FROM keys WHERE prefix >= $1 AND prefix < $2 LIMIT 2',
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
export async function findWholeKey(
  { query }: Queries,
  prefix: string,
): Promise<ApiKey | undefined> {
  const [key] = await query<ApiKey>('SELECT * FROM keys WHERE prefix = $1', [prefix]);
  return key;
}

/** Finds a key, and lets the other transactions of its customer wait. */
async function lockKey(queries: Queries, prefix: string): Promise<ApiKey> {
  const { customerId, prefix: whole } = await findKey(queries, prefix);
  await lockCustomer(queries, customerId);
  return await findKey(queries, whole);
}

/** Revokes a key at `at`. Keeps an earlier end. */
export async function revokeKey(
  queries: Queries,
  { prefix, at }: { prefix: string; at: number },
): Promise<ApiKey> {
  const key = await findKey(queries, prefix);
  await queries.query('UPDATE api_keys SET revoked_at = least(revoked_at, $2) WHERE id = $1', [
    ...[key.id, at],
  ]);
  return await findKey(queries, key.prefix);
}

/** Sets or clears (null) a key's monthly cap. Throws `unknown_key`. */
export async function capKey(
  queries: Queries,
  { prefix, creditsPerMonthMax }: { prefix: string; creditsPerMonthMax: number | null },
): Promise<ApiKey> {
  const key = await findKey(queries, prefix);
  await queries.query('UPDATE api_keys SET credits_per_month_max = $2 WHERE id = $1', [
    ...[key.id, creditsPerMonthMax],
  ]);
  return await findKey(queries, key.prefix);
}

/** Sets or clears (null) the lanes of a key. Throws `unknown_key`. */
export async function setKeyLanes(
  queries: Queries,
  { prefix, lanes }: { prefix: string; lanes: LaneChoice },
): Promise<ApiKey> {
  const key = await findKey(queries, prefix);
  await queries.query('UPDATE api_keys SET lanes = $2 WHERE id = $1', [key.id, lanes]);
  return await findKey(queries, key.prefix);
}

/** Sets a key's rate and its searches in flight, or gives it the defaults (null). Throws `unknown_key`. */
export async function setKeyRates(
  queries: Queries,
  input: { prefix: string; requestsPerMinute: number | null; inFlightMax: number | null },
): Promise<ApiKey> {
  const key = await findKey(queries, input.prefix);
  await queries.query(
    'UPDATE api_keys SET requests_per_minute = $2, in_flight_max = $3 WHERE id = $1',
    [key.id, input.requestsPerMinute, input.inFlightMax],
  );
  return await findKey(queries, key.prefix);
}

/** Replaces a key with a new one of the same name, caps and lanes. Throws `unknown_key`. */
export function rotateKey(
  database: Database,
  { prefix, graceEnds, now }: { prefix: string; graceEnds: number; now: number },
): Promise<RotatedKey> {
  return database.transaction(async (queries) => {
    const old = await lockKey(queries, prefix);
    if (isRevoked(old, now)) {
      throw new VerbatimError('unknown_key', `the key ${old.prefix} is already revoked`);
    }
    if (old.client !== null) {
      throw new VerbatimError(
        'unknown_key',
        `the key ${old.prefix} belongs to a client that has no secret; revoke it, and the customer can connect the client again`,
      );
    }
    const { revokedAt } = await revokeKey(queries, { prefix: old.prefix, at: graceEnds });
    const created = await createKey(queries, { ...old, now });
    return { ...created, oldKeyEnds: revokedAt ?? graceEnds };
  });
}

/** Lists the keys of a customer with their usage, oldest first, including revoked ones. */
export async function listOwnKeys(
  { query }: Queries,
  { customerId, now }: { customerId: number; now: number },
): Promise<OwnKey[]> {
  const used = (since: string): string =>
    `(SELECT json_build_object('requests', coalesce(sum(requests), 0)::bigint,
        'credits', coalesce(sum(credits), 0)::bigint)
      FROM usage WHERE key_id = keys.id AND period >= ${since})`;
  return await query(
    `SELECT keys.*,
       (SELECT created_at FROM ledger_entries WHERE key_id = keys.id AND kind = 'hold'
        ORDER BY id DESC LIMIT 1) AS "lastUsedAt",
       ${used('$2')} AS "thisMonth",
       (SELECT coalesce(sum(lines), 0)::bigint FROM activity_days WHERE customer_id = $1
        AND day >= $2 || '-01' AND outcome = 'free' AND key_id = keys.id) AS "freeThisMonth",
       ${used("''")} AS "toDate"
     FROM keys WHERE "customerId" = $1 ORDER BY id`,
    [customerId, periodOf(now)],
  );
}

/** Throws `bad_request` if the customer has reached a maximum. */
export async function assertRoomForKey(
  queries: Queries,
  input: Pick<NewOwnKey, 'customerId' | 'keysMax' | 'keysEverMax' | 'now'>,
): Promise<void> {
  assertRoom(await listKeysOf(queries, input.customerId), input);
}

/** Creates a key for a customer, in the caller's transaction. Throws `form_sent` and `bad_request`. */
export async function createOwnKey(
  queries: Queries,
  { keysMax, keysEverMax, ...rest }: NewOwnKey,
): Promise<CreatedKey> {
  const { customerId, idempotencyKey = null } = rest;
  await lockCustomer(queries, customerId);
  const created = await queries.query(
    'SELECT 1 FROM api_keys WHERE customer_id = $1 AND idempotency_key = $2',
    [customerId, idempotencyKey],
  );
  if (created.length > 0) throw new VerbatimError('form_sent');
  await assertRoomForKey(queries, { keysMax, keysEverMax, ...rest });
  return await createKey(queries, { ...rest, requestsPerMinute: null, inFlightMax: null });
}

/** Changes columns of a customer's own key. Throws `not_found` if the customer has no such key. */
async function changeOwn(
  { query }: Queries,
  { customerId, prefix }: OwnKeyName,
  change: { set: string; values: (string | number | null)[] },
): Promise<void> {
  const rows = await query(
    `UPDATE api_keys SET ${change.set} WHERE customer_id = $1 AND prefix = $2 RETURNING 1`,
    [customerId, prefix, ...change.values],
  );
  if (rows.length === 0) throw new VerbatimError('not_found');
}

export async function revokeOwnKey(
  queries: Queries,
  { now, ...name }: OwnKeyName & { now: number },
): Promise<ApiKey> {
  await changeOwn(queries, name, { set: 'revoked_at = least(revoked_at, $3)', values: [now] });
  return await findKey(queries, name.prefix);
}

export async function setOwnKeyCap(
  queries: Queries,
  { creditsPerMonthMax, ...name }: OwnKeyName & { creditsPerMonthMax: number | null },
): Promise<void> {
  const change = { set: 'credits_per_month_max = $3', values: [creditsPerMonthMax] };
  await changeOwn(queries, name, change);
}

export async function setOwnKeyLanes(
  queries: Queries,
  { lanes, ...own }: OwnKeyName & { lanes: LaneChoice },
): Promise<void> {
  await changeOwn(queries, own, { set: 'lanes = $3', values: [lanes] });
}

export async function editOwnKey(
  queries: Queries,
  { name, expiresAt, ...own }: OwnKeyName & { name: string; expiresAt: number | null },
): Promise<void> {
  await changeOwn(queries, own, { set: 'name = $3, expires_at = $4', values: [name, expiresAt] });
}

/** Gives a customer's own key a new secret. Throws `not_found` and `form_sent`. */
export function rotateOwnSecret(
  database: Database,
  { graceEnds, now, ...name }: OwnKeyName & { graceEnds: number; now: number },
): Promise<RotatedSecret> {
  return database.transaction(async (queries) => {
    await lockCustomer(queries, name.customerId);
    const keys = await listKeysOf(queries, name.customerId);
    assertNotRotated(keys, name.prefix);
    const key = keys.find(({ prefix }) => prefix === name.prefix);
    if (key === undefined || isRevoked(key, now) || key.client !== null) {
      throw new VerbatimError('not_found');
    }
    await queries.query(
      `INSERT INTO replaced_secrets SELECT id, hash, prefix, $2 FROM api_keys WHERE id = $1
       ON CONFLICT (key_id) DO UPDATE
         SET hash = excluded.hash, prefix = excluded.prefix, ends_at = excluded.ends_at`,
      [key.id, graceEnds],
    );
    const { secret, hash, prefix } = newSecret();
    await queries.query('UPDATE api_keys SET hash = $2, prefix = $3 WHERE id = $1', [
      ...[key.id, hash, prefix],
    ]);
    return { key: await findKey(queries, prefix), secret, oldKeyEnds: graceEnds };
  });
}
