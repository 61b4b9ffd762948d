/**
 * How often the index had nothing close to a question, counted by key and day, and, where the operator
 * keeps them, the questions. Both are written with the settlement of the search, in one transaction.
 */
import { query, type Sql } from '../../database/sql/sql.ts';

/**
 * What came of a search: `close` if the index had something close, otherwise what came of the lanes, as
 * they call it. `no_lanes`: no lane is on, or the lanes are asked never.
 */
export type AnswerOutcome =
  | 'close'
  | 'no_lanes'
  | 'served'
  | 'not_allowed'
  | 'not_filtered'
  | 'busy'
  | 'no_time'
  | 'throttled'
  | 'no_words'
  | 'failed'
  | 'late'
  | 'nothing'
  | 'not_scored';

/** A question to which the index had nothing close. */
export interface QuestionToKeep {
  text: string;
  /** The questions that are kept, of all customers. One beyond it replaces the oldest. */
  questionsMax: number;
}

/** Answered searches of all keys on a day with one outcome. */
export interface OutcomeDay {
  day: string;
  outcome: AnswerOutcome;
  calls: number;
}

export interface KeptQuestion {
  id: number;
  text: string;
  outcome: AnswerOutcome;
  askedAt: number;
}

export interface OutcomesRequest {
  /** `YYYY-MM-DD`. */
  firstDay: string;
  /** Only questions before this one, so that new ones shift nothing. */
  before?: number | undefined;
  limit: number;
}

export interface OutcomeReport {
  days: OutcomeDay[];
  /** Newest first. */
  questions: KeptQuestion[];
}

const columns = 'id, text, outcome, asked_at AS "askedAt"';

/** Reads counts by day, oldest first, and a page of questions. */
export function* readOutcomes({ firstDay, before, limit }: OutcomesRequest): Sql<OutcomeReport> {
  return {
    days: yield* query<OutcomeDay>(
      `SELECT day, outcome, CAST(sum(calls) AS bigint) AS calls FROM outcome_days WHERE day >= $1
       GROUP BY day, outcome ORDER BY day, outcome`,
      [firstDay],
    ),
    questions: yield* query<KeptQuestion>(
      `SELECT ${columns} FROM kept_questions WHERE id < $1 ORDER BY id DESC LIMIT $2`,
      [before ?? Number.MAX_SAFE_INTEGER, limit],
    ),
  };
}

/** Lists the kept questions of a customer, oldest first. */
export function* listOwnQuestions(customerId: number): Sql<KeptQuestion[]> {
  return yield* query<KeptQuestion>(
    `SELECT ${columns} FROM kept_questions WHERE customer_id = $1 ORDER BY id`,
    [customerId],
  );
}

/** Deletes questions that were asked before a time. Returns how many, at most `limit`. */
export function* deleteOldQuestions({
  before,
  limit,
}: {
  before: number;
  limit: number;
}): Sql<number> {
  const deleted = yield* query(
    `DELETE FROM kept_questions WHERE id IN
       (SELECT id FROM kept_questions WHERE asked_at < $1 ORDER BY asked_at LIMIT $2) RETURNING 1`,
    [before, limit],
  );
  return deleted.length;
}

/** Deletes the questions of a customer. */
export function* deleteQuestionsOf(customerId: number): Sql<void> {
  yield* query('DELETE FROM kept_questions WHERE customer_id = $1', [customerId]);
}
