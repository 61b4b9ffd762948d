/**
 * The trail of what operators changed: who, when, what, of whom. Rows are never changed or deleted.
 * Each is written in the transaction of its change.
 */

import type { Connection } from '../../database/sqlite/connection.ts';
import { VerbatimError } from '../../errors.ts';
import { normalizeEmail } from './customers.ts';
import type { TrailEntry } from './trail-entries.ts';

/** Who makes a change. */
export interface OperatorIdentity {
  /** The address of an operator, `loopback`, or `command line`. */
  actor: string;
  /** The idempotency key of a form. Of all changes with one key, the first is made. */
  submission?: string | undefined;
  /** The hash of a session's token. Once the session has ended, no change is made. */
  session?: Uint8Array | undefined;
}

/** Whoever types commands. */
export const commandLine: OperatorIdentity = { actor: 'command line' };

export interface OperatorAction {
  id: number;
  at: number;
  actor: string;
  /** As its command is called: `credit add`. */
  action: string;
  /** The address; null if the action was not about one customer. */
  customer: string | null;
  customerId: number | null;
  /** The prefix of a key, or the id of a request. */
  subject: string | null;
  details: string | null;
}

export interface ActionsRequest {
  customerId?: number | undefined;
  /** Only actions before this one, so that new ones shift nothing. */
  before?: number | undefined;
  limit: number;
}

/** The error of a form whose idempotency key has made its change. */
export function alreadySubmitted(): VerbatimError {
  return new VerbatimError('already_submitted', 'this form was submitted before, and acted once');
}

/** Throws `already_submitted` if a change with this idempotency key was made. */
export function assertNotSubmitted(db: Connection, { submission }: OperatorIdentity): void {
  if (submission === undefined) return;
  const find = db.prepare('SELECT 1 FROM operator_actions WHERE submission = ?');
  if (find.get(submission) !== undefined) throw alreadySubmitted();
}

/** A step: adds an action. */
export function addAction(
  db: Connection,
  { actor, submission, at, entry }: OperatorIdentity & { at: number; entry: TrailEntry },
): void {
  const { action, customerId, email, subject, details } = entry;
  db.prepare(
    `INSERT INTO operator_actions (at, actor, action, customer_id, subject, details, submission)
     VALUES (?, ?, ?, coalesce(?, (SELECT id FROM customers WHERE email = ?)), ?, ?, ?)`,
  ).run(
    ...[at, actor, action, customerId ?? null, email === undefined ? null : normalizeEmail(email)],
    ...[subject ?? null, details ?? null, submission ?? null],
  );
}

/** Lists actions, newest first. */
export function listActions(db: Connection, request: ActionsRequest): OperatorAction[] {
  const { customerId, before, limit } = request;
  return db
    .prepare(
      `SELECT a.id, at, actor, action, email AS customer, customer_id AS customerId, subject, details
       FROM operator_actions a LEFT JOIN customers ON customers.id = customer_id
       WHERE a.id < :before ${customerId === undefined ? '' : 'AND customer_id = :customerId'}
       ORDER BY a.id DESC LIMIT :limit`,
    )
    .all({
      before: before ?? Number.MAX_SAFE_INTEGER,
      limit,
      ...(customerId === undefined ? {} : { customerId }),
    }) as OperatorAction[];
}
