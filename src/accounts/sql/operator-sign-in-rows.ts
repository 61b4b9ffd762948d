/**
 * Operators on their way in and out. Passwords arrive hashed, and codes checked: what a code proved is
 * used up here, in the transaction that it permits. Each change is in the trail of operators.
 */

import type { Connection } from '../../database/sqlite/connection.ts';
import { VerbatimError } from '../../errors.ts';
import { addAction } from './operator-trail.ts';
import type { Operator } from './operators.ts';
import type { FactorProof } from './second-factor-rows.ts';
import { hashToken } from './secret-tokens.ts';
import {
  deleteNamedSession,
  deleteSession,
  deleteSessions,
  forgetBrowsers,
  insertSession,
  type ListedSession,
  operatorSessions,
  readSessions,
  type SessionLimits,
  type SessionOrigin,
  type SessionStart,
  type StartedSession,
  touchSessionRow,
} from './session-rows.ts';
import { ownActions } from './trail-entries.ts';

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

/** Returns whether there are operators. */
export function hasOperators(db: Connection): boolean {
  return db.prepare('SELECT 1 FROM operators LIMIT 1').get() !== undefined;
}

/** Finds the owner of a one-time link. Throws `link_over` for an unknown, used, or expired link. */
export function findOperatorLink(
  db: Connection,
  { token, now }: { token: string; now: number },
): Operator {
  const owner = db
    .prepare('SELECT id, email FROM operators WHERE link_hash = ? AND link_expires_at > ?')
    .get(hashToken(token), now) as Operator | undefined;
  if (owner === undefined) throw new VerbatimError('link_over');
  return owner;
}

const loginColumns = `id, email, password_hash AS passwordHash, secret, used_step AS usedStep,
  enrolled_at AS enrolledAt, browser_key AS browserKey,
  (SELECT count(*) FROM operator_recovery_codes WHERE operator_id = id) AS recoveryCodesLeft
  FROM operators WHERE password_hash IS NOT NULL`;

/** Reads what a sign-in is checked against; undefined for nobody, and before the enrollment. */
export function findOperatorLogin(db: Connection, email: string): OperatorLogin | undefined {
  return db.prepare(`SELECT ${loginColumns} AND email = ?`).get(email) as OperatorLogin | undefined;
}

/** Reads the same for an operator who is signed in. */
export function operatorLoginOf(db: Connection, operatorId: number): OperatorLogin | undefined {
  return db.prepare(`SELECT ${loginColumns} AND id = ?`).get(operatorId) as
    | OperatorLogin
    | undefined;
}

/**
 * Redeems a link: sets password, authenticator app, and recovery codes, ends all sessions, and starts
 * one, all or nothing. Throws `link_over`.
 */
export function enrollOperator(db: Connection, input: OperatorEnrollment): StartedSession {
  return inTransaction(db, () => {
    const { passwordHash, secret, step, recoveryHashes, now } = input;
    const { id: operatorId, email: actor } = findOperatorLink(db, input);
    db.prepare(
      `UPDATE operators SET password_hash = ?, secret = ?, used_step = ?, enrolled_at = ?,
         link_hash = NULL, link_expires_at = NULL WHERE id = ?`,
    ).run(passwordHash, secret, step, now, operatorId);
    storeRecoveryCodes(db, operatorId, recoveryHashes);
    endOperatorSessions(db, { operatorId });
    addAction(db, { actor, at: now, entry: ownActions.enroll(input) });
    return insertSession(db, operatorSessions, { ...input, ownerId: operatorId });
  });
}

/**
 * Starts a session, after password and code. Throws `wrong_sign_in` if the password changed or the
 * operator was removed in the meantime, and `wrong_code`: of two sign-ins with one code, one succeeds.
 */
export function startOperatorSession(
  db: Connection,
  checked: CheckedOperator & { proof: FactorProof },
): StartedSession {
  return inTransaction(db, () => {
    const { operatorId, proof, now } = checked;
    const { email: actor } = assertUnchanged(db, checked);
    useProof(db, { operatorId, proof });
    addAction(db, { actor, at: now, entry: ownActions.signIn(checked, proof) });
    return insertSession(db, operatorSessions, { ...checked, ownerId: operatorId });
  });
}

/** Replaces the password, ends all sessions, and starts one. Throws `wrong_sign_in` as above. */
export function replaceOperatorPassword(
  db: Connection,
  change: CheckedOperator & { newHash: string },
): StartedSession {
  return inTransaction(db, () => {
    const { operatorId, newHash, now } = change;
    const { email: actor } = assertUnchanged(db, change);
    db.prepare(
      'UPDATE operators SET password_hash = ?, link_hash = NULL, link_expires_at = NULL WHERE id = ?',
    ).run(newHash, operatorId);
    endOperatorSessions(db, { operatorId });
    addAction(db, { actor, at: now, entry: ownActions.changePassword(change) });
    return insertSession(db, operatorSessions, { ...change, ownerId: operatorId });
  });
}

/**
 * Replaces authenticator app and recovery codes, after a code of the earlier ones, and ends all sessions
 * but the one to keep. Throws `wrong_code`.
 */
export function replaceOperatorFactor(
  db: Connection,
  input: ProvedOperator & NewOperatorFactor & { keep: string },
): void {
  inTransaction(db, () => {
    const { operatorId, secret, step, recoveryHashes, keep, now } = input;
    const actor = useProof(db, input);
    db.prepare('UPDATE operators SET secret = ?, used_step = ?, enrolled_at = ? WHERE id = ?').run(
      secret,
      step,
      now,
      operatorId,
    );
    storeRecoveryCodes(db, operatorId, recoveryHashes);
    deleteSessions(db, operatorSessions, { ownerId: operatorId, keep });
    addAction(db, { actor, at: now, entry: ownActions.replaceFactor(input) });
  });
}

/** Replaces the recovery codes, after a code. Throws `wrong_code`. */
export function renewOperatorCodes(
  db: Connection,
  input: ProvedOperator & Pick<NewOperatorFactor, 'recoveryHashes'>,
): void {
  inTransaction(db, () => {
    const actor = useProof(db, input);
    storeRecoveryCodes(db, input.operatorId, input.recoveryHashes);
    addAction(db, { actor, at: input.now, entry: ownActions.renewCodes(input) });
  });
}

/** Finds the session of a token; undefined if it is unknown or expired. */
export function findOperatorSession(
  db: Connection,
  { token, limits, now }: { token: string; limits: SessionLimits; now: number },
): OperatorSession | undefined {
  const row = db
    .prepare(
      `SELECT id, email, operator_sessions.created_at AS createdAt, seen_at AS seenAt
       FROM operator_sessions JOIN operators ON operators.id = operator_id
       WHERE token_hash = ? AND operator_sessions.created_at > ? AND seen_at > ?`,
    )
    .get(hashToken(token), now - limits.lifetimeMs, now - limits.idleMs) as
    | (Operator & Omit<OperatorSession, 'operator'>)
    | undefined;
  if (row === undefined) return undefined;
  const { id, email, ...times } = row;
  return { operator: { id, email }, ...times };
}

export function touchOperatorSession(db: Connection, input: { token: string; now: number }): void {
  touchSessionRow(db, operatorSessions, input);
}

export function endOperatorSession(db: Connection, { token }: { token: string }): void {
  deleteSession(db, operatorSessions, token);
}

export function listOperatorSessions(
  db: Connection,
  { operatorId: ownerId, ...rest }: { operatorId: number; limits: SessionLimits; now: number },
): ListedSession[] {
  return readSessions(db, operatorSessions, { ...rest, ownerId });
}

/** Ends the session of an operator that has a name. Throws `not_found`. */
export function endNamedOperatorSession(
  db: Connection,
  { operatorId: ownerId, name }: { operatorId: number; name: string },
): void {
  deleteNamedSession(db, operatorSessions, { ownerId, name });
}

/** Ends all sessions of an operator and forgets their browsers. */
export function endOperatorSessions(
  db: Connection,
  { operatorId: ownerId }: { operatorId: number },
): number {
  forgetBrowsers(db, operatorSessions, ownerId);
  return deleteSessions(db, operatorSessions, { ownerId });
}

function assertUnchanged(
  db: Connection,
  { operatorId, passwordHash }: { operatorId: number; passwordHash: string },
): OperatorLogin {
  const login = operatorLoginOf(db, operatorId);
  if (login?.passwordHash === passwordHash) return login;
  throw new VerbatimError('wrong_sign_in');
}

/** Uses up what a code proved. Returns the operator's address. Throws `wrong_code` if it was used before. */
function useProof(
  db: Connection,
  { operatorId, proof }: { operatorId: number; proof: FactorProof },
): string {
  const { changes } =
    'step' in proof
      ? db
          .prepare('UPDATE operators SET used_step = ? WHERE id = ? AND used_step < ?')
          .run(proof.step, operatorId, proof.step)
      : db
          .prepare('DELETE FROM operator_recovery_codes WHERE operator_id = ? AND code_hash = ?')
          .run(operatorId, proof.recoveryHash);
  const login = changes === 0 ? undefined : operatorLoginOf(db, operatorId);
  if (login === undefined) throw new VerbatimError('wrong_code');
  return login.email;
}

function storeRecoveryCodes(
  db: Connection,
  operatorId: number,
  hashes: readonly Uint8Array[],
): void {
  db.prepare('DELETE FROM operator_recovery_codes WHERE operator_id = ?').run(operatorId);
  const insert = db.prepare('INSERT INTO operator_recovery_codes VALUES (?, ?)');
  for (const hash of hashes) insert.run(operatorId, hash);
}

function inTransaction<Result>(db: Connection, work: () => Result): Result {
  return db.transaction(work).immediate();
}
