/** Step 24: second factors of addresses, with recovery codes. */
import type { Step } from './step.ts';

export const secondFactors: Step = {
  name: 'second factors',
  sql: `
CREATE TABLE second_factors (
  email      TEXT PRIMARY KEY,
  secret     BLOB NOT NULL,
  used_step  INTEGER NOT NULL,
  enabled_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE recovery_codes (
  email     TEXT NOT NULL REFERENCES second_factors (email),
  code_hash BLOB NOT NULL,
  PRIMARY KEY (email, code_hash)
) STRICT, WITHOUT ROWID;
`,
};
