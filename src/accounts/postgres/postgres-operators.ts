/** Operators on PostgreSQL, with the meaning of accounts/operators.ts. */

import type { Queries } from '../../database/postgres/postgres-database.ts';
import { VerbatimError } from '../../errors.ts';
import { normalizeEmail } from '../sql/customers.ts';
import {
  knownOperator,
  type LinkedOperator,
  type ListedOperator,
  type Operator,
  operatorAddress,
  unknownOperator,
} from '../sql/operators.ts';
import { hashToken, mintToken } from '../sql/secret-tokens.ts';
import { operatorSessions, type SessionLimits } from '../sql/session-rows.ts';
import { deleteSessions } from './postgres-session-rows.ts';

/** A step: adds an operator with a one-time link. Throws `usage` and `already_exists`. */
export async function addOperator(
  queries: Queries,
  { linkExpiresAt, now, ...rest }: { email: string; linkExpiresAt: number; now: number },
): Promise<LinkedOperator> {
  const email = operatorAddress(rest.email);
  const added = await queries.query(
    'INSERT INTO operators (email, created_at) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING 1',
    [email, now],
  );
  if (added.length === 0) throw knownOperator(email);
  return await linkOperator(queries, { email, expiresAt: linkExpiresAt });
}

/** Makes a one-time link. An earlier one ends. Throws `unknown_operator`. */
export async function linkOperator(
  { query }: Queries,
  { email, expiresAt }: { email: string; expiresAt: number },
): Promise<LinkedOperator> {
  const token = mintToken();
  const [operator] = await query<Operator>(
    `UPDATE operators SET link_hash = $1, link_expires_at = $2 WHERE email = $3
     RETURNING id, email`,
    [hashToken(token), expiresAt, normalizeEmail(email)],
  );
  if (operator === undefined) throw unknownOperator(email);
  return { operator, link: { token, expiresAt } };
}

/** A step: removes an operator, with sessions and second factor. Throws `unknown_operator`. */
export async function removeOperator(
  queries: Queries,
  { email }: { email: string },
): Promise<Operator> {
  const { query } = queries;
  // Sign-ins and changes that are under way end first, and later ones find nobody.
  const [operator] = await query<Operator>(
    'SELECT id, email FROM operators WHERE email = $1 FOR UPDATE',
    [normalizeEmail(email)],
  );
  if (operator === undefined) throw unknownOperator(email);
  const { id } = operator;
  await deleteSessions(queries, operatorSessions, { ownerId: id });
  await query('DELETE FROM operator_recovery_codes WHERE operator_id = $1', [id]);
  await query('DELETE FROM operators WHERE id = $1', [id]);
  return operator;
}

/** Lists operators, oldest first. */
export async function listOperators(
  { query }: Queries,
  { limits, now }: { limits: SessionLimits; now: number },
): Promise<ListedOperator[]> {
  return await query(
    `SELECT operators.id, email, operators.created_at AS "createdAt", enrolled_at AS "enrolledAt",
       link_expires_at AS "linkExpiresAt", count(token_hash) AS sessions, max(seen_at) AS "seenAt"
     FROM operators LEFT JOIN operator_sessions ON operator_id = operators.id
       AND operator_sessions.created_at > $1 AND seen_at > $2
     GROUP BY operators.id ORDER BY operators.id`,
    [now - limits.lifetimeMs, now - limits.idleMs],
  );
}

/** Throws `signed_out` unless a session exists, which then stays until this transaction ends. */
export async function assertOperatorSession(
  { query }: Queries,
  tokenHash: Uint8Array,
): Promise<void> {
  const found = await query('SELECT 1 FROM operator_sessions WHERE token_hash = $1 FOR KEY SHARE', [
    tokenHash,
  ]);
  if (found.length === 0) throw new VerbatimError('signed_out');
}
