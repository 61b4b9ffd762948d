-- Credit and what it was spent on.
--
--   ledger_entries, open_holds                   credit: all changes to it, and searches in progress
--   ledger_days                                  how credit moved, by customer and day
--   requests, request_days                       what each request came to; counts by day
--   stored_answers, stored_answer_totals         answers that a repeated request gets again
--   usage, usage_days                            what each key spent, by month and by day
--   latency_days, lane_days                      how fast and from where its answers came
--   outcome_days, kept_questions                 how often nothing close was found, and for what
--   ledger_audits                                what audits found that operators started
--
-- `ledger_entries` is the source of truth. Its rows are never changed or deleted. Balances, open
-- holds and usage are sums of its rows. Each transaction updates them with the ledger, so that no
-- request has to add up entries. `credit audit` adds them up and compares.


-- Ledger ---------------------------------------------------------------------------------------

-- topup    credit was added
-- hold     a search started
-- settle   the search was answered
-- release  the search failed and costs nothing
-- refund   the search was answered, and its credit was returned
-- adjust   the credit of a payment was taken back after a refund or a dispute, or restored (the reference of
--          what a dispute takes ends with ':dispute'); or an operator took back credit that was given by
--          mistake (reference 'gift:' and its entry)
CREATE TABLE ledger_entries (
  id          INTEGER PRIMARY KEY AUTOINCREMENT,
  customer_id INTEGER NOT NULL REFERENCES customers (id),
  key_id      INTEGER REFERENCES api_keys (id),
  kind        TEXT NOT NULL,
  credits     INTEGER NOT NULL,         -- what the entry adds to the balance
  balance     INTEGER NOT NULL,         -- the balance after it
  request_id  TEXT,                     -- the search of this entry
  reference   TEXT,                     -- the payment of this entry
  note        TEXT,
  created_at  INTEGER NOT NULL,
  call        TEXT                      -- what a hold is for; NULL: a search
    CHECK (call IS NULL OR (kind = 'hold' AND call IN ('search', 'paper', 'similar', 'verify'))),
  CHECK (CASE kind
    WHEN 'topup'   THEN credits > 0 AND request_id IS NULL
    WHEN 'adjust'  THEN credits <> 0 AND request_id IS NULL AND key_id IS NULL
                        AND reference IS NOT NULL
    WHEN 'hold'    THEN credits < 0 AND request_id IS NOT NULL AND key_id IS NOT NULL
    WHEN 'settle'  THEN credits = 0 AND request_id IS NOT NULL AND key_id IS NOT NULL
    WHEN 'release' THEN credits > 0 AND request_id IS NOT NULL AND key_id IS NOT NULL
    WHEN 'refund'  THEN credits > 0 AND request_id IS NOT NULL AND key_id IS NOT NULL
    ELSE 0 END)
) STRICT;
CREATE INDEX ledger_entries_by_customer ON ledger_entries (customer_id, id);
-- A search has at most one entry of each kind. A payment counts once.
CREATE UNIQUE INDEX ledger_entries_by_request ON ledger_entries (request_id, kind)
  WHERE request_id IS NOT NULL;
CREATE UNIQUE INDEX ledger_entries_by_reference ON ledger_entries (reference)
  WHERE reference IS NOT NULL;
-- For the ledger of one key, and for the last search of a key.
CREATE INDEX ledger_entries_by_key ON ledger_entries (key_id, id) WHERE key_id IS NOT NULL;
-- For the kinds that are rare among a customer's searches. Common kinds do not add to this index.
CREATE INDEX ledger_entries_rare ON ledger_entries (customer_id, id, kind)
  WHERE kind NOT IN ('hold', 'settle');

CREATE TRIGGER ledger_entries_no_update BEFORE UPDATE ON ledger_entries
BEGIN SELECT RAISE(ABORT, 'ledger entries are never changed'); END;
CREATE TRIGGER ledger_entries_no_delete BEFORE DELETE ON ledger_entries
BEGIN SELECT RAISE(ABORT, 'ledger entries are never deleted'); END;
-- INSERT OR REPLACE deletes the conflicting row without firing the trigger above.
CREATE TRIGGER ledger_entries_no_replace BEFORE INSERT ON ledger_entries
WHEN EXISTS (SELECT 1 FROM ledger_entries WHERE id = NEW.id)
  OR EXISTS (SELECT 1 FROM ledger_entries WHERE request_id = NEW.request_id AND kind = NEW.kind)
  OR EXISTS (SELECT 1 FROM ledger_entries WHERE reference = NEW.reference)
BEGIN SELECT RAISE(ABORT, 'ledger entries are never replaced, and happen once'); END;
-- For programs that opened the file before a move of the accounts was over.
CREATE TRIGGER ledger_entries_moved BEFORE INSERT ON ledger_entries
WHEN (SELECT state FROM account_place) = 'away'
BEGIN SELECT RAISE(ABORT, 'the accounts have moved to another database'); END;

-- How credit moved on a day, so that statements and sums of money add up no entries.
-- purchase   credit that was paid for          gift       credit that an operator added without a payment
-- call       holds, less what was released     refund     credit of charged calls that was returned
-- reversal   taken back for refunded payments  dispute    taken back for disputed payments
-- restored   given back after a failed refund or a won dispute
-- forfeited  what a deleted account had left
CREATE TABLE ledger_days (
  customer_id INTEGER NOT NULL REFERENCES customers (id),
  day         TEXT NOT NULL,            -- in UTC, YYYY-MM-DD
  move        TEXT NOT NULL,
  entries     INTEGER NOT NULL,         -- a call counts with its hold, and no longer once it is released
  credits     INTEGER NOT NULL,         -- what they add to the balance
  PRIMARY KEY (customer_id, day, move)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER ledger_days_counted AFTER INSERT ON ledger_entries WHEN new.kind <> 'settle' BEGIN
  INSERT INTO ledger_days VALUES (new.customer_id,
    strftime('%Y-%m-%d', new.created_at / 1000, 'unixepoch'),
    CASE new.kind WHEN 'refund' THEN 'refund'
      WHEN 'topup' THEN iif(new.reference IS NULL, 'gift', 'purchase')
      WHEN 'adjust' THEN CASE WHEN new.reference = 'deleted:' || new.customer_id THEN 'forfeited'
        WHEN new.reference LIKE 'gift:%' THEN 'gift'
        WHEN new.credits > 0 THEN 'restored'
        WHEN new.reference LIKE '%:dispute' THEN 'dispute' ELSE 'reversal' END
      ELSE 'call' END,
    iif(new.kind = 'release', -1, 1), new.credits)
  ON CONFLICT DO UPDATE SET entries = entries + excluded.entries, credits = credits + excluded.credits;
END;

-- Credits held for searches in progress.
CREATE TABLE open_holds (
  request_id  TEXT PRIMARY KEY,
  customer_id INTEGER NOT NULL REFERENCES customers (id),
  key_id      INTEGER NOT NULL REFERENCES api_keys (id),
  credits     INTEGER NOT NULL CHECK (credits > 0),
  created_at  INTEGER NOT NULL
) STRICT, WITHOUT ROWID;


-- Requests -------------------------------------------------------------------------------------

-- One row for each request with a key, also with one that has ended. Rows are written up to a second
-- late and deleted after some days.
CREATE TABLE requests (
  id           INTEGER PRIMARY KEY AUTOINCREMENT,
  customer_id  INTEGER NOT NULL REFERENCES customers (id),
  key_id       INTEGER NOT NULL REFERENCES api_keys (id),
  request_id   TEXT NOT NULL,
  path         TEXT NOT NULL,           -- the route: nothing that the caller wrote
  status       INTEGER NOT NULL,        -- of HTTP
  code         TEXT,                    -- of the error; NULL: it was answered
  credits      INTEGER NOT NULL,        -- charged, without refunded ones
  milliseconds INTEGER NOT NULL,
  lanes        TEXT,                    -- that contributed, separated by commas; NULL: none
  details      TEXT NOT NULL,           -- a JSON object: times of steps, the error as it was sent
  asked        TEXT,                    -- the body or query; NULL: not kept
  asked_until  INTEGER,                 -- when that is deleted
  created_at   INTEGER NOT NULL         -- when it arrived
) STRICT;
CREATE INDEX requests_by_customer ON requests (customer_id, id);
CREATE INDEX requests_by_key ON requests (key_id, id);
CREATE INDEX requests_by_request_id ON requests (request_id);
-- For what is rare among a customer's requests. The sum keeps SQLite from reading all of them instead.
CREATE INDEX requests_failed ON requests ((customer_id + 0), id, status, key_id) WHERE code IS NOT NULL;
CREATE INDEX requests_by_path ON requests ((customer_id + 0), path, id) WHERE path <> '/v1/search';
CREATE INDEX requests_by_asked_until ON requests (asked_until) WHERE asked_until IS NOT NULL;
CREATE INDEX requests_asked ON requests (customer_id) WHERE asked_until IS NOT NULL;

-- Requests of each day, counted: those that are deleted, and those that never got a row, because a key
-- failed too often, or because nobody knows whose they are.
CREATE TABLE request_days (
  customer_id INTEGER NOT NULL,         -- 0, as the key: nobody's
  day         TEXT NOT NULL,            -- in UTC, YYYY-MM-DD
  key_id      INTEGER NOT NULL,
  path        TEXT NOT NULL,
  status      INTEGER NOT NULL,         -- 0: from before requests were recorded
  code        TEXT NOT NULL,            -- '': answered
  calls       INTEGER NOT NULL,
  last_at     INTEGER NOT NULL,
  PRIMARY KEY (customer_id, day, key_id, path, status, code)
) STRICT, WITHOUT ROWID;
CREATE INDEX request_days_by_day ON request_days (day);


-- Stored answers -------------------------------------------------------------------------------

-- Answers to requests with an Idempotency-Key. Each is written with the ledger entries that charge
-- for it, in one transaction, and deleted some time after it has expired.
CREATE TABLE stored_answers (
  customer_id     INTEGER NOT NULL REFERENCES customers (id),
  idempotency_key TEXT NOT NULL,
  fingerprint     BLOB NOT NULL,        -- SHA-256 of the path and the body of the request
  request_id      TEXT NOT NULL,        -- the request that was answered first
  headers         TEXT NOT NULL,        -- those that belong to the answer, as a JSON object
  body            TEXT NOT NULL,
  bytes           INTEGER NOT NULL,     -- of the body and the headers
  expires_at      INTEGER NOT NULL,
  PRIMARY KEY (customer_id, idempotency_key)
) STRICT;
CREATE INDEX stored_answers_by_expiry ON stored_answers (expires_at);

-- The size of `stored_answers`. Triggers update it, because counting many takes a long time.
CREATE TABLE stored_answer_totals (
  customer_id INTEGER PRIMARY KEY,      -- 0: of all customers
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


-- Usage ----------------------------------------------------------------------------------------

CREATE TABLE usage (
  key_id   INTEGER NOT NULL REFERENCES api_keys (id),
  period   TEXT NOT NULL,               -- calendar month in UTC, YYYY-MM
  requests INTEGER NOT NULL,
  credits  INTEGER NOT NULL,            -- without refunded credits
  PRIMARY KEY (key_id, period)
) STRICT, WITHOUT ROWID;

CREATE TABLE usage_days (
  key_id   INTEGER NOT NULL REFERENCES api_keys (id),
  day      TEXT NOT NULL,               -- the day of the charge in UTC, YYYY-MM-DD
  requests INTEGER NOT NULL,
  credits  INTEGER NOT NULL,            -- without refunded credits
  PRIMARY KEY (key_id, day)
) STRICT, WITHOUT ROWID;


-- Answered calls of a key on a day, by latency. Each row counts those up to its bound and above the
-- next smaller one. Deleted after some time, as `lane_days`.
CREATE TABLE latency_days (
  key_id   INTEGER NOT NULL REFERENCES api_keys (id),
  day      TEXT NOT NULL,               -- the day of the charge in UTC, YYYY-MM-DD
  bound_ms INTEGER NOT NULL,            -- 2147483647: beyond all other bounds
  calls    INTEGER NOT NULL,
  PRIMARY KEY (key_id, day, bound_ms)
) STRICT, WITHOUT ROWID;
CREATE INDEX latency_days_by_day ON latency_days (day);

-- Answered calls of a key on a day to which a lane contributed documents.
CREATE TABLE lane_days (
  key_id INTEGER NOT NULL REFERENCES api_keys (id),
  day    TEXT NOT NULL,                 -- the day of the charge in UTC, YYYY-MM-DD
  lane   TEXT NOT NULL,                 -- 'corpus': no lane contributed
  calls  INTEGER NOT NULL,
  PRIMARY KEY (key_id, day, lane)
) STRICT, WITHOUT ROWID;
CREATE INDEX lane_days_by_day ON lane_days (day);

-- Answered searches of a key on a day, by what came of them.
CREATE TABLE outcome_days (
  key_id  INTEGER NOT NULL REFERENCES api_keys (id),
  day     TEXT NOT NULL,                -- the day of the charge in UTC, YYYY-MM-DD
  outcome TEXT NOT NULL,                -- 'close': the index had something close; 'no_lanes': no
                                        -- lane was on; otherwise, what came of the lanes
  calls   INTEGER NOT NULL,
  PRIMARY KEY (key_id, day, outcome)
) STRICT, WITHOUT ROWID;
CREATE INDEX outcome_days_by_day ON outcome_days (day);

-- Questions to which the index had nothing close, if the operator keeps them. Deleted after some time.
CREATE TABLE kept_questions (
  id          INTEGER PRIMARY KEY AUTOINCREMENT,
  customer_id INTEGER NOT NULL REFERENCES customers (id),  -- whose account takes it along
  text        TEXT NOT NULL,
  outcome     TEXT NOT NULL,            -- as in outcome_days
  asked_at    INTEGER NOT NULL
) STRICT;
CREATE INDEX kept_questions_by_customer ON kept_questions (customer_id);
CREATE INDEX kept_questions_by_time ON kept_questions (asked_at);


-- Audits --------------------------------------------------------------------------------------

-- Audits that operators started on their pages. The oldest ones are deleted.
CREATE TABLE ledger_audits (
  id               INTEGER PRIMARY KEY AUTOINCREMENT,
  started_at       INTEGER NOT NULL,
  ended_at         INTEGER NOT NULL,
  actor            TEXT NOT NULL,       -- who started it, as in operator_actions
  customers        INTEGER NOT NULL,
  entries          INTEGER NOT NULL,
  held             INTEGER NOT NULL,    -- in credits, for searches in flight
  difference_count INTEGER NOT NULL,
  differences      TEXT NOT NULL        -- the first of them, as a JSON array of sentences
) STRICT;
