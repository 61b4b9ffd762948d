/** Step 19: one line for each paid call and payment, with counts by day, kept by triggers. */
import type { Step } from './step.ts';

export const activity: Step = {
  name: 'activity',
  sql: `
ALTER TABLE ledger_entries ADD COLUMN call TEXT
  CHECK (call IS NULL OR (kind = 'hold' AND call IN ('search', 'paper', 'similar', 'verify')));

CREATE TABLE activity (
  id          INTEGER PRIMARY KEY REFERENCES ledger_entries (id),
  customer_id INTEGER NOT NULL REFERENCES customers (id),
  key_id      INTEGER REFERENCES api_keys (id),
  kind        TEXT NOT NULL
    CHECK (kind IN ('search', 'paper', 'similar', 'verify', 'topup', 'adjust')),
  outcome     TEXT NOT NULL
    CHECK (outcome IN ('open', 'charged', 'free', 'refunded', 'payment')),
  credits     INTEGER NOT NULL,
  created_at  INTEGER NOT NULL
) STRICT;
CREATE TABLE activity_days (
  customer_id INTEGER NOT NULL REFERENCES customers (id),
  day         TEXT NOT NULL,
  key_id      INTEGER NOT NULL,
  kind        TEXT NOT NULL,
  outcome     TEXT NOT NULL,
  lines       INTEGER NOT NULL,
  credits     INTEGER NOT NULL,
  PRIMARY KEY (customer_id, day, key_id, kind, outcome)
) STRICT, WITHOUT ROWID;

INSERT INTO activity
  SELECT h.id, h.customer_id, h.key_id,
    CASE h.kind WHEN 'hold' THEN 'search' ELSE h.kind END,
    CASE WHEN h.kind <> 'hold' THEN 'payment' WHEN f.id IS NOT NULL THEN 'refunded'
      WHEN r.id IS NOT NULL THEN 'free' WHEN s.id IS NOT NULL THEN 'charged' ELSE 'open' END,
    h.credits + coalesce(r.credits, 0) + coalesce(f.credits, 0), h.created_at
  FROM ledger_entries h
  LEFT JOIN ledger_entries s ON s.request_id = h.request_id AND s.kind = 'settle'
  LEFT JOIN ledger_entries r ON r.request_id = h.request_id AND r.kind = 'release'
  LEFT JOIN ledger_entries f ON f.request_id = h.request_id AND f.kind = 'refund'
  WHERE h.kind IN ('hold', 'topup', 'adjust') ORDER BY h.id;
INSERT INTO activity_days
  SELECT customer_id, strftime('%Y-%m-%d', created_at / 1000, 'unixepoch') AS day,
    coalesce(key_id, 0) AS key, kind, outcome, count(*), sum(credits)
  FROM activity GROUP BY customer_id, day, key, kind, outcome;

CREATE INDEX activity_by_customer ON activity (customer_id, id);
CREATE INDEX activity_by_key ON activity (key_id, id) WHERE key_id IS NOT NULL;
CREATE INDEX activity_by_outcome ON activity (customer_id, outcome, id) WHERE outcome <> 'charged';
CREATE INDEX activity_by_kind ON activity (customer_id, kind, id) WHERE kind <> 'search';

CREATE TRIGGER activity_begins AFTER INSERT ON ledger_entries
WHEN new.kind IN ('hold', 'topup', 'adjust') BEGIN
  INSERT INTO activity VALUES (new.id, new.customer_id, new.key_id,
    CASE new.kind WHEN 'hold' THEN coalesce(new.call, 'search') ELSE new.kind END,
    CASE new.kind WHEN 'hold' THEN 'open' ELSE 'payment' END, new.credits, new.created_at);
END;
CREATE TRIGGER activity_ends AFTER INSERT ON ledger_entries
WHEN new.kind IN ('settle', 'release', 'refund') BEGIN
  UPDATE activity SET credits = credits + new.credits,
    outcome = CASE new.kind WHEN 'settle' THEN 'charged' WHEN 'release' THEN 'free' ELSE 'refunded' END
  WHERE id = (SELECT id FROM ledger_entries WHERE request_id = new.request_id AND kind = 'hold');
END;
CREATE TRIGGER activity_days_added AFTER INSERT ON activity BEGIN
  INSERT INTO activity_days VALUES (new.customer_id,
    strftime('%Y-%m-%d', new.created_at / 1000, 'unixepoch'), coalesce(new.key_id, 0),
    new.kind, new.outcome, 1, new.credits)
  ON CONFLICT DO UPDATE SET lines = lines + 1, credits = credits + excluded.credits;
END;
CREATE TRIGGER activity_days_changed AFTER UPDATE ON activity BEGIN
  UPDATE activity_days SET lines = lines - 1, credits = credits - old.credits
  WHERE customer_id = old.customer_id
    AND day = strftime('%Y-%m-%d', old.created_at / 1000, 'unixepoch')
    AND key_id = coalesce(old.key_id, 0) AND kind = old.kind AND outcome = old.outcome;
  INSERT INTO activity_days VALUES (new.customer_id,
    strftime('%Y-%m-%d', new.created_at / 1000, 'unixepoch'), coalesce(new.key_id, 0),
    new.kind, new.outcome, 1, new.credits)
  ON CONFLICT DO UPDATE SET lines = lines + 1, credits = credits + excluded.credits;
END;
`,
};
