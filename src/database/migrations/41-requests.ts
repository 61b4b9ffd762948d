/**
 * Step 41: each request has a row, where each paid call and payment had one. Of those from before, only
 * the counts by day stay.
 */
export const requests = {
  name: 'requests',
  sql: `
ALTER TABLE customers ADD COLUMN asked_days INTEGER NOT NULL DEFAULT 0;
CREATE TABLE requests (
  id           INTEGER PRIMARY KEY AUTOINCREMENT,
  customer_id  INTEGER NOT NULL REFERENCES customers (id),
  key_id       INTEGER NOT NULL REFERENCES api_keys (id),
  request_id   TEXT NOT NULL,
  path         TEXT NOT NULL,
  status       INTEGER NOT NULL,
  code         TEXT,
  credits      INTEGER NOT NULL,
  milliseconds INTEGER NOT NULL,
  lanes        TEXT,
  details      TEXT NOT NULL,
  asked        TEXT,
  asked_until  INTEGER,
  created_at   INTEGER NOT NULL
) STRICT;
CREATE INDEX requests_by_customer ON requests (customer_id, id);
CREATE INDEX requests_by_key ON requests (key_id, id);
CREATE INDEX requests_by_request_id ON requests (request_id);
CREATE INDEX requests_failed ON requests ((customer_id + 0), id, status, key_id) WHERE code IS NOT NULL;
CREATE INDEX requests_by_path ON requests ((customer_id + 0), path, id) WHERE path <> '/v1/search';
CREATE INDEX requests_by_asked_until ON requests (asked_until) WHERE asked_until IS NOT NULL;
CREATE INDEX requests_asked ON requests (customer_id) WHERE asked_until IS NOT NULL;
CREATE TABLE request_days (
  customer_id INTEGER NOT NULL,
  day         TEXT NOT NULL,
  key_id      INTEGER NOT NULL,
  path        TEXT NOT NULL,
  status      INTEGER NOT NULL,
  code        TEXT NOT NULL,
  calls       INTEGER NOT NULL,
  last_at     INTEGER NOT NULL,
  PRIMARY KEY (customer_id, day, key_id, path, status, code)
) STRICT, WITHOUT ROWID;
CREATE INDEX request_days_by_day ON request_days (day);
INSERT INTO request_days
SELECT customer_id, day, key_id,
  CASE kind WHEN 'search' THEN '/v1/search' ELSE '/v1/' || kind END,
  CASE outcome WHEN 'free' THEN 0 ELSE 200 END,
  CASE outcome WHEN 'free' THEN 'not_charged' ELSE '' END,
  sum(lines), 0
FROM activity_days
WHERE outcome IN ('charged', 'refunded', 'free') AND lines > 0
GROUP BY 1, 2, 3, 4, 5, 6;
DROP TRIGGER activity_begins;
DROP TRIGGER activity_ends;
DROP TABLE activity;
DROP TABLE activity_days;
`,
};
