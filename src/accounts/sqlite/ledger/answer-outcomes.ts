/** Counts outcomes of searches, and keeps questions, with the settlement. */
import type { Connection } from '../../../database/sqlite/connection.ts';
import { deletingSecurely } from '../../../database/sqlite/secure-delete.ts';
import type { AnswerOutcome, QuestionToKeep } from '../../sql/answer-outcomes.ts';

interface CountedOutcome {
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
