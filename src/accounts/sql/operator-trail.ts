/**
 * The trail of what operators changed: who, when, what, of whom. Rows are never changed or deleted.
 * Each is written in the transaction of its change.
 */

import { query, type Sql } from '../../database/sql/sql.ts';
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

/** Throws `already_submitted` if a change with this idempotency key was made. */
export function* assertNotSubmitted({ submission }: OperatorIdentity): Sql<void> {
  if (submission === undefined) return;
  const found = yield* query('SELECT 1 FROM operator_actions WHERE submission = $1', [submission]);
  if (found.length > 0) throw alreadySubmitted();
}

function alreadySubmitted(): VerbatimError {
  return new VerbatimError('already_submitted', 'this form was submitted before, and acted once');
}

/**
 * Adds an action. Throws `already_submitted`: of two changes with one submission at once, the second waits
 * for the first, and then fails with all that it did.
 */
export function* addAction({
  actor,
  submission,
  at,
  entry,
}: OperatorIdentity & { at: number; entry: TrailEntry }): Sql<void> {
  const { action, customerId, email, subject, details } = entry;
  const added = yield* query(
    `INSERT INTO operator_actions (at, actor, action, customer_id, subject, details, submission)
     VALUES ($1, $2, $3, coalesce($4, (SELECT id FROM customers WHERE email = $5)), $6, $7, $8)
     ON CONFLICT DO NOTHING RETURNING id`,
    [
      ...[at, actor, action, customerId ?? null],
      ...[email === undefined ? null : normalizeEmail(email), subject ?? null],
      ...[details ?? null, submission ?? null],
    ],
  );
  if (added.length === 0) throw alreadySubmitted();
}

/** Lists actions, newest first. */
export function* listActions({
  customerId,
  before = Number.MAX_SAFE_INTEGER,
  limit,
}: ActionsRequest): Sql<OperatorAction[]> {
  const isOne = customerId !== undefined;
  return yield* query<OperatorAction>(
    `SELECT a.id, at, actor, action, email AS customer, customer_id AS "customerId", subject, details
     FROM operator_actions a LEFT JOIN customers ON customers.id = customer_id
     WHERE a.id < $1 ${isOne ? 'AND customer_id = $3' : ''}
     ORDER BY a.id DESC LIMIT $2`,
    isOne ? [before, limit, customerId] : [before, limit],
  );
}
