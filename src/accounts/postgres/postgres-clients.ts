/** Grants of OAuth clients on PostgreSQL. */
import { randomBytes } from 'node:crypto';
import type { Database, Queries } from '../../database/postgres/postgres-database.ts';
import { ACCESS_PREFIX } from '../sql/access-tokens.ts';
import { type ApiKey, isRevoked } from '../sql/api-keys.ts';
import {
  FAMILY_BYTES,
  familyOf,
  type Issued,
  isRedeemable,
  type NewCode,
  REFRESH_PREFIX,
  type RedeemedCode,
  type Refresh,
  type StoredCode,
} from '../sql/client-grants.ts';
import { hashToken, mintToken } from '../sql/secret-tokens.ts';
import { lockCustomer } from './postgres-customer-lock.ts';
import { createOwnKey } from './postgres-keys.ts';

/** Returns a new one-time code. */
export function addCode(database: Database, input: NewCode): Promise<string> {
  const { customerId, codesMax, now } = input;
  return database.transaction(async (queries) => {
    const { query } = queries;
    await lockCustomer(queries, customerId);
    await query('DELETE FROM client_codes WHERE customer_id = $1 AND expires_at <= $2', [
      ...[customerId, now],
    ]);
    await query(
      `DELETE FROM client_codes WHERE code_hash IN
         (SELECT code_hash FROM client_codes WHERE customer_id = $1
          ORDER BY expires_at DESC OFFSET $2)`,
      [customerId, codesMax - 1],
    );
    const code = mintToken();
    await query(
      `INSERT INTO client_codes (code_hash, customer_id, client_id, client_name, redirect_uri,
         code_challenge, credits_per_month_max, expires_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
      [
        ...[hashToken(code), customerId, input.clientId, input.clientName, input.redirectUri],
        ...[input.codeChallenge, input.creditsPerMonthMax, input.expiresAt],
      ],
    );
    return code;
  });
}

export async function isKnownCode({ query }: Queries, code: string): Promise<boolean> {
  const rows = await query('SELECT 1 FROM client_codes WHERE code_hash = $1', [hashToken(code)]);
  return rows.length > 0;
}

/** Makes a grant and its key of a code. Throws `bad_request` if the customer has too many keys. */
export function redeemCode(database: Database, input: RedeemedCode): Promise<Issued> {
  const codeHash = hashToken(input.code);
  return database.transaction(async (queries) => {
    const { query } = queries;
    const owner = await findCode(queries, codeHash);
    if (owner === undefined) return undefined;
    await lockCustomer(queries, owner.customerId);
    // Another one may have redeemed it before the lock.
    const stored = await findCode(queries, codeHash);
    if (stored === undefined) return undefined;
    if (stored.grantId !== null) {
      await endGrant(queries, stored.grantId, input.now);
      return undefined;
    }
    if (!isRedeemable(stored, input)) {
      await query('DELETE FROM client_codes WHERE code_hash = $1', [codeHash]);
      return undefined;
    }
    const grant = await addGrant(queries, stored, input);
    await query('UPDATE client_codes SET grant_id = $2 WHERE code_hash = $1', [codeHash, grant.id]);
    return await issueTokens(queries, grant, input);
  });
}

async function findCode({ query }: Queries, codeHash: Buffer): Promise<StoredCode | undefined> {
  const rows = await query<StoredCode>(
    `SELECT customer_id AS "customerId", client_id AS "clientId", client_name AS "clientName",
       redirect_uri AS "redirectUri", code_challenge AS "codeChallenge",
       credits_per_month_max AS "creditsPerMonthMax", expires_at AS "expiresAt",
       grant_id AS "grantId", disabled_at AS "disabledAt"
     FROM client_codes JOIN customers ON customers.id = customer_id WHERE code_hash = $1`,
    [codeHash],
  );
  return rows[0];
}

/** A grant as tokens name it. */
interface NamedGrant {
  id: number;
  family: string;
}

async function addGrant(
  queries: Queries,
  { customerId, clientId, clientName, creditsPerMonthMax }: StoredCode,
  { limits, now }: RedeemedCode,
): Promise<NamedGrant> {
  const { keysMax, keysEverMax } = limits;
  const own = { customerId, name: clientName, creditsPerMonthMax, keysMax, keysEverMax, now };
  const { key } = await createOwnKey(queries, own);
  const family = randomBytes(FAMILY_BYTES).toString('base64url');
  const [row] = await queries.query<{ id: number }>(
    `INSERT INTO client_grants (key_id, client_id, family_hash, expires_at, created_at)
     VALUES ($1, $2, $3, $4, $4) RETURNING id`,
    [key.id, clientId, hashToken(family), now],
  );
  return { id: Number(row?.id), family };
}

interface Grant {
  id: number;
  clientId: string;
  disabledAt: number | null;
  keyId: number;
  customerId: number;
}

async function findGrant({ query }: Queries, family: string): Promise<Grant | undefined> {
  if (family === '') return undefined;
  const rows = await query<Grant>(
    `SELECT client_grants.id, client_id AS "clientId", disabled_at AS "disabledAt",
       key_id AS "keyId", customer_id AS "customerId"
     FROM client_grants JOIN api_keys ON api_keys.id = key_id
     JOIN customers ON customers.id = customer_id WHERE family_hash = $1`,
    [hashToken(family)],
  );
  return rows[0];
}

async function keyById({ query }: Queries, id: number): Promise<ApiKey | undefined> {
  return (await query<ApiKey>('SELECT * FROM keys WHERE id = $1', [id]))[0];
}

/** Returns the key of the grant that a refresh token belongs or belonged to; undefined for none. */
export async function keyOfRefreshToken(
  queries: Queries,
  token: string,
): Promise<ApiKey | undefined> {
  const grant = await findGrant(queries, familyOf(token));
  return grant && (await keyById(queries, grant.keyId));
}

/** Replaces a refresh token and adds an access token. */
export function refreshGrant(
  database: Database,
  { token, clientId, limits, now }: Refresh,
): Promise<Issued> {
  const family = familyOf(token);
  return database.transaction(async (queries) => {
    const owner = await findGrant(queries, family);
    if (owner === undefined || owner.clientId !== clientId) return undefined;
    await lockCustomer(queries, owner.customerId);
    const grant = (await findGrant(queries, family)) ?? owner;
    const key = await keyById(queries, grant.keyId);
    if (key === undefined || grant.disabledAt !== null || isRevoked(key, now)) return undefined;
    const [stored] = await queries.query<{ usedAt: number | null; expiresAt: number }>(
      `SELECT used_at AS "usedAt", expires_at AS "expiresAt" FROM client_tokens
       WHERE token_hash = $1 AND kind = 'refresh'`,
      [hashToken(token)],
    );
    const usedAt = stored?.usedAt ?? now;
    if (stored === undefined || now - usedAt > limits.refreshGraceMs) {
      await endGrant(queries, grant.id, now);
      return undefined;
    }
    if (stored.expiresAt <= now) return undefined;
    await queries.query('UPDATE client_tokens SET used_at = $1 WHERE token_hash = $2', [
      ...[usedAt, hashToken(token)],
    ]);
    return await issueTokens(queries, { id: grant.id, family }, { limits, now });
  });
}

async function issueTokens(
  { query }: Queries,
  { id, family }: NamedGrant,
  { limits, now }: Pick<Refresh, 'limits' | 'now'>,
): Promise<Issued> {
  const access = `${ACCESS_PREFIX}${mintToken()}`;
  const refresh = `${REFRESH_PREFIX}${family}${mintToken()}`;
  await query(
    `INSERT INTO client_tokens (token_hash, grant_id, kind, expires_at)
     VALUES ($1, $3, 'access', $4), ($2, $3, 'refresh', $5)`,
    [
      ...[hashToken(access), hashToken(refresh), id],
      ...[now + limits.accessTokenMs, now + limits.refreshTokenMs],
    ],
  );
  await query(
    `DELETE FROM client_tokens WHERE token_hash IN (
       SELECT token_hash FROM (
         SELECT token_hash, row_number() OVER (
           PARTITION BY kind ORDER BY used_at IS NULL DESC, expires_at DESC) AS place
         FROM client_tokens WHERE grant_id = $1) AS placed
       WHERE place > $2)`,
    [id, limits.tokensPerGrantMax],
  );
  const expiresAt = now + Math.max(limits.accessTokenMs, limits.refreshTokenMs);
  await query('UPDATE client_grants SET expires_at = $2 WHERE id = $1', [id, expiresAt]);
  return { access, refresh };
}

/** Ends the grant that a token of either kind belongs to. Unknown tokens change nothing. */
export function revokeToken(
  database: Database,
  { token, clientId, now }: { token: string; clientId: string; now: number },
): Promise<void> {
  return database.transaction(async (queries) => {
    const grantId = await grantIdOf(queries, token);
    if (grantId === undefined) return;
    const rows = await queries.query(
      'SELECT 1 FROM client_grants WHERE id = $1 AND client_id = $2 FOR UPDATE',
      [grantId, clientId],
    );
    if (rows.length > 0) await endGrant(queries, grantId, now);
  });
}

/** Returns the grant of a token of either kind, also of a refresh token that was replaced. */
export async function grantIdOf(queries: Queries, token: string): Promise<number | undefined> {
  const family = familyOf(token);
  if (family !== '') return (await findGrant(queries, family))?.id;
  const [row] = await queries.query<{ grantId: number }>(
    'SELECT grant_id AS "grantId" FROM client_tokens WHERE token_hash = $1',
    [hashToken(token)],
  );
  return row?.grantId;
}

/** Ends a grant: its key is revoked, and its tokens are deleted. */
async function endGrant({ query }: Queries, grantId: number, now: number): Promise<void> {
  await query(
    `UPDATE api_keys SET revoked_at = least(revoked_at, $2)
     WHERE id = (SELECT key_id FROM client_grants WHERE id = $1)`,
    [grantId, now],
  );
  await query('DELETE FROM client_tokens WHERE grant_id = $1', [grantId]);
}
