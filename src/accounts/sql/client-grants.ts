/**
 * What customers granted to OAuth clients. A code becomes a grant with a key of its own, whose secret
 * nobody knows, and the grant has tokens. Codes and tokens are stored as their SHA-256.
 *
 * A refresh token begins with the name of its family, which only holders of the grant's tokens know.
 * So a token that was replaced long ago is recognized although it is no longer stored.
 */
import { randomBytes } from 'node:crypto';
import type { Connection } from '../../database/sqlite/connection.ts';
import { ACCESS_PREFIX } from './access-tokens.ts';
import { type ApiKey, isRevoked, revokeKey, selectKeys } from './api-keys.ts';
import { createOwnKey } from './own-keys.ts';
import { hashToken, mintToken } from './secret-tokens.ts';

export const REFRESH_PREFIX = 'vrt_';
export const FAMILY_BYTES = 24;
/** The family comes first. */
const REFRESH_FORM = /^vrt_([\w-]{32})[\w-]{43}$/;

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

/** Returns a new one-time code. */
export function addCode(db: Connection, input: NewCode): string {
  const { customerId, codesMax, now } = input;
  return db
    .transaction(() => {
      db.prepare('DELETE FROM client_codes WHERE customer_id = ? AND expires_at <= ?').run(
        ...[customerId, now],
      );
      db.prepare(
        `DELETE FROM client_codes WHERE code_hash IN
           (SELECT code_hash FROM client_codes WHERE customer_id = ?
            ORDER BY expires_at DESC LIMIT -1 OFFSET ?)`,
      ).run(customerId, codesMax - 1);
      const code = mintToken();
      db.prepare(
        `INSERT INTO client_codes (code_hash, customer_id, client_id, client_name, redirect_uri,
           code_challenge, credits_per_month_max, expires_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
      ).run(
        ...[hashToken(code), customerId, input.clientId, input.clientName, input.redirectUri],
        ...[input.codeChallenge, input.creditsPerMonthMax, input.expiresAt],
      );
      return code;
    })
    .immediate();
}

export interface StoredCode {
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
export function isKnownCode(db: Connection, code: string): boolean {
  const find = db.prepare('SELECT 1 FROM client_codes WHERE code_hash = ?');
  return find.get(hashToken(code)) !== undefined;
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
export function redeemCode(db: Connection, input: RedeemedCode): Issued {
  return db
    .transaction(() => {
      const codeHash = hashToken(input.code);
      const stored = findCode(db, codeHash);
      if (stored === undefined) return undefined;
      if (stored.grantId !== null) {
        endGrant(db, stored.grantId, input.now);
        return undefined;
      }
      if (!isRedeemable(stored, input)) {
        db.prepare('DELETE FROM client_codes WHERE code_hash = ?').run(codeHash);
        return undefined;
      }
      const { grantId, family } = addGrant(db, stored, input);
      db.prepare('UPDATE client_codes SET grant_id = ? WHERE code_hash = ?').run(grantId, codeHash);
      return issueTokens(db, { grantId, family, ...input });
    })
    .immediate();
}

function findCode(db: Connection, codeHash: Uint8Array): StoredCode | undefined {
  return db
    .prepare(
      `SELECT customer_id AS customerId, client_id AS clientId, client_name AS clientName,
         redirect_uri AS redirectUri, code_challenge AS codeChallenge,
         credits_per_month_max AS creditsPerMonthMax, expires_at AS expiresAt,
         grant_id AS grantId, disabled_at AS disabledAt
       FROM client_codes JOIN customers ON customers.id = customer_id WHERE code_hash = ?`,
    )
    .get(codeHash) as StoredCode | undefined;
}

/** Whether a code that was found may become a grant. */
export function isRedeemable(stored: StoredCode, input: RedeemedCode): boolean {
  return (
    stored.expiresAt > input.now &&
    stored.disabledAt === null &&
    stored.clientId === input.clientId &&
    stored.redirectUri === input.redirectUri &&
    stored.codeChallenge === input.codeChallenge
  );
}

function addGrant(
  db: Connection,
  { customerId, clientId, clientName, creditsPerMonthMax }: StoredCode,
  { limits, now }: RedeemedCode,
): { grantId: number; family: string } {
  const { keysMax, keysEverMax } = limits;
  const { key } = createOwnKey(db, {
    customerId,
    name: clientName,
    creditsPerMonthMax,
    keysMax,
    keysEverMax,
    now,
  });
  const family = randomBytes(FAMILY_BYTES).toString('base64url');
  const { lastInsertRowid } = db
    .prepare(
      `INSERT INTO client_grants (key_id, client_id, family_hash, expires_at, created_at)
       VALUES (?, ?, ?, ?, ?)`,
    )
    .run(key.id, clientId, hashToken(family), now, now);
  return { grantId: Number(lastInsertRowid), family };
}

interface Grant {
  id: number;
  clientId: string;
  key: ApiKey;
  disabledAt: number | null;
}

/** Returns the key of the grant that a refresh token belongs or belonged to; undefined for none. */
export function keyOfRefreshToken(db: Connection, token: string): ApiKey | undefined {
  return findGrant(db, familyOf(token))?.key;
}

/** Returns what names the family of a refresh token; '' for another text. */
export function familyOf(token: string): string {
  return REFRESH_FORM.exec(token)?.[1] ?? '';
}

function findGrant(db: Connection, family: string): Grant | undefined {
  if (family === '') return undefined;
  const found = db
    .prepare(
      `SELECT client_grants.id, client_id AS clientId, prefix, disabled_at AS disabledAt
       FROM client_grants JOIN api_keys ON api_keys.id = key_id
       JOIN customers ON customers.id = customer_id WHERE family_hash = ?`,
    )
    .get(hashToken(family)) as (Omit<Grant, 'key'> & { prefix: string }) | undefined;
  if (found === undefined) return undefined;
  const { prefix, ...grant } = found;
  return {
    ...grant,
    key: db.prepare(`${selectKeys} WHERE api_keys.prefix = ?`).get(prefix) as ApiKey,
  };
}

export interface Refresh {
  token: string;
  clientId: string;
  limits: GrantLimits;
  now: number;
}

/**
 * Replaces a refresh token and adds an access token. A token that was replaced before, longer ago than
 * the grace period, ends the grant: either its thief or its owner has a copy (RFC 9700, section
 * 4.14.2).
 */
export function refreshGrant(db: Connection, { token, clientId, limits, now }: Refresh): Issued {
  return db
    .transaction(() => {
      const family = familyOf(token);
      const grant = findGrant(db, family);
      if (grant === undefined || grant.clientId !== clientId) return undefined;
      if (grant.disabledAt !== null || isRevoked(grant.key, now)) return undefined;
      const stored = db
        .prepare(
          `SELECT used_at AS usedAt, expires_at AS expiresAt FROM client_tokens
           WHERE token_hash = ? AND kind = 'refresh'`,
        )
        .get(hashToken(token)) as { usedAt: number | null; expiresAt: number } | undefined;
      const usedAt = stored?.usedAt ?? now;
      if (stored === undefined || now - usedAt > limits.refreshGraceMs) {
        endGrant(db, grant.id, now);
        return undefined;
      }
      if (stored.expiresAt <= now) return undefined;
      db.prepare('UPDATE client_tokens SET used_at = ? WHERE token_hash = ?').run(
        ...[usedAt, hashToken(token)],
      );
      return issueTokens(db, { grantId: grant.id, family, limits, now });
    })
    .immediate();
}

interface TokensOfGrant {
  grantId: number;
  family: string;
  limits: GrantLimits;
  now: number;
}

function issueTokens(db: Connection, { grantId, family, limits, now }: TokensOfGrant): Issued {
  const access = `${ACCESS_PREFIX}${mintToken()}`;
  const refresh = `${REFRESH_PREFIX}${family}${mintToken()}`;
  const insert = db.prepare(
    'INSERT INTO client_tokens (token_hash, grant_id, kind, expires_at) VALUES (?, ?, ?, ?)',
  );
  insert.run(hashToken(access), grantId, 'access', now + limits.accessTokenMs);
  insert.run(hashToken(refresh), grantId, 'refresh', now + limits.refreshTokenMs);
  const removeOld = db.prepare(
    `DELETE FROM client_tokens WHERE token_hash IN
       (SELECT token_hash FROM client_tokens WHERE grant_id = ? AND kind = ?
        ORDER BY used_at IS NULL DESC, expires_at DESC LIMIT -1 OFFSET ?)`,
  );
  for (const kind of ['access', 'refresh']) removeOld.run(grantId, kind, limits.tokensPerGrantMax);
  const expiresAt = now + Math.max(limits.accessTokenMs, limits.refreshTokenMs);
  db.prepare('UPDATE client_grants SET expires_at = ? WHERE id = ?').run(expiresAt, grantId);
  return { access, refresh };
}

/** Ends the grant that a token of either kind belongs to. Unknown tokens change nothing. */
export function revokeToken(
  db: Connection,
  { token, clientId, now }: { token: string; clientId: string; now: number },
): void {
  db.transaction(() => {
    const grantId = grantIdOf(db, token);
    const find = db.prepare('SELECT client_id FROM client_grants WHERE id = ?').pluck();
    if (grantId === undefined || find.get(grantId) !== clientId) return;
    endGrant(db, grantId, now);
  }).immediate();
}

/** Returns the grant of a token of either kind, also of a refresh token that was replaced. */
export function grantIdOf(db: Connection, token: string): number | undefined {
  const family = familyOf(token);
  if (family !== '') return findGrant(db, family)?.id;
  const find = db.prepare('SELECT grant_id FROM client_tokens WHERE token_hash = ?').pluck();
  return find.get(hashToken(token)) as number | undefined;
}

/** Ends a grant: its key is revoked, and its tokens are deleted. */
function endGrant(db: Connection, grantId: number, now: number): void {
  const find =
    'SELECT prefix FROM client_grants JOIN api_keys ON api_keys.id = key_id WHERE client_grants.id = ?';
  revokeKey(db, { prefix: db.prepare(find).pluck().get(grantId) as string, at: now });
  db.prepare('DELETE FROM client_tokens WHERE grant_id = ?').run(grantId);
}
