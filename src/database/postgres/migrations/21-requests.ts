/** Step 21: each request has a row, where each paid call and payment had one. */
export const requests = `
ALTER TABLE customers ADD COLUMN asked_days bigint NOT NULL DEFAULT 0;
CREATE TABLE requests (
  id           bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  customer_id  bigint NOT NULL,
  key_id       bigint NOT NULL,
  request_id   text NOT NULL,
  path         text NOT NULL,
  status       bigint NOT NULL,
  code         text,
  credits      bigint NOT NULL,
  milliseconds bigint NOT NULL,
  lanes        text,
  details      text NOT NULL,
  asked        text,
  asked_until  bigint,
  created_at   bigint NOT NULL
);
CREATE INDEX requests_by_customer ON requests (customer_id, id);
CREATE INDEX requests_by_key ON requests (key_id, id);
CREATE INDEX requests_by_request_id ON requests (request_id);
CREATE INDEX requests_failed ON requests ((customer_id + 0), id, status, key_id) WHERE code IS NOT NULL;
CREATE INDEX requests_by_path ON requests ((customer_id + 0), path, id) WHERE path <> '/v1/search';
CREATE INDEX requests_by_asked_until ON requests (asked_until) WHERE asked_until IS NOT NULL;
CREATE INDEX requests_asked ON requests (customer_id) WHERE asked_until IS NOT NULL;

CREATE TABLE request_days (
  customer_id bigint NOT NULL,
  day         text COLLATE "C" NOT NULL,
  key_id      bigint NOT NULL,
  path        text NOT NULL,
  status      bigint NOT NULL,
  code        text NOT NULL,
  calls       bigint NOT NULL,
  last_at     bigint NOT NULL,
  PRIMARY KEY (customer_id, day, key_id, path, status, code)
);
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
DROP TRIGGER activity_of_entries ON ledger_entries;
DROP TABLE activity;
DROP TABLE activity_days;
DROP FUNCTION note_activity;
DROP FUNCTION count_added_activity;
DROP FUNCTION count_changed_activity;
`;
