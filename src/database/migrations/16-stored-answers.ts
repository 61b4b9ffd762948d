/** Step 16: answers to requests with an `Idempotency-Key`, and how many there are. */
import type { Step } from './step.ts';

export const storedAnswers: Step = {
  name: 'stored answers',
  sql: `
CREATE TABLE stored_answers (
  customer_id     INTEGER NOT NULL REFERENCES customers (id),
  idempotency_key TEXT NOT NULL,
  fingerprint     BLOB NOT NULL,
  request_id      TEXT NOT NULL,
  headers         TEXT NOT NULL,
  body            TEXT NOT NULL,
  bytes           INTEGER NOT NULL,
  expires_at      INTEGER NOT NULL,
  PRIMARY KEY (customer_id, idempotency_key)
) STRICT;
CREATE INDEX stored_answers_by_expiry ON stored_answers (expires_at);

CREATE TABLE stored_answer_totals (
  customer_id INTEGER PRIMARY KEY,
  answers     INTEGER NOT NULL,
  bytes       INTEGER NOT NULL
) STRICT;
CREATE TRIGGER stored_answers_added AFTER INSERT ON stored_answers BEGIN
  INSERT INTO stored_answer_totals VALUES (0, 1, new.bytes), (new.customer_id, 1, new.bytes)
  ON CONFLICT DO UPDATE SET answers = answers + 1, bytes = bytes + excluded.bytes;
END;
CREATE TRIGGER stored_answers_deleted AFTER DELETE ON stored_answers BEGIN
  UPDATE stored_answer_totals SET answers = answers - 1, bytes = bytes - old.bytes
  WHERE customer_id IN (0, old.customer_id);
END;
CREATE TRIGGER stored_answers_no_update BEFORE UPDATE ON stored_answers
BEGIN SELECT RAISE(ABORT, 'stored answers are never changed'); END;
`,
};
