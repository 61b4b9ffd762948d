/** Operators on their way in and out, on PostgreSQL, as accounts/operator-sign-ins.ts. */

import type { Database, Queries } from '../../database/postgres/postgres-database.ts';
import { VerbatimError } from '../../errors.ts';
import type {
  CheckedOperator,
  NewOperatorFactor,
  OperatorEnrollment,
  OperatorLogin,
  OperatorSession,
  ProvedOperator,
} from '../sql/operator-sign-in-rows.ts';
import type { Operator } from '../sql/operators.ts';
import type { FactorProof } from '../sql/second-factor-rows.ts';
import { hashToken } from '../sql/secret-tokens.ts';
import {
  type ListedSession,
  operatorSessions,
  type SessionLimits,
  type StartedSession,
} from '../sql/session-rows.ts';
import { ownActions } from '../sql/trail-entries.ts';
import { addAction } from './postgres-operator-trail.ts';
import {
  deleteNamedSession,
  deleteSession,
  deleteSessions,
  forgetBrowsers,
  insertSession,
  readSessions,
  touchSessionRow,
} from './postgres-session-rows.ts';

export async function hasOperators({ query }: Queries): Promise<boolean> {
  return (await query('SELECT 1 FROM operators LIMIT 1')).length > 0;
}

/** Finds the owner of a one-time link. Throws `link_over`. */
export async function findOperatorLink(
  { query }: Queries,
  { token, now }: { token: string; now: number },
): Promise<Operator> {
  const [owner] = await query<Operator>(
    'SELECT id, email FROM operators WHERE link_hash = $1 AND link_expires_at > $2',
    [hashToken(token), now],
  );
  if (owner === undefined) throw new VerbatimError('link_over');
  return owner;
}

const loginColumns = `id, email, password_hash AS "passwordHash", secret, used_step AS "usedStep",
  enrolled_at AS "enrolledAt", browser_key AS "browserKey",
  (SELECT count(*) FROM operator_recovery_codes WHERE operator_id = id) AS "recoveryCodesLeft"
  FROM operators WHERE password_hash IS NOT NULL`;

export async function findOperatorLogin(
  { query }: Queries,
  email: string,
): Promise<OperatorLogin | undefined> {
  return (await query<OperatorLogin>(`SELECT ${loginColumns} AND email = $1`, [email]))[0];
}

export async function operatorLoginOf(
  { query }: Queries,
  operatorId: number,
): Promise<OperatorLogin | undefined> {
  return (await query<OperatorLogin>(`SELECT ${loginColumns} AND id = $1`, [operatorId]))[0];
}

/** Redeems a link. Throws `link_over`. */
export function enrollOperator(
  database: Database,
  input: OperatorEnrollment,
): Promise<StartedSession> {
  return database.transaction(async (queries) => {
    const { passwordHash, secret, step, recoveryHashes, now } = input;
    await lockOperator(queries, (await findOperatorLink(queries, input)).id);
    // Another one may have redeemed it before the lock.
    const { id: operatorId, email: actor } = await findOperatorLink(queries, input);
    await queries.query(
      `UPDATE operators SET password_hash = $2, secret = $3, used_step = $4, enrolled_at = $5,
         link_hash = NULL, link_expires_at = NULL WHERE id = $1`,
      [operatorId, passwordHash, secret, step, now],
    );
    await storeRecoveryCodes(queries, operatorId, recoveryHashes);
    await endOperatorSessions(queries, { operatorId });
    await addAction(queries, { actor, at: now, entry: ownActions.enroll(input) });
    return await insertSession(queries, operatorSessions, { ...input, ownerId: operatorId });
  });
}

/** Starts a session, after password and code. Throws `wrong_sign_in` and `wrong_code`. */
export function startOperatorSession(
  database: Database,
  checked: CheckedOperator & { proof: FactorProof },
): Promise<StartedSession> {
  return database.transaction(async (queries) => {
    const { operatorId, proof, now } = checked;
    const { email: actor } = await assertUnchanged(queries, checked);
    await useProof(queries, { operatorId, proof });
    await addAction(queries, { actor, at: now, entry: ownActions.signIn(checked, proof) });
    return await insertSession(queries, operatorSessions, { ...checked, ownerId: operatorId });
  });
}

/** Replaces the password, ends all sessions, and starts one. Throws `wrong_sign_in`. */
export function replaceOperatorPassword(
  database: Database,
  change: CheckedOperator & { newHash: string },
): Promise<StartedSession> {
  return database.transaction(async (queries) => {
    const { operatorId, newHash, now } = change;
    const { email: actor } = await assertUnchanged(queries, change);
    await queries.query(
      `UPDATE operators SET password_hash = $2, link_hash = NULL, link_expires_at = NULL
       WHERE id = $1`,
      [operatorId, newHash],
    );
    await endOperatorSessions(queries, { operatorId });
    await addAction(queries, { actor, at: now, entry: ownActions.changePassword(change) });
    return await insertSession(queries, operatorSessions, { ...change, ownerId: operatorId });
  });
}

/** Replaces authenticator app and recovery codes, and ends the other sessions. Throws `wrong_code`. */
export function replaceOperatorFactor(
  database: Database,
  input: ProvedOperator & NewOperatorFactor & { keep: string },
): Promise<void> {
  return database.transaction(async (queries) => {
    const { operatorId, secret, step, recoveryHashes, keep, now } = input;
    await lockOperator(queries, operatorId);
    const actor = await useProof(queries, input);
    await queries.query(
      'UPDATE operators SET secret = $2, used_step = $3, enrolled_at = $4 WHERE id = $1',
      [operatorId, secret, step, now],
    );
    await storeRecoveryCodes(queries, operatorId, recoveryHashes);
    await deleteSessions(queries, operatorSessions, { ownerId: operatorId, keep });
    await addAction(queries, { actor, at: now, entry: ownActions.replaceFactor(input) });
  });
}

/** Replaces the recovery codes, after a code. Throws `wrong_code`. */
export function renewOperatorCodes(
  database: Database,
  input: ProvedOperator & Pick<NewOperatorFactor, 'recoveryHashes'>,
): Promise<void> {
  return database.transaction(async (queries) => {
    await lockOperator(queries, input.operatorId);
    const actor = await useProof(queries, input);
    await storeRecoveryCodes(queries, input.operatorId, input.recoveryHashes);
    await addAction(queries, { actor, at: input.now, entry: ownActions.renewCodes(input) });
  });
}

export async function findOperatorSession(
  { query }: Queries,
  { token, limits, now }: { token: string; limits: SessionLimits; now: number },
): Promise<OperatorSession | undefined> {
  const [row] = await query<Operator & Omit<OperatorSession, 'operator'>>(
    `SELECT id, email, operator_sessions.created_at AS "createdAt", seen_at AS "seenAt"
     FROM operator_sessions JOIN operators ON operators.id = operator_id
     WHERE token_hash = $1 AND operator_sessions.created_at > $2 AND seen_at > $3`,
    [hashToken(token), now - limits.lifetimeMs, now - limits.idleMs],
  );
  if (row === undefined) return undefined;
  const { id, email, ...times } = row;
  return { operator: { id, email }, ...times };
}

export function touchOperatorSession(
  queries: Queries,
  input: { token: string; now: number },
): Promise<void> {
  return touchSessionRow(queries, operatorSessions, input);
}

export function endOperatorSession(queries: Queries, { token }: { token: string }): Promise<void> {
  return deleteSession(queries, operatorSessions, token);
}

export function listOperatorSessions(
  queries: Queries,
  { operatorId: ownerId, ...rest }: { operatorId: number; limits: SessionLimits; now: number },
): Promise<ListedSession[]> {
  return readSessions(queries, operatorSessions, { ...rest, ownerId });
}

/** Ends the session of an operator that has a name. Throws `not_found`. */
export function endNamedOperatorSession(
  queries: Queries,
  { operatorId: ownerId, name }: { operatorId: number; name: string },
): Promise<void> {
  return deleteNamedSession(queries, operatorSessions, { ownerId, name });
}

/** Ends all sessions of an operator and forgets their browsers. */
export async function endOperatorSessions(
  queries: Queries,
  { operatorId: ownerId }: { operatorId: number },
): Promise<number> {
  await forgetBrowsers(queries, operatorSessions, ownerId);
  return await deleteSessions(queries, operatorSessions, { ownerId });
}

/** Lets the other transactions of an operator wait. */
async function lockOperator({ query }: Queries, operatorId: number): Promise<void> {
  await query('SELECT 1 FROM operators WHERE id = $1 FOR UPDATE', [operatorId]);
}

async function assertUnchanged(
  queries: Queries,
  { operatorId, passwordHash }: { operatorId: number; passwordHash: string },
): Promise<OperatorLogin> {
  await lockOperator(queries, operatorId);
  const login = await operatorLoginOf(queries, operatorId);
  if (login?.passwordHash === passwordHash) return login;
  throw new VerbatimError('wrong_sign_in');
}

/** Uses up what a code proved. Returns the operator's address. Throws `wrong_code`. */
async function useProof(
  queries: Queries,
  { operatorId, proof }: { operatorId: number; proof: FactorProof },
): Promise<string> {
  const { query } = queries;
  const used =
    'step' in proof
      ? await query(
          'UPDATE operators SET used_step = $2 WHERE id = $1 AND used_step < $2 RETURNING 1',
          [operatorId, proof.step],
        )
      : await query(
          `DELETE FROM operator_recovery_codes WHERE operator_id = $1 AND code_hash = $2
           RETURNING 1`,
          [operatorId, proof.recoveryHash],
        );
  const login = used.length === 0 ? undefined : await operatorLoginOf(queries, operatorId);
  if (login === undefined) throw new VerbatimError('wrong_code');
  return login.email;
}

async function storeRecoveryCodes(
  { query }: Queries,
  operatorId: number,
  hashes: readonly Uint8Array[],
): Promise<void> {
  await query('DELETE FROM operator_recovery_codes WHERE operator_id = $1', [operatorId]);
  for (const hash of hashes) {
    await query('INSERT INTO operator_recovery_codes VALUES ($1, $2)', [operatorId, hash]);
  }
}
