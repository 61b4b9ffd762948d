/** Step 20: keys that expire, and the earlier secret of a key that was rotated. */
import type { Step } from './step.ts';

export const expiryAndRotationOfKeys: Step = {
  name: 'expiry and rotation of keys',
  sql: `
ALTER TABLE api_keys ADD COLUMN expires_at INTEGER;

CREATE TABLE replaced_secrets (
  key_id  INTEGER PRIMARY KEY REFERENCES api_keys (id),
  hash    BLOB NOT NULL UNIQUE,
  prefix  TEXT NOT NULL,
  ends_at INTEGER NOT NULL
) STRICT;
`,
};
