/**
 * Operators on their way in and out of their pages at the service's own address: links, passwords, codes,
 * and sessions. Passwords arrive hashed, and codes checked. An operator is no customer: nothing here
 * finds a member, and nothing in sign-in-store.ts an operator. Each change is in the trail of operators,
 * under their address.
 */
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
import type { ListedSession, SessionLimits, StartedSession } from '../sql/session-rows.ts';

export interface OperatorSignInStore {
  /** Whether there are operators. */
  hasOperators(): Promise<boolean>;
  /** Finds the owner of a one-time link. Rejects with `link_over`. */
  findOperatorLink(input: { token: string; now: number }): Promise<Operator>;
  /**
   * Redeems a link: sets password, authenticator app, and recovery codes, ends all sessions, and starts
   * one, all or nothing. Rejects with `link_over`: of two that redeem one link at once, one succeeds.
   */
  enrollOperator(input: OperatorEnrollment): Promise<StartedSession>;
  /**
   * Reads what a sign-in with this address, in its stored form, is checked against; undefined for an
   * unknown address and before the enrollment.
   */
  findOperatorLogin(email: string): Promise<OperatorLogin | undefined>;
  /** Reads the same for a known operator. */
  operatorLoginOf(operatorId: number): Promise<OperatorLogin | undefined>;
  /**
   * Starts a session, after password and code. Rejects with `wrong_sign_in` if the password changed or
   * the operator was removed in the meantime, and with `wrong_code`: of two with one code, one succeeds.
   */
  startOperatorSession(checked: CheckedOperator & { proof: FactorProof }): Promise<StartedSession>;
  /** Replaces the password, ends all sessions, and starts one. Rejects with `wrong_sign_in` as above. */
  replaceOperatorPassword(change: CheckedOperator & { newHash: string }): Promise<StartedSession>;
  /**
   * Replaces authenticator app and recovery codes, after a code of the earlier ones, and ends all
   * sessions but the one to keep. Rejects with `wrong_code`.
   */
  replaceOperatorFactor(
    input: ProvedOperator & NewOperatorFactor & { keep: string },
  ): Promise<void>;
  /** Replaces the recovery codes, after a code. Rejects with `wrong_code`. */
  renewOperatorCodes(
    input: ProvedOperator & Pick<NewOperatorFactor, 'recoveryHashes'>,
  ): Promise<void>;
  /** Finds the session of a token; undefined if it is unknown, has expired, or its operator was removed. */
  findOperatorSession(input: {
    token: string;
    limits: SessionLimits;
    now: number;
  }): Promise<OperatorSession | undefined>;
  /** Notes that a session is in use. Changes nothing if it has ended. May be repeated. */
  touchOperatorSession(input: { token: string; now: number }): Promise<void>;
  /** Ends a session, if it exists. May be repeated. */
  endOperatorSession(input: { token: string }): Promise<void>;
  /** Lists the active sessions of an operator, last used first. */
  listOperatorSessions(input: {
    operatorId: number;
    limits: SessionLimits;
    now: number;
  }): Promise<ListedSession[]>;
  /** Ends the session of an operator that has this name. Rejects with `not_found`. */
  endNamedOperatorSession(input: { operatorId: number; name: string }): Promise<void>;
  /** Ends all sessions of an operator and forgets their browsers. Resolves to the number of sessions. */
  endOperatorSessions(input: { operatorId: number }): Promise<number>;
}
