/** Step 32: operators, who sign in to pages of their own. */
import type { Step } from './step.ts';

export const operators: Step = {
  name: 'operators',
  sql: `
CREATE TABLE operators (
  id              INTEGER PRIMARY KEY AUTOINCREMENT,
  email           TEXT NOT NULL UNIQUE,
  created_at      INTEGER NOT NULL,
  password_hash   TEXT,
  secret          BLOB,
  used_step       INTEGER,
  enrolled_at     INTEGER,
  browser_key     BLOB,
  link_hash       BLOB UNIQUE,
  link_expires_at INTEGER,
  CHECK ((password_hash IS NULL) = (secret IS NULL) AND (secret IS NULL) = (used_step IS NULL)
    AND (secret IS NULL) = (enrolled_at IS NULL))
) STRICT;
CREATE TABLE operator_recovery_codes (
  operator_id INTEGER NOT NULL REFERENCES operators (id),
  code_hash   BLOB NOT NULL,
  PRIMARY KEY (operator_id, code_hash)
) STRICT, WITHOUT ROWID;
CREATE TABLE operator_sessions (
  token_hash  BLOB PRIMARY KEY,
  operator_id INTEGER NOT NULL REFERENCES operators (id),
  created_at  INTEGER NOT NULL,
  seen_at     INTEGER NOT NULL,
  device      TEXT,
  address     TEXT
) STRICT, WITHOUT ROWID;
CREATE INDEX operator_sessions_by_operator ON operator_sessions (operator_id, seen_at);
`,
};
