/** Outcomes of searches by day, and questions that are kept, on PostgreSQL. */

import type { Queries } from '../../database/postgres/postgres-database.ts';
import type {
  KeptQuestion,
  OutcomeDay,
  OutcomeReport,
  OutcomesRequest,
} from '../sql/answer-outcomes.ts';

const columns = 'id, text, outcome, asked_at AS "askedAt"';

/** Reads counts by day, oldest first, and a page of questions. */
export async function readOutcomes(
  { query }: Queries,
  { firstDay, before, limit }: OutcomesRequest,
): Promise<OutcomeReport> {
  return {
    days: await query<OutcomeDay>(
      `SELECT day, outcome, sum(calls)::bigint AS calls FROM outcome_days WHERE day >= $1
       GROUP BY day, outcome ORDER BY day, outcome`,
      [firstDay],
    ),
    questions: await query<KeptQuestion>(
      `SELECT ${columns} FROM kept_questions WHERE id < $1 ORDER BY id DESC LIMIT $2`,
      [before ?? Number.MAX_SAFE_INTEGER, limit],
    ),
  };
}

/** Lists the kept questions of a customer, oldest first. */
export async function listOwnQuestions(
  { query }: Queries,
  customerId: number,
): Promise<KeptQuestion[]> {
  return await query(`SELECT ${columns} FROM kept_questions WHERE customer_id = $1 ORDER BY id`, [
    customerId,
  ]);
}

/** Deletes questions that were asked before a time. Returns how many. */
export async function deleteOldQuestions(
  { query }: Queries,
  { before, limit }: { before: number; limit: number },
): Promise<number> {
  const rows = await query(
    `DELETE FROM kept_questions WHERE id IN (SELECT id FROM kept_questions WHERE asked_at < $1
       ORDER BY asked_at LIMIT $2 FOR UPDATE SKIP LOCKED) RETURNING 1`,
    [before, limit],
  );
  return rows.length;
}

/** Deletes the questions of a customer. */
export async function deleteQuestionsOf({ query }: Queries, customerId: number): Promise<void> {
  await query('DELETE FROM kept_questions WHERE customer_id = $1', [customerId]);
}
