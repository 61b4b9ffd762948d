/** Members of customers, each with a password and sessions of their own. */
export const members = `
CREATE TABLE members (
  id            bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  customer_id   bigint NOT NULL REFERENCES customers,
  email         text NOT NULL UNIQUE,
  role          text NOT NULL CHECK (role IN ('owner', 'developer', 'billing')),
  password_hash text,
  browser_key   bytea,
  created_at    bigint NOT NULL
);
CREATE INDEX members_by_customer ON members (customer_id, id);
INSERT INTO members (customer_id, email, role, password_hash, browser_key, created_at)
  SELECT id, email, 'owner', password_hash, browser_key, created_at FROM customers ORDER BY id;
ALTER TABLE customers DROP COLUMN password_hash, DROP COLUMN browser_key;

CREATE TEMP TABLE kept_links AS
  SELECT members.id, token_hash, expires_at
  FROM sign_in_links JOIN members ON members.customer_id = sign_in_links.customer_id;
DROP TABLE sign_in_links;
CREATE TABLE sign_in_links (
  member_id  bigint PRIMARY KEY REFERENCES members,
  token_hash bytea NOT NULL UNIQUE,
  expires_at bigint NOT NULL
);
INSERT INTO sign_in_links SELECT * FROM kept_links;
DROP TABLE kept_links;

CREATE TEMP TABLE kept_sessions AS
  SELECT token_hash, members.id, sessions.created_at, seen_at
  FROM sessions JOIN members ON members.customer_id = sessions.customer_id;
DROP TABLE sessions;
CREATE TABLE sessions (
  token_hash bytea PRIMARY KEY,
  member_id  bigint NOT NULL REFERENCES members,
  created_at bigint NOT NULL,
  seen_at    bigint NOT NULL,
  device     text,
  address    text
);
CREATE INDEX sessions_by_member ON sessions (member_id, seen_at);
INSERT INTO sessions SELECT * FROM kept_sessions;
DROP TABLE kept_sessions;
`;
