/**
 * Members on their way in and out: registration, links, passwords, and sessions. Passwords arrive
 * hashed, and tokens are stored as their SHA-256.
 */
import type { Customer } from '../sql/customers.ts';
import type { CheckedLogin, Login, Proved } from '../sql/passwords.ts';
import type { ListedSession, SessionLimits, StartedSession } from '../sql/session-rows.ts';
import type { NewSession, Session } from '../sql/sessions.ts';
import type { CreatedLink, LinkOwner } from '../sql/sign-in-links.ts';

export interface SignInStore {
  /**
   * Adds a customer without credit, with an owner. Rejects with `usage` for an invalid address, and
   * with `already_exists` for that of a customer or a member: of two at once, one succeeds.
   */
  addCustomer(input: { email: string; now: number }): Promise<Customer>;
  /** Creates a one-time link. An earlier link of the member ends, so a repeat gives another link. */
  createLink(input: { memberId: number; expiresAt: number }): Promise<CreatedLink>;
  /** Finds the owner of a link. Rejects with `link_over` for an unknown, used, or expired link. */
  findLink(input: { token: string; now: number }): Promise<LinkOwner>;
  /**
   * Reads what a sign-in with this address, in its stored form, is checked against; undefined for an
   * unknown address, after the same work.
   */
  findLogin(email: string): Promise<Login | undefined>;
  /** Reads the same for a known member. */
  loginOf(memberId: number): Promise<Login | undefined>;
  /**
   * Starts a session, after the password was checked. Rejects with `wrong_sign_in` if the password
   * changed, or the customer was disabled, in the meantime. An address with a second factor needs a
   * proof, which is used up: it rejects with `second_factor_needed` or `wrong_code`.
   */
  startSession(checked: CheckedLogin & Proved): Promise<StartedSession>;
  /**
   * Redeems a link: sets the password, ends all sessions and starts one, all or nothing. Rejects with
   * `link_over`: of two that redeem one link at once, one succeeds. A second factor counts as above.
   */
  setPasswordByLink(
    input: Omit<NewSession, 'memberId'> & Proved & { token: string; passwordHash: string },
  ): Promise<StartedSession>;
  /**
   * Replaces the password, ends all sessions and any link, and starts one session, all or nothing.
   * Rejects with `wrong_sign_in` if the password changed in the meantime.
   */
  replacePassword(change: CheckedLogin & { newHash: string }): Promise<StartedSession>;
  /** Stores a renewed hash of the same password. Changes nothing if the password changed since. */
  renewHash(
    input: Pick<CheckedLogin, 'memberId' | 'passwordHash'> & { newHash: string },
  ): Promise<void>;
  /**
   * Finds the session of a token; undefined if it is unknown or expired, or the customer is disabled.
   */
  findSession(input: {
    token: string;
    limits: SessionLimits;
    now: number;
  }): Promise<Session | undefined>;
  /** Notes that a session is in use. Changes nothing if it has ended. May be repeated. */
  touchSession(input: { token: string; now: number }): Promise<void>;
  /** Ends a session, if it exists. May be repeated. */
  endSession(input: { token: string }): Promise<void>;
  /** Lists the active sessions of a member, last used first. */
  listSessions(input: {
    memberId: number;
    limits: SessionLimits;
    now: number;
  }): Promise<ListedSession[]>;
  /** Ends the session of a member that has this name. Rejects with `not_found`. */
  endNamedSession(input: { memberId: number; name: string }): Promise<void>;
  /** Ends all sessions of a member and forgets their browsers. Resolves to the number of sessions. */
  endSessions(input: { memberId: number }): Promise<number>;
}
