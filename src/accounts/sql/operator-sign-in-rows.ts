/**
 * Operators on their way in and out. Passwords arrive hashed, and codes checked: what a code proved is
 * used up here, in the transaction that it permits. Each change is in the trail of operators, under
 * their address.
 */

import { query, queryFirst, type Sql } from '../../database/sql/sql.ts';
import { VerbatimError } from '../../errors.ts';
import { addAction } from './operator-trail.ts';
import type { Operator } from './operators.ts';
import type { FactorProof } from './second-factor-rows.ts';
import { hashToken } from './secret-tokens.ts';
import {
  operatorSessions,
  type SessionLimits,
  type SessionOrigin,
  type SessionStart,
  type StartedSession,
} from './session-rows.ts';
import { ownActions } from './trail-entries.ts';

export const {
  list: listOperatorSessions,
  touch: touchOperatorSession,
  end: endOperatorSession,
  endNamed: endNamedOperatorSession,
  endAll: endOperatorSessions,
} = operatorSessions;

/** What a sign-in is checked against. */
export interface OperatorLogin extends Operator {
  passwordHash: string;
  /** Shared with the authenticator app. The server computes codes with it, so it is not hashed. */
  secret: Uint8Array;
  /** The last time step whose code was used. */
  usedStep: number;
  enrolledAt: number;
  recoveryCodesLeft: number;
  /** null: no known browser. */
  browserKey: Uint8Array | null;
}

export interface OperatorSession {
  operator: Operator;
  createdAt: number;
  seenAt: number;
}

/** An authenticator app that has shown a code, and recovery codes. */
export interface NewOperatorFactor {
  secret: Uint8Array;
  /** The time step of the code. */
  step: number;
  recoveryHashes: readonly Uint8Array[];
}

export interface OperatorEnrollment extends NewOperatorFactor, SessionStart {
  /** Of the one-time link. */
  token: string;
  passwordHash: string;
}

export interface CheckedOperator extends SessionStart {
  operatorId: number;
  /** The hash that the password matched. */
  passwordHash: string;
}

/** A change of somebody who is signed in. The code proved it. */
export interface ProvedOperator extends SessionOrigin {
  operatorId: number;
  proof: FactorProof;
  now: number;
}

/** Lists the addresses of operators who can sign in, oldest first. */
export function* listOperatorAddresses(): Sql<string[]> {
  const rows = yield* query<{ email: string }>(
    'SELECT email FROM operators WHERE enrolled_at IS NOT NULL ORDER BY id',
  );
  return rows.map(({ email }) => email);
}

/** Returns whether there are operators. */
export function* hasOperators(): Sql<boolean> {
  return (yield* query('SELECT 1 FROM operators LIMIT 1')).length > 0;
}

/** Finds the owner of a one-time link. Throws `link_over` for an unknown, used, or expired link. */
export function* findOperatorLink({ token, now }: { token: string; now: number }): Sql<Operator> {
  const owner = yield* queryFirst<Operator>(
    'SELECT id, email FROM operators WHERE link_hash = $1 AND link_expires_at > $2',
    [hashToken(token), now],
  );
  if (owner === undefined) throw new VerbatimError('link_over');
  return owner;
}

const selectLogins = `SELECT id, email, password_hash AS "passwordHash", secret,
  used_step AS "usedStep", enrolled_at AS "enrolledAt", browser_key AS "browserKey",
  (SELECT count(*) FROM operator_recovery_codes WHERE operator_id = id) AS "recoveryCodesLeft"
  FROM operators WHERE password_hash IS NOT NULL`;

/**
 * Reads what a sign-in with this address, in its stored form, is checked against; undefined for an
 * unknown address and before the enrollment.
 */
export function* findOperatorLogin(email: string): Sql<OperatorLogin | undefined> {
  return yield* queryFirst<OperatorLogin>(`${selectLogins} AND email = $1`, [email]);
}

/** Reads the same for a known operator. */
export function* operatorLoginOf(operatorId: number): Sql<OperatorLogin | undefined> {
  return yield* queryFirst<OperatorLogin>(`${selectLogins} AND id = $1`, [operatorId]);
}

/**
 * Redeems a link: sets password, authenticator app, and recovery codes, ends all sessions, and starts
 * one, all or nothing. Throws `link_over`: of two that redeem one link at once, one succeeds.
 */
export function* enrollOperator(input: OperatorEnrollment): Sql<StartedSession> {
  const { passwordHash, secret, step, recoveryHashes, now } = input;
  yield* lockOperator((yield* findOperatorLink(input)).id);
  // Another one may have redeemed it before the lock.
  const { id, email: actor } = yield* findOperatorLink(input);
  yield* query(
    `UPDATE operators SET password_hash = $2, secret = $3, used_step = $4, enrolled_at = $5,
       link_hash = NULL, link_expires_at = NULL WHERE id = $1`,
    [id, passwordHash, secret, step, now],
  );
  yield* storeRecoveryCodes(id, recoveryHashes);
  yield* endOperatorSessions({ ownerId: id });
  yield* addAction({ actor, at: now, entry: ownActions.enroll(input) });
  return yield* operatorSessions.start({ ...input, ownerId: id });
}

/**
 * Starts a session, after password and code. Throws `wrong_sign_in` if the password changed or the
 * operator was removed in the meantime, and `wrong_code`: of two sign-ins with one code, one succeeds.
 */
export function* startOperatorSession(
  checked: CheckedOperator & { proof: FactorProof },
): Sql<StartedSession> {
  const { operatorId, proof, now } = checked;
  const { email: actor } = yield* assertUnchanged(checked);
  yield* useProof(checked);
  yield* addAction({ actor, at: now, entry: ownActions.signIn(checked, proof) });
  return yield* operatorSessions.start({ ...checked, ownerId: operatorId });
}

/** Replaces the password, ends all sessions, and starts one. Throws `wrong_sign_in` as above. */
export function* replaceOperatorPassword(
  change: CheckedOperator & { newHash: string },
): Sql<StartedSession> {
  const { operatorId, newHash, now } = change;
  const { email: actor } = yield* assertUnchanged(change);
  yield* query(
    `UPDATE operators SET password_hash = $2, link_hash = NULL, link_expires_at = NULL
     WHERE id = $1`,
    [operatorId, newHash],
  );
  yield* endOperatorSessions({ ownerId: operatorId });
  yield* addAction({ actor, at: now, entry: ownActions.changePassword(change) });
  return yield* operatorSessions.start({ ...change, ownerId: operatorId });
}

/**
 * Replaces authenticator app and recovery codes, after a code of the earlier ones, and ends all sessions
 * but the one to keep. Throws `wrong_code`.
 */
export function* replaceOperatorFactor(
  input: ProvedOperator & NewOperatorFactor & { keep: string },
): Sql<void> {
  const { operatorId, secret, step, recoveryHashes, keep, now } = input;
  yield* lockOperator(operatorId);
  const actor = yield* useProof(input);
  yield* query('UPDATE operators SET secret = $2, used_step = $3, enrolled_at = $4 WHERE id = $1', [
    ...[operatorId, secret, step, now],
  ]);
  yield* storeRecoveryCodes(operatorId, recoveryHashes);
  yield* operatorSessions.endOthers({ ownerId: operatorId, keep });
  yield* addAction({ actor, at: now, entry: ownActions.replaceFactor(input) });
}

/** Replaces the recovery codes, after a code. Throws `wrong_code`. */
export function* renewOperatorCodes(
  input: ProvedOperator & Pick<NewOperatorFactor, 'recoveryHashes'>,
): Sql<void> {
  yield* lockOperator(input.operatorId);
  const actor = yield* useProof(input);
  yield* storeRecoveryCodes(input.operatorId, input.recoveryHashes);
  yield* addAction({ actor, at: input.now, entry: ownActions.renewCodes(input) });
}

/**
 * Finds the session of a token; undefined if it is unknown or expired, or its operator was removed.
 */
export function* findOperatorSession({
  token,
  limits,
  now,
}: {
  token: string;
  limits: SessionLimits;
  now: number;
}): Sql<OperatorSession | undefined> {
  const row = yield* queryFirst<Operator & Omit<OperatorSession, 'operator'>>(
    `SELECT id, email, operator_sessions.created_at AS "createdAt", seen_at AS "seenAt"
     FROM operator_sessions JOIN operators ON operators.id = operator_id
     WHERE token_hash = $1 AND operator_sessions.created_at > $2 AND seen_at > $3`,
    [hashToken(token), now - limits.lifetimeMs, now - limits.idleMs],
  );
  if (row === undefined) return undefined;
  const { id, email, ...times } = row;
  return { operator: { id, email }, ...times };
}

/** Lets the other transactions of an operator wait. */
function* lockOperator(operatorId: number): Sql<void> {
  yield* query('SELECT 1 FROM operators WHERE id = $1 FOR UPDATE', [operatorId]);
}

function* assertUnchanged({ operatorId, passwordHash }: CheckedOperator): Sql<OperatorLogin> {
  yield* lockOperator(operatorId);
  const login = yield* operatorLoginOf(operatorId);
  if (login?.passwordHash === passwordHash) return login;
  throw new VerbatimError('wrong_sign_in');
}

/** Uses up what a code proved. Returns the operator's address. Throws `wrong_code` if it was used before. */
function* useProof({ operatorId, proof }: { operatorId: number; proof: FactorProof }): Sql<string> {
  const used =
    'step' in proof
      ? yield* query(
          'UPDATE operators SET used_step = $2 WHERE id = $1 AND used_step < $2 RETURNING id',
          [operatorId, proof.step],
        )
      : yield* query(
          `DELETE FROM operator_recovery_codes WHERE operator_id = $1 AND code_hash = $2
           RETURNING operator_id`,
          [operatorId, proof.recoveryHash],
        );
  const login = used.length === 0 ? undefined : yield* operatorLoginOf(operatorId);
  if (login === undefined) throw new VerbatimError('wrong_code');
  return login.email;
}

function* storeRecoveryCodes(operatorId: number, hashes: readonly Uint8Array[]): Sql<void> {
  yield* query('DELETE FROM operator_recovery_codes WHERE operator_id = $1', [operatorId]);
  for (const hash of hashes) {
    yield* query('INSERT INTO operator_recovery_codes (operator_id, code_hash) VALUES ($1, $2)', [
      ...[operatorId, hash],
    ]);
  }
}
