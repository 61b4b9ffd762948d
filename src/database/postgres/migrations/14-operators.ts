/** Operators, who sign in to pages of their own. */
export const operators = `
CREATE TABLE operators (
  id              bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  email           text NOT NULL UNIQUE,
  created_at      bigint NOT NULL,
  password_hash   text,
  secret          bytea,
  used_step       bigint,
  enrolled_at     bigint,
  browser_key     bytea,
  link_hash       bytea UNIQUE,
  link_expires_at bigint,
  CHECK ((password_hash IS NULL) = (secret IS NULL) AND (secret IS NULL) = (used_step IS NULL)
    AND (secret IS NULL) = (enrolled_at IS NULL))
);
CREATE TABLE operator_recovery_codes (
  operator_id bigint NOT NULL REFERENCES operators,
  code_hash   bytea NOT NULL,
  PRIMARY KEY (operator_id, code_hash)
);
CREATE TABLE operator_sessions (
  token_hash  bytea PRIMARY KEY,
  operator_id bigint NOT NULL REFERENCES operators,
  created_at  bigint NOT NULL,
  seen_at     bigint NOT NULL,
  device      text,
  address     text
);
CREATE INDEX operator_sessions_by_operator ON operator_sessions (operator_id, seen_at);
`;
