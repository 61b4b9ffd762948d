/**
 * What customers granted to OAuth clients. A code becomes a grant with a key of its own, whose secret
 * nobody knows, and the grant has tokens. Codes and tokens are stored as their SHA-256.
 *
 * A refresh token begins with the name of its family, which only holders of the grant's tokens know.
 * So a token that was replaced long ago is recognized although it is no longer stored.
 */
import { randomBytes } from 'node:crypto';
import { lockCustomer, query, queryFirst, type Sql } from '../../database/sql/sql.ts';
import { type ApiKey, findWholeKey, isRevoked } from './api-keys.ts';
import { createOwnKey } from './own-keys.ts';
import { ACCESS_PREFIX, hashToken, mintToken } from './secret-tokens.ts';

const REFRESH_PREFIX = 'vrt_';
const FAMILY_BYTES = 24;
/** The family comes first. */
const REFRESH_FORM = /^vrt_([\w-]{32})[\w-]{43}$/;
/** More rows than there are. */
const ALL = Number.MAX_SAFE_INTEGER;

export interface GrantLimits {
  accessTokenMs: number;
  refreshTokenMs: number;
  /** How long a replaced refresh token may be used again, by a client that lost the answer. */
  refreshGraceMs: number;
  /** The number of tokens of each kind that a grant keeps. */
  tokensPerGrantMax: number;
  /** As for keys that customers create. */
  keysMax: number;
  keysEverMax: number;
}

/** Handed out once and never stored. */
export interface IssuedTokens {
  access: string;
  refresh: string;
}

/** The tokens, or undefined if the code or the token is not good for any. */
export type Issued = IssuedTokens | undefined;

export interface NewCode {
  customerId: number;
  clientId: string;
  clientName: string;
  redirectUri: string;
  codeChallenge: string;
  creditsPerMonthMax: number;
  expiresAt: number;
  /** The number of codes that a customer may have. Older ones end. */
  codesMax: number;
  now: number;
}

/** Returns a new one-time code. A repeat gives another one. */
export function* addCode(input: NewCode): Sql<string> {
  const { customerId, codesMax, now } = input;
  yield* lockCustomer(customerId);
  yield* query('DELETE FROM client_codes WHERE customer_id = $1 AND expires_at <= $2', [
    ...[customerId, now],
  ]);
  yield* query(
    `DELETE FROM client_codes WHERE code_hash IN
       (SELECT code_hash FROM client_codes WHERE customer_id = $1
        ORDER BY expires_at DESC LIMIT ${ALL} OFFSET $2)`,
    [customerId, codesMax - 1],
  );
  const code = mintToken();
  yield* query(
    `INSERT INTO client_codes (code_hash, customer_id, client_id, client_name, redirect_uri,
       code_challenge, credits_per_month_max, expires_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [
      ...[hashToken(code), customerId, input.clientId, input.clientName, input.redirectUri],
      ...[input.codeChallenge, input.creditsPerMonthMax, input.expiresAt],
    ],
  );
  return code;
}

interface StoredCode {
  customerId: number;
  clientId: string;
  clientName: string;
  redirectUri: string;
  codeChallenge: string;
  creditsPerMonthMax: number;
  expiresAt: number;
  grantId: number | null;
  disabledAt: number | null;
}

/** Whether a code was handed out and is still stored. Cheap enough for strangers. */
export function* isKnownCode(code: string): Sql<boolean> {
  const rows = yield* query('SELECT 1 FROM client_codes WHERE code_hash = $1', [hashToken(code)]);
  return rows.length > 0;
}

export interface RedeemedCode {
  code: string;
  clientId: string;
  redirectUri: string;
  /** Computed from the verifier. */
  codeChallenge: string;
  limits: GrantLimits;
  now: number;
}

/**
 * Makes a grant and its key of a code. The first attempt ends the code, whatever its outcome. A second
 * one ends the grant, because someone else may have the code. Throws `bad_request` if the customer has
 * too many keys; the code stays valid.
 */
export function* redeemCode(input: RedeemedCode): Sql<Issued> {
  const codeHash = hashToken(input.code);
  const owner = yield* findCode(codeHash);
  if (owner === undefined) return undefined;
  yield* lockCustomer(owner.customerId);
  // Another one may have redeemed it before the lock.
  const stored = yield* findCode(codeHash);
  if (stored === undefined) return undefined;
  if (stored.grantId !== null) {
    yield* endGrant(stored.grantId, input.now);
    return undefined;
  }
  if (!isRedeemable(stored, input)) {
    yield* query('DELETE FROM client_codes WHERE code_hash = $1', [codeHash]);
    return undefined;
  }
  const { grantId, family } = yield* addGrant(stored, input);
  yield* query('UPDATE client_codes SET grant_id = $1 WHERE code_hash = $2', [grantId, codeHash]);
  return yield* issueTokens({ grantId, family, ...input });
}

function* findCode(codeHash: Uint8Array): Sql<StoredCode | undefined> {
  return yield* queryFirst<StoredCode>(
    `SELECT customer_id AS "customerId", client_id AS "clientId", client_name AS "clientName",
       redirect_uri AS "redirectUri", code_challenge AS "codeChallenge",
       credits_per_month_max AS "creditsPerMonthMax", expires_at AS "expiresAt",
       grant_id AS "grantId", disabled_at AS "disabledAt"
     FROM client_codes JOIN customers ON customers.id = customer_id WHERE code_hash = $1`,
    [codeHash],
  );
}

/** Whether a code that was found may become a grant. */
function isRedeemable(stored: StoredCode, input: RedeemedCode): boolean {
  return (
    stored.expiresAt > input.now &&
    stored.disabledAt === null &&
    stored.clientId === input.clientId &&
    stored.redirectUri === input.redirectUri &&
    stored.codeChallenge === input.codeChallenge
  );
}

function* addGrant(
  { customerId, clientId, clientName, creditsPerMonthMax }: StoredCode,
  { limits, now }: RedeemedCode,
): Sql<{ grantId: number; family: string }> {
  const { keysMax, keysEverMax } = limits;
  const own = { customerId, name: clientName, creditsPerMonthMax, keysMax, keysEverMax, now };
  const { key } = yield* createOwnKey(own);
  const family = randomBytes(FAMILY_BYTES).toString('base64url');
  const familyHash = hashToken(family);
  yield* query(
    `INSERT INTO client_grants (key_id, client_id, family_hash, expires_at, created_at)
     VALUES ($1, $2, $3, $4, $4)`,
    [key.id, clientId, familyHash, now],
  );
  // With RETURNING, SQLite would look for codes of the new grant, which have no index.
  const added = yield* queryFirst<{ id: number }>(
    'SELECT id FROM client_grants WHERE family_hash = $1',
    [familyHash],
  );
  return { grantId: Number(added?.id), family };
}

interface Grant {
  id: number;
  clientId: string;
  customerId: number;
  /** Of its key. */
  prefix: string;
  disabledAt: number | null;
}

/** Returns the key of the grant that a refresh token belongs or belonged to; undefined for none. */
export function* keyOfRefreshToken(token: string): Sql<ApiKey | undefined> {
  const grant = yield* findGrant(familyOf(token));
  return grant && (yield* findWholeKey(grant.prefix));
}

/** Returns what names the family of a refresh token; '' for another text. */
function familyOf(token: string): string {
  return REFRESH_FORM.exec(token)?.[1] ?? '';
}

function* findGrant(family: string): Sql<Grant | undefined> {
  if (family === '') return undefined;
  return yield* queryFirst<Grant>(
    `SELECT client_grants.id, client_id AS "clientId", customer_id AS "customerId", prefix,
       disabled_at AS "disabledAt"
     FROM client_grants JOIN api_keys ON api_keys.id = key_id
     JOIN customers ON customers.id = customer_id WHERE family_hash = $1`,
    [hashToken(family)],
  );
}

export interface Refresh {
  token: string;
  clientId: string;
  limits: GrantLimits;
  now: number;
}

/**
 * Replaces a refresh token and adds an access token. Within the grace period a repeat gives more tokens.
 * A token that was replaced longer ago ends the grant: either its thief or its owner has a copy (RFC 9700,
 * section 4.14.2).
 */
export function* refreshGrant({ token, clientId, limits, now }: Refresh): Sql<Issued> {
  const family = familyOf(token);
  const owner = yield* findGrant(family);
  if (owner === undefined || owner.clientId !== clientId) return undefined;
  yield* lockCustomer(owner.customerId);
  const grant = (yield* findGrant(family)) ?? owner;
  const key = yield* findWholeKey(grant.prefix);
  if (key === undefined || grant.disabledAt !== null || isRevoked(key, now)) return undefined;
  const stored = yield* queryFirst<{ usedAt: number | null; expiresAt: number }>(
    `SELECT used_at AS "usedAt", expires_at AS "expiresAt" FROM client_tokens
     WHERE token_hash = $1 AND kind = 'refresh'`,
    [hashToken(token)],
  );
  const usedAt = stored?.usedAt ?? now;
  if (stored === undefined || now - usedAt > limits.refreshGraceMs) {
    yield* endGrant(grant.id, now);
    return undefined;
  }
  if (stored.expiresAt <= now) return undefined;
  yield* query('UPDATE client_tokens SET used_at = $1 WHERE token_hash = $2', [
    ...[usedAt, hashToken(token)],
  ]);
  return yield* issueTokens({ grantId: grant.id, family, limits, now });
}

interface TokensOfGrant {
  grantId: number;
  family: string;
  limits: GrantLimits;
  now: number;
}

function* issueTokens({ grantId, family, limits, now }: TokensOfGrant): Sql<Issued> {
  const access = `${ACCESS_PREFIX}${mintToken()}`;
  const refresh = `${REFRESH_PREFIX}${family}${mintToken()}`;
  yield* query(
    `INSERT INTO client_tokens (token_hash, grant_id, kind, expires_at)
     VALUES ($1, $3, 'access', $4), ($2, $3, 'refresh', $5)`,
    [
      ...[hashToken(access), hashToken(refresh), grantId],
      ...[now + limits.accessTokenMs, now + limits.refreshTokenMs],
    ],
  );
  for (const kind of ['access', 'refresh']) {
    yield* query(
      `DELETE FROM client_tokens WHERE token_hash IN
         (SELECT token_hash FROM client_tokens WHERE grant_id = $1 AND kind = $2
          ORDER BY used_at IS NULL DESC, expires_at DESC LIMIT ${ALL} OFFSET $3)`,
      [grantId, kind, limits.tokensPerGrantMax],
    );
  }
  const expiresAt = now + Math.max(limits.accessTokenMs, limits.refreshTokenMs);
  yield* query('UPDATE client_grants SET expires_at = $1 WHERE id = $2', [expiresAt, grantId]);
  return { access, refresh };
}

/**
 * Ends the grant that a token of either kind belongs to. Unknown tokens change nothing. May be repeated.
 * Tokens of a refresh at the same time may stay stored. They admit nobody, because the key is revoked.
 */
export function* revokeToken({
  token,
  clientId,
  now,
}: {
  token: string;
  clientId: string;
  now: number;
}): Sql<void> {
  const grantId = yield* grantIdOf(token);
  if (grantId === undefined) return;
  const found = yield* query('SELECT 1 FROM client_grants WHERE id = $1 AND client_id = $2', [
    ...[grantId, clientId],
  ]);
  if (found.length > 0) yield* endGrant(grantId, now);
}

/** Whether a token of either kind belongs to a grant, also a refresh token that was replaced. */
export function* isTokenOfGrant(token: string): Sql<boolean> {
  return (yield* grantIdOf(token)) !== undefined;
}

function* grantIdOf(token: string): Sql<number | undefined> {
  const family = familyOf(token);
  if (family !== '') return (yield* findGrant(family))?.id;
  const stored = yield* queryFirst<{ grantId: number }>(
    'SELECT grant_id AS "grantId" FROM client_tokens WHERE token_hash = $1',
    [hashToken(token)],
  );
  return stored?.grantId;
}

/** Ends a grant: its key is revoked, and its tokens are deleted. */
function* endGrant(grantId: number, now: number): Sql<void> {
  yield* query(
    `UPDATE api_keys SET revoked_at = $2 WHERE (revoked_at IS NULL OR revoked_at > $2)
       AND id = (SELECT key_id FROM client_grants WHERE id = $1)`,
    [grantId, now],
  );
  yield* query('DELETE FROM client_tokens WHERE grant_id = $1', [grantId]);
}
