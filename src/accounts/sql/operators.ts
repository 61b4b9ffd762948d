/**
 * Operators: addresses that may open the operator's pages at the service's own address. An operator is
 * no customer, even with the same address. Password and second factor arrive together, so there is
 * never one without the other.
 */

import type { Connection } from '../../database/sqlite/connection.ts';
import { VerbatimError } from '../../errors.ts';
import { isEmail, normalizeEmail } from './customers.ts';
import { hashToken, mintToken } from './secret-tokens.ts';
import { deleteSessions, operatorSessions, type SessionLimits } from './session-rows.ts';
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

/** The error of an address that is no operator's. */
export function unknownOperator(email: string): VerbatimError {
  return new VerbatimError('unknown_operator', `there is no operator ${email}`);
}

/** Returns the stored form of an operator's address. Throws `usage` for anything but an address. */
export function operatorAddress(address: string): string {
  const email = normalizeEmail(address);
  if (isEmail(email)) return email;
  throw new VerbatimError('usage', `"${address}" is not an e-mail address`);
}

/** The error of an address that is an operator's already. */
export function knownOperator(email: string): VerbatimError {
  return new VerbatimError(
    'already_exists',
    `the operator ${email} already exists; \`verbatim operator link\` makes another link`,
  );
}

/** A step: adds an operator with a one-time link. Throws `usage` and `already_exists`. */
export function addOperator(
  db: Connection,
  { linkExpiresAt, now, ...rest }: { email: string; linkExpiresAt: number; now: number },
): LinkedOperator {
  const email = operatorAddress(rest.email);
  const id = db
    .prepare(
      'INSERT INTO operators (email, created_at) VALUES (?, ?) ON CONFLICT DO NOTHING RETURNING id',
    )
    .pluck()
    .get(email, now) as number | undefined;
  if (id === undefined) throw knownOperator(email);
  return linkOperator(db, { email, expiresAt: linkExpiresAt });
}

/** Makes a one-time link. An earlier one ends; sessions go on until it is used. Throws `unknown_operator`. */
export function linkOperator(
  db: Connection,
  { email, expiresAt }: { email: string; expiresAt: number },
): LinkedOperator {
  const token = mintToken();
  const operator = db
    .prepare(
      'UPDATE operators SET link_hash = ?, link_expires_at = ? WHERE email = ? RETURNING id, email',
    )
    .get(hashToken(token), expiresAt, normalizeEmail(email)) as Operator | undefined;
  if (operator === undefined) throw unknownOperator(email);
  return { operator, link: { token, expiresAt } };
}

/** A step: removes an operator, with sessions and second factor. Throws `unknown_operator`. */
export function removeOperator(db: Connection, { email }: { email: string }): Operator {
  const operator = db
    .prepare('SELECT id, email FROM operators WHERE email = ?')
    .get(normalizeEmail(email)) as Operator | undefined;
  if (operator === undefined) throw unknownOperator(email);
  const { id } = operator;
  deleteSessions(db, operatorSessions, { ownerId: id });
  db.prepare('DELETE FROM operator_recovery_codes WHERE operator_id = ?').run(id);
  db.prepare('DELETE FROM operators WHERE id = ?').run(id);
  return operator;
}

/** Lists operators, oldest first. */
export function listOperators(
  db: Connection,
  { limits, now }: { limits: SessionLimits; now: number },
): ListedOperator[] {
  return db
    .prepare(
      `SELECT operators.id, email, operators.created_at AS createdAt, enrolled_at AS enrolledAt,
         link_expires_at AS linkExpiresAt, count(token_hash) AS sessions, max(seen_at) AS seenAt
       FROM operators LEFT JOIN operator_sessions ON operator_id = operators.id
         AND operator_sessions.created_at > ? AND seen_at > ?
       GROUP BY operators.id ORDER BY operators.id`,
    )
    .all(now - limits.lifetimeMs, now - limits.idleMs) as ListedOperator[];
}

/** Throws `signed_out` unless a session exists. */
export function assertOperatorSession(db: Connection, tokenHash: Uint8Array): void {
  const find = db.prepare('SELECT 1 FROM operator_sessions WHERE token_hash = ?');
  if (find.get(tokenHash) === undefined) throw new VerbatimError('signed_out');
}
