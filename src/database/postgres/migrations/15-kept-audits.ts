/** Audits that operators started. The rows have the meaning that `schema/accounts.sql` describes. */
export const keptAudits = `
CREATE TABLE ledger_audits (
  id               bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  started_at       bigint NOT NULL,
  ended_at         bigint NOT NULL,
  actor            text NOT NULL,
  customers        bigint NOT NULL,
  entries          bigint NOT NULL,
  held             bigint NOT NULL,
  difference_count bigint NOT NULL,
  differences      text NOT NULL
);
`;
