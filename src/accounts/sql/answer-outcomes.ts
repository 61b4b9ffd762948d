/**
 * How often the index had nothing close to a question, counted by key and day, and, where the operator
 * keeps them, the questions. Both are written with the settlement of the search, in one transaction.
 */
import type { Connection } from '../../database/sqlite/connection.ts';
import { deletingSecurely } from '../../database/sqlite/secure-delete.ts';

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

export interface CountedOutcome {
  customerId: number;
  keyId: number;
  day: string;
  now: number;
  outcome: AnswerOutcome;
  question: QuestionToKeep | undefined;
}

/** Returns a step that counts an outcome and keeps a question. The caller runs it in a transaction. */
export function prepareAddOutcome(db: Connection): (counted: CountedOutcome) => void {
  const count = db.prepare(
    'INSERT INTO outcome_days VALUES (?, ?, ?, 1) ON CONFLICT DO UPDATE SET calls = calls + 1',
  );
  const keep = db.prepare(
    'INSERT INTO kept_questions (customer_id, text, outcome, asked_at) VALUES (?, ?, ?, ?)',
  );
  const deleteOldest = db.prepare('DELETE FROM kept_questions WHERE id <= ?');
  return ({ customerId, keyId, day, now, outcome, question }) => {
    count.run(keyId, day, outcome);
    if (question === undefined) return;
    const { lastInsertRowid } = keep.run(customerId, question.text, outcome, now);
    const oldest = Number(lastInsertRowid) - question.questionsMax;
    deletingSecurely(db, () => deleteOldest.run(oldest));
  };
}

/** Reads counts by day, oldest first, and a page of questions. */
export function readOutcomes(
  db: Connection,
  { firstDay, before, limit }: OutcomesRequest,
): OutcomeReport {
  return {
    days: db
      .prepare(
        `SELECT day, outcome, sum(calls) AS calls FROM outcome_days WHERE day >= ?
         GROUP BY day, outcome ORDER BY day, outcome`,
      )
      .all(firstDay) as OutcomeDay[],
    questions: db
      .prepare(`SELECT ${columns} FROM kept_questions WHERE id < ? ORDER BY id DESC LIMIT ?`)
      .all(before ?? Number.MAX_SAFE_INTEGER, limit) as KeptQuestion[],
  };
}

const columns = 'id, text, outcome, asked_at AS askedAt';

/** Lists the kept questions of a customer, oldest first. */
export function listOwnQuestions(db: Connection, customerId: number): KeptQuestion[] {
  return db
    .prepare(`SELECT ${columns} FROM kept_questions WHERE customer_id = ? ORDER BY id`)
    .all(customerId) as KeptQuestion[];
}

/** Deletes questions that were asked before a time. Returns how many, at most `limit`. */
export function deleteOldQuestions(
  db: Connection,
  { before, limit }: { before: number; limit: number },
): number {
  const some = db.prepare(
    `DELETE FROM kept_questions WHERE id IN
       (SELECT id FROM kept_questions WHERE asked_at < ? ORDER BY asked_at LIMIT ?)`,
  );
  return deletingSecurely(db, () => some.run(before, limit).changes);
}

/** Deletes the questions of a customer. */
export function deleteQuestionsOf(db: Connection, customerId: number): void {
  db.prepare('DELETE FROM kept_questions WHERE customer_id = ?').run(customerId);
}
