/** Step 23: notes of operators about customers, and alerts. */
export const operatorTools = `
ALTER TABLE customers ADD COLUMN operator_note text;
CREATE TABLE alert_settings (
  kind      text PRIMARY KEY,
  is_on     boolean NOT NULL,
  threshold bigint NOT NULL
);
CREATE TABLE alert_states (
  kind      text NOT NULL,
  server    text NOT NULL,
  channel   text NOT NULL,
  is_raised boolean NOT NULL,
  told      bigint NOT NULL,
  tried_at  bigint NOT NULL,
  PRIMARY KEY (kind, server, channel)
);
CREATE INDEX payment_events_with_problems ON payment_events (received_at) WHERE problem IS NOT NULL;
CREATE INDEX payment_disputes_by_change ON payment_disputes (changed_at);
`;
