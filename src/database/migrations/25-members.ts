/** Step 25: members of customers, each with a password and sessions of their own. */
import type { Step } from './step.ts';

export const members: Step = {
  name: 'members',
  sql: `
CREATE TABLE members (
  id            INTEGER PRIMARY KEY AUTOINCREMENT,
  customer_id   INTEGER NOT NULL REFERENCES customers (id),
  email         TEXT NOT NULL UNIQUE,
  role          TEXT NOT NULL CHECK (role IN ('owner', 'developer', 'billing')),
  password_hash TEXT,
  browser_key   BLOB,
  created_at    INTEGER NOT NULL
) STRICT;
CREATE INDEX members_by_customer ON members (customer_id, id);
INSERT INTO members (customer_id, email, role, password_hash, browser_key, created_at)
  SELECT id, email, 'owner', password_hash, browser_key, created_at FROM customers ORDER BY id;
ALTER TABLE customers DROP COLUMN password_hash;
ALTER TABLE customers DROP COLUMN browser_key;

CREATE TEMP TABLE kept_links AS
  SELECT members.id, token_hash, expires_at
  FROM sign_in_links JOIN members ON members.customer_id = sign_in_links.customer_id;
DROP TABLE sign_in_links;
CREATE TABLE sign_in_links (
  member_id  INTEGER PRIMARY KEY REFERENCES members (id),
  token_hash BLOB NOT NULL UNIQUE,
  expires_at INTEGER NOT NULL
) STRICT;
INSERT INTO sign_in_links SELECT * FROM kept_links;
DROP TABLE kept_links;

CREATE TEMP TABLE kept_sessions AS
  SELECT token_hash, members.id, sessions.created_at, seen_at, NULL, NULL
  FROM sessions JOIN members ON members.customer_id = sessions.customer_id;
DROP TABLE sessions;
CREATE TABLE sessions (
  token_hash BLOB PRIMARY KEY,
  member_id  INTEGER NOT NULL REFERENCES members (id),
  created_at INTEGER NOT NULL,
  seen_at    INTEGER NOT NULL,
  device     TEXT,
  address    TEXT
) STRICT, WITHOUT ROWID;
CREATE INDEX sessions_by_member ON sessions (member_id, seen_at);
INSERT INTO sessions SELECT * FROM kept_sessions;
DROP TABLE kept_sessions;
`,
};
