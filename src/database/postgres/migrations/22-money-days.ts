/** Step 22: how credit moved by day, numbers of receipts, canceled orders, and mails about one payment. */
export const moneyDays = `
CREATE TABLE ledger_days (
  customer_id bigint NOT NULL,
  day         text COLLATE "C" NOT NULL,
  move        text COLLATE "C" NOT NULL,
  entries     bigint NOT NULL,
  credits     bigint NOT NULL,
  PRIMARY KEY (customer_id, day, move)
);

CREATE FUNCTION count_ledger_days() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO ledger_days AS days
  SELECT customer_id, day_of(created_at), CASE kind WHEN 'refund' THEN 'refund'
      WHEN 'topup' THEN CASE WHEN reference IS NULL THEN 'gift' ELSE 'purchase' END
      WHEN 'adjust' THEN CASE WHEN reference = 'deleted:' || customer_id THEN 'forfeited'
        WHEN reference LIKE 'gift:%' THEN 'gift'
        WHEN credits > 0 THEN 'restored'
        WHEN reference LIKE '%:dispute' THEN 'dispute' ELSE 'reversal' END
      ELSE 'call' END,
    sum(CASE kind WHEN 'release' THEN -1 ELSE 1 END), sum(credits)
  FROM added WHERE kind <> 'settle' GROUP BY 1, 2, 3
  ON CONFLICT (customer_id, day, move) DO UPDATE
    SET entries = days.entries + excluded.entries, credits = days.credits + excluded.credits;
  RETURN NULL;
END $$;
CREATE TRIGGER ledger_days_counted AFTER INSERT ON ledger_entries REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION count_ledger_days();
INSERT INTO ledger_days
SELECT customer_id, day_of(created_at), CASE kind WHEN 'refund' THEN 'refund'
    WHEN 'topup' THEN CASE WHEN reference IS NULL THEN 'gift' ELSE 'purchase' END
    WHEN 'adjust' THEN CASE WHEN reference = 'deleted:' || customer_id THEN 'forfeited'
      WHEN reference LIKE 'gift:%' THEN 'gift'
      WHEN credits > 0 THEN 'restored' ELSE 'reversal' END
    ELSE 'call' END,
  sum(CASE kind WHEN 'release' THEN -1 ELSE 1 END), sum(credits)
FROM ledger_entries WHERE kind <> 'settle' GROUP BY 1, 2, 3;

ALTER TABLE payments ADD COLUMN receipt bigint;
ALTER TABLE payments ADD COLUMN canceled_at bigint;
CREATE UNIQUE INDEX payments_by_receipt ON payments (customer_id, receipt) WHERE receipt IS NOT NULL;
UPDATE payments SET receipt = numbered.receipt FROM (
  SELECT p.id, row_number() OVER (PARTITION BY p.customer_id ORDER BY e.id) AS receipt
  FROM payments p JOIN ledger_entries e ON e.reference = p.session WHERE p.state = 'paid') AS numbered
WHERE numbered.id = payments.id;

ALTER TABLE billing_notices ADD COLUMN payment_id bigint NOT NULL DEFAULT 0;
ALTER TABLE billing_notices DROP CONSTRAINT billing_notices_pkey;
ALTER TABLE billing_notices ADD PRIMARY KEY (customer_id, kind, payment_id);
`;
