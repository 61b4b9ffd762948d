/** Step 6: what the dashboard needs: passwords, sessions, links, caps of keys, and usage by day. */
import type { Step } from './step.ts';

export const sessionsAndDailyUsage: Step = {
  name: 'passwords, sessions and usage by day',
  sql: `
ALTER TABLE customers ADD COLUMN password_hash TEXT;       -- NULL: none chosen yet
ALTER TABLE customers ADD COLUMN disabled_at INTEGER;      -- NULL: may sign in and search
ALTER TABLE customers ADD COLUMN low_balance INTEGER CHECK (low_balance > 0);  -- NULL: no warning

ALTER TABLE api_keys ADD COLUMN credits_per_month_max INTEGER
  CHECK (credits_per_month_max > 0);                       -- NULL: no cap
CREATE INDEX api_keys_by_customer ON api_keys (customer_id, id);

-- One link a customer: a new one takes the place of the old.
CREATE TABLE sign_in_links (
  customer_id INTEGER PRIMARY KEY REFERENCES customers (id),
  token_hash  BLOB NOT NULL UNIQUE,     -- SHA-256 of the token, which is kept nowhere
  expires_at  INTEGER NOT NULL
) STRICT;

CREATE TABLE sessions (
  token_hash  BLOB PRIMARY KEY,         -- SHA-256 of the token, which is kept nowhere
  customer_id INTEGER NOT NULL REFERENCES customers (id),
  created_at  INTEGER NOT NULL,
  seen_at     INTEGER NOT NULL          -- to the minute or so
) STRICT, WITHOUT ROWID;
CREATE INDEX sessions_by_customer ON sessions (customer_id, seen_at);

CREATE TABLE usage_days (
  key_id   INTEGER NOT NULL REFERENCES api_keys (id),
  day      TEXT NOT NULL,               -- in UTC, YYYY-MM-DD: when the search was charged
  requests INTEGER NOT NULL,
  credits  INTEGER NOT NULL,            -- net of refunds
  PRIMARY KEY (key_id, day)
) STRICT, WITHOUT ROWID;
INSERT INTO usage_days
  SELECT s.key_id, strftime('%Y-%m-%d', s.created_at / 1000, 'unixepoch') AS day, count(*),
    sum(CASE WHEN r.id IS NULL THEN -h.credits ELSE 0 END)
  FROM ledger_entries s
  JOIN ledger_entries h ON h.request_id = s.request_id AND h.kind = 'hold'
  LEFT JOIN ledger_entries r ON r.request_id = s.request_id AND r.kind = 'refund'
  WHERE s.kind = 'settle' GROUP BY s.key_id, day;

-- The ledger of one key, and a key's last search.
CREATE INDEX ledger_entries_by_key ON ledger_entries (key_id, id) WHERE key_id IS NOT NULL;
-- The kinds that are rare among a customer's searches; they alone pay for this index.
CREATE INDEX ledger_entries_rare ON ledger_entries (customer_id, id, kind)
  WHERE kind NOT IN ('hold', 'settle');
`,
};
