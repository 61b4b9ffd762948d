/** Step 23: notes of operators about customers, and alerts. */
export const operatorTools = `
ALTER TABLE customers ADD COLUMN operator_note text;
CREATE TABLE alert_settings (
  kind      text PRIMARY KEY,
  is_on     boolean NOT NULL,
  threshold bigint NOT NULL,
  count_min bigint NOT NULL
);
CREATE TABLE alert_states (
  kind      text NOT NULL,
  server    text NOT NULL,
  raised_at bigint,
  told      text,
  told_at   bigint,
  tried_at  bigint NOT NULL,
  attempts  bigint NOT NULL,
  PRIMARY KEY (kind, server)
);
CREATE INDEX payment_events_with_problems ON payment_events (received_at) WHERE problem IS NOT NULL;
CREATE INDEX payment_disputes_by_change ON payment_disputes (changed_at);
`;
