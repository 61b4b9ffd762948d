/** Step 43: notes of operators about customers, and alerts. */
export const operatorTools = {
  name: 'notes and alerts of operators',
  sql: `
ALTER TABLE customers ADD COLUMN operator_note TEXT;
CREATE TABLE alert_settings (
  kind      TEXT PRIMARY KEY,
  is_on     INTEGER NOT NULL,
  threshold INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE alert_states (
  kind      TEXT NOT NULL,
  server    TEXT NOT NULL,
  channel   TEXT NOT NULL,
  is_raised INTEGER NOT NULL,
  told      INTEGER NOT NULL,
  tried_at  INTEGER NOT NULL,
  PRIMARY KEY (kind, server, channel)
) STRICT, WITHOUT ROWID;
CREATE INDEX payment_events_with_problems ON payment_events (received_at) WHERE problem IS NOT NULL;
CREATE INDEX payment_disputes_by_change ON payment_disputes (changed_at);
`,
};
