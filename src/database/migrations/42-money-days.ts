/** Step 42: how credit moved by day, numbers of receipts, canceled orders, and mails about one payment. */
export const moneyDays = {
  name: 'credit by day, receipts',
  sql: `
CREATE TABLE ledger_days (
  customer_id INTEGER NOT NULL REFERENCES customers (id),
  day         TEXT NOT NULL,
  move        TEXT NOT NULL,
  entries     INTEGER NOT NULL,
  credits     INTEGER NOT NULL,
  PRIMARY KEY (customer_id, day, move)
) STRICT, WITHOUT ROWID;
INSERT INTO ledger_days
SELECT customer_id, strftime('%Y-%m-%d', created_at / 1000, 'unixepoch'),
  CASE kind WHEN 'refund' THEN 'refund' WHEN 'topup' THEN iif(reference IS NULL, 'gift', 'purchase')
    WHEN 'adjust' THEN CASE WHEN reference = 'deleted:' || customer_id THEN 'forfeited'
      WHEN reference LIKE 'gift:%' THEN 'gift'
      WHEN credits > 0 THEN 'restored' ELSE 'reversal' END
    ELSE 'call' END AS move,
  sum(iif(kind = 'release', -1, 1)), sum(credits)
FROM ledger_entries WHERE kind <> 'settle' GROUP BY 1, 2, move;
CREATE TRIGGER ledger_days_counted AFTER INSERT ON ledger_entries WHEN new.kind <> 'settle' BEGIN
  INSERT INTO ledger_days VALUES (new.customer_id,
    strftime('%Y-%m-%d', new.created_at / 1000, 'unixepoch'),
    CASE new.kind WHEN 'refund' THEN 'refund'
      WHEN 'topup' THEN iif(new.reference IS NULL, 'gift', 'purchase')
      WHEN 'adjust' THEN CASE WHEN new.reference = 'deleted:' || new.customer_id THEN 'forfeited'
        WHEN new.reference LIKE 'gift:%' THEN 'gift'
        WHEN new.credits > 0 THEN 'restored'
        WHEN new.reference LIKE '%:dispute' THEN 'dispute' ELSE 'reversal' END
      ELSE 'call' END,
    iif(new.kind = 'release', -1, 1), new.credits)
  ON CONFLICT DO UPDATE SET entries = entries + excluded.entries, credits = credits + excluded.credits;
END;

ALTER TABLE payments ADD COLUMN receipt INTEGER;
ALTER TABLE payments ADD COLUMN canceled_at INTEGER;
CREATE UNIQUE INDEX payments_by_receipt ON payments (customer_id, receipt) WHERE receipt IS NOT NULL;
UPDATE payments SET receipt = numbered.receipt FROM (
  SELECT p.id, row_number() OVER (PARTITION BY p.customer_id ORDER BY e.id) AS receipt
  FROM payments p JOIN ledger_entries e ON e.reference = p.session WHERE p.state = 'paid') AS numbered
WHERE numbered.id = payments.id;

DROP TRIGGER balance_fell;
CREATE TABLE notices (
  customer_id INTEGER NOT NULL REFERENCES customers (id),
  kind        TEXT NOT NULL,
  attempts    INTEGER NOT NULL DEFAULT 0,
  retry_at    INTEGER NOT NULL DEFAULT 0,
  claimed_at  INTEGER,
  payment_id  INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (customer_id, kind, payment_id)
) STRICT, WITHOUT ROWID;
INSERT INTO notices SELECT *, 0 FROM billing_notices;
DROP TABLE billing_notices;
ALTER TABLE notices RENAME TO billing_notices;
CREATE INDEX billing_notices_waiting ON billing_notices (retry_at) WHERE claimed_at IS NULL;
CREATE TRIGGER balance_fell AFTER UPDATE OF balance ON customers
WHEN new.balance < new.low_balance AND old.balance >= new.low_balance BEGIN
  INSERT OR IGNORE INTO billing_notices (customer_id, kind) VALUES (new.id, 'low_balance');
END;
`,
};
