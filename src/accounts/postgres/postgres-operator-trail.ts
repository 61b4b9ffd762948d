/** The trail of what operators changed, on PostgreSQL. */

import {
  type Database,
  isDuplicate,
  type Queries,
  within,
} from '../../database/postgres/postgres-database.ts';
import { normalizeEmail } from '../sql/customers.ts';
import {
  type ActionsRequest,
  alreadySubmitted,
  type OperatorAction,
  type OperatorIdentity,
} from '../sql/operator-trail.ts';
import type { TrailEntry } from '../sql/trail-entries.ts';
import { assertOperatorSession } from './postgres-operators.ts';

/**
 * Makes a change and adds it to the trail, all or nothing. `describe` returns undefined if nothing
 * changed. Rejects with `already_submitted` if the same idempotency key made a change before, and
 * with `signed_out` if the session of who makes it has ended.
 */
export function changeAsOperator<Result>(
  database: Database,
  by: OperatorIdentity & { at: number },
  input: {
    change: (database: Database) => Promise<Result>;
    describe: (result: Result) => TrailEntry | undefined;
  },
): Promise<Result> {
  return database.transaction(async (queries) => {
    if (by.session !== undefined) await assertOperatorSession(queries, by.session);
    const result = await input.change(within(database, queries));
    const entry = input.describe(result);
    if (entry !== undefined) await addAction(queries, { ...by, entry });
    return result;
  });
}

/** Of two with one submission, the second waits for the first, and then fails with all that it did. */
export async function addAction(
  { query }: Queries,
  { actor, submission, at, entry }: OperatorIdentity & { at: number; entry: TrailEntry },
): Promise<void> {
  const { action, customerId, email, subject, details } = entry;
  try {
    await query(
      `INSERT INTO operator_actions (at, actor, action, customer_id, subject, details, submission)
       VALUES ($1, $2, $3, coalesce($4, (SELECT id FROM customers WHERE email = $5)), $6, $7, $8)`,
      [
        ...[at, actor, action, customerId ?? null],
        email === undefined ? null : normalizeEmail(email),
        ...[subject ?? null, details ?? null, submission ?? null],
      ],
    );
  } catch (error) {
    throw isDuplicate(error) ? alreadySubmitted() : error;
  }
}

/** Lists actions, newest first. */
export async function listActions(
  { query }: Queries,
  { customerId, before, limit }: ActionsRequest,
): Promise<OperatorAction[]> {
  return await query(
    `SELECT a.id, at, actor, action, email AS customer, customer_id AS "customerId", subject, details
     FROM operator_actions a LEFT JOIN customers ON customers.id = customer_id
     WHERE a.id < $1 AND ($2::bigint IS NULL OR customer_id = $2)
     ORDER BY a.id DESC LIMIT $3`,
    [before ?? Number.MAX_SAFE_INTEGER, customerId ?? null, limit],
  );
}
