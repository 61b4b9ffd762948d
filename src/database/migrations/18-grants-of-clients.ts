/** Step 18: what customers granted to OAuth clients, with codes and tokens. */
import type { Step } from './step.ts';

export const grantsOfClients: Step = {
  name: 'grants of clients',
  sql: `
CREATE TABLE client_grants (
  id          INTEGER PRIMARY KEY AUTOINCREMENT,
  key_id      INTEGER NOT NULL UNIQUE REFERENCES api_keys (id),
  client_id   TEXT NOT NULL,
  family_hash BLOB NOT NULL UNIQUE,
  expires_at  INTEGER NOT NULL,
  created_at  INTEGER NOT NULL
) STRICT;

CREATE TABLE client_codes (
  code_hash             BLOB PRIMARY KEY,
  customer_id           INTEGER NOT NULL REFERENCES customers (id),
  client_id             TEXT NOT NULL,
  client_name           TEXT NOT NULL,
  redirect_uri          TEXT NOT NULL,
  code_challenge        TEXT NOT NULL,
  credits_per_month_max INTEGER NOT NULL CHECK (credits_per_month_max > 0),
  expires_at            INTEGER NOT NULL,
  grant_id              INTEGER REFERENCES client_grants (id)
) STRICT, WITHOUT ROWID;
CREATE INDEX client_codes_by_customer ON client_codes (customer_id, expires_at);

CREATE TABLE client_tokens (
  token_hash BLOB PRIMARY KEY,
  grant_id   INTEGER NOT NULL REFERENCES client_grants (id),
  kind       TEXT NOT NULL CHECK (kind IN ('access', 'refresh')),
  expires_at INTEGER NOT NULL,
  used_at    INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX client_tokens_by_grant ON client_tokens (grant_id, kind, expires_at);
`,
};
