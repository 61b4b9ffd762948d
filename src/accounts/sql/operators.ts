/**
 * Operators: addresses that may open the operator's pages at the service's own address. An operator is
 * no customer, even with the same address. Password and second factor arrive together, so there is
 * never one without the other.
 */

import { query, queryFirst, type Sql } from '../../database/sql/sql.ts';
import { VerbatimError } from '../../errors.ts';
import { isEmail, normalizeEmail } from './customers.ts';
import { hashToken, mintToken } from './secret-tokens.ts';
import { operatorSessions, type SessionLimits } from './session-rows.ts';
import type { CreatedLink } from './sign-in-links.ts';

export interface Operator {
  id: number;
  email: string;
}

/** An operator as the command line lists them. */
export interface ListedOperator extends Operator {
  createdAt: number;
  /** When they last chose a password and set up an authenticator app; null: not yet. */
  enrolledAt: number | null;
  /** When their one-time link ends; null: they have none. */
  linkExpiresAt: number | null;
  /** Active ones. */
  sessions: number;
  /** When they last used one of these; null: none. */
  seenAt: number | null;
}

/** An operator with a new one-time link. */
export interface LinkedOperator {
  operator: Operator;
  link: CreatedLink;
}

/**
 * Adds an operator with a one-time link. Throws `usage` for an invalid address, and `already_exists` for a
 * known one.
 */
export function* addOperator({
  email: address,
  linkExpiresAt: expiresAt,
  now,
}: {
  email: string;
  linkExpiresAt: number;
  now: number;
}): Sql<LinkedOperator> {
  const email = operatorAddress(address);
  const added = yield* query(
    'INSERT INTO operators (email, created_at) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING id',
    [email, now],
  );
  if (added.length === 0) {
    throw new VerbatimError(
      'already_exists',
      `the operator ${email} already exists; \`verbatim operator link\` makes another link`,
    );
  }
  return yield* linkOperator({ email, expiresAt });
}

/** Returns the stored form of an operator's address. Throws `usage` for anything but an address. */
function operatorAddress(address: string): string {
  const email = normalizeEmail(address);
  if (isEmail(email)) return email;
  throw new VerbatimError('usage', `"${address}" is not an e-mail address`);
}

/**
 * Makes a one-time link, by which an operator chooses a password and sets up an authenticator app anew.
 * An earlier link ends; password, app, and sessions go on until it is used. Throws `unknown_operator`.
 */
export function* linkOperator({
  email,
  expiresAt,
}: {
  email: string;
  expiresAt: number;
}): Sql<LinkedOperator> {
  const token = mintToken();
  const operator = yield* queryFirst<Operator>(
    `UPDATE operators SET link_hash = $1, link_expires_at = $2 WHERE email = $3
     RETURNING id, email`,
    [hashToken(token), expiresAt, normalizeEmail(email)],
  );
  if (operator === undefined) throw unknownOperator(email);
  return { operator, link: { token, expiresAt } };
}

/**
 * Removes an operator, with sessions and second factor. A change that is made in one of the sessions
 * after this throws `signed_out`. Throws `unknown_operator`.
 */
export function* removeOperator({ email }: { email: string }): Sql<Operator> {
  // Sign-ins and changes that are under way end first, and later ones find nobody.
  const operator = yield* queryFirst<Operator>(
    'SELECT id, email FROM operators WHERE email = $1 FOR UPDATE',
    [normalizeEmail(email)],
  );
  if (operator === undefined) throw unknownOperator(email);
  const { id } = operator;
  yield* operatorSessions.endAll({ ownerId: id });
  yield* query('DELETE FROM operator_recovery_codes WHERE operator_id = $1', [id]);
  yield* query('DELETE FROM operators WHERE id = $1', [id]);
  return operator;
}

function unknownOperator(email: string): VerbatimError {
  return new VerbatimError('unknown_operator', `there is no operator ${email}`);
}

/** Lists operators, oldest first. */
export function* listOperators({
  limits,
  now,
}: {
  limits: SessionLimits;
  now: number;
}): Sql<ListedOperator[]> {
  return yield* query<ListedOperator>(
    `SELECT operators.id, email, operators.created_at AS "createdAt", enrolled_at AS "enrolledAt",
       link_expires_at AS "linkExpiresAt", count(token_hash) AS sessions, max(seen_at) AS "seenAt"
     FROM operators LEFT JOIN operator_sessions ON operator_id = operators.id
       AND operator_sessions.created_at > $1 AND seen_at > $2
     GROUP BY operators.id ORDER BY operators.id`,
    [now - limits.lifetimeMs, now - limits.idleMs],
  );
}

/** Throws `signed_out` unless a session exists, which then stays until this transaction ends. */
export function* assertOperatorSession(tokenHash: Uint8Array): Sql<void> {
  const found = yield* query('SELECT 1 FROM operator_sessions WHERE token_hash = $1 FOR UPDATE', [
    tokenHash,
  ]);
  if (found.length === 0) throw new VerbatimError('signed_out');
}
