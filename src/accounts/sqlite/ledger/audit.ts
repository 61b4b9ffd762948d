/**
 * Recomputes the other tables from the ledger's entries alone and reports every difference. It
 * shares no code with ledger.ts, so a mistake there cannot hide itself here. No check has a full
 * join: SQLite reads all of one side for each row of the other one.
 */
import type { Connection } from '../../../database/sqlite/connection.ts';
import type { AuditReport } from '../../sql/kept-audits.ts';

interface Check {
  sql: string;
  describe: (row: Record<string, unknown>) => string;
}

/** Compares a usage table with the sum of its searches, by month or by day. */
function usageCheck({
  table,
  column,
  format,
}: Record<'table' | 'column' | 'format', string>): Check {
  return {
    sql: `WITH charged AS (
            SELECT s.key_id, strftime('${format}', s.created_at / 1000, 'unixepoch') AS span,
              -h.credits AS cost, r.id IS NOT NULL AS refunded
            FROM ledger_entries s
            JOIN ledger_entries h ON h.request_id = s.request_id AND h.kind = 'hold'
            LEFT JOIN ledger_entries r ON r.request_id = s.request_id AND r.kind = 'refund'
            WHERE s.kind = 'settle'),
          counted AS (
            SELECT key_id, span, count(*) AS requests,
              sum(CASE WHEN refunded THEN 0 ELSE cost END) AS credits
            FROM charged GROUP BY key_id, span)
          SELECT key_id, span FROM (
            SELECT key_id, span, requests, credits, 1 AS row FROM counted
            UNION ALL SELECT key_id, ${column}, -requests, -credits, -1 FROM ${table})
          GROUP BY key_id, span HAVING sum(requests) <> 0 OR sum(credits) <> 0 OR sum(row) <> 0`,
    describe: (row) =>
      `key ${row['key_id']}: the usage of ${row['span']} differs from the sum of its searches`,
  };
}

const checks: readonly Check[] = [
  {
    sql: `SELECT c.id, c.balance, coalesce(sum(e.credits), 0) AS sum
          FROM customers c LEFT JOIN ledger_entries e ON e.customer_id = c.id
          GROUP BY c.id HAVING c.balance <> coalesce(sum(e.credits), 0)`,
    describe: (row) =>
      `customer ${row['id']}: the balance is ${row['balance']}, but the entries add up to ${row['sum']}`,
  },
  {
    sql: `SELECT id, customer_id, balance, sum FROM (
            SELECT id, customer_id, balance,
              sum(credits) OVER (PARTITION BY customer_id ORDER BY id) AS sum
            FROM ledger_entries)
          WHERE balance <> sum`,
    describe: (row) =>
      `entry ${row['id']}: has a balance of ${row['balance']}, but the entries up to it add up to ${row['sum']}`,
  },
  {
    sql: `SELECT e.id FROM ledger_entries e
          LEFT JOIN customers c ON c.id = e.customer_id
          LEFT JOIN api_keys k ON k.id = e.key_id
          WHERE c.id IS NULL OR (e.key_id IS NOT NULL AND k.id IS NULL)`,
    describe: (row) => `entry ${row['id']}: its customer or key does not exist`,
  },
  {
    // Only what is taken back can leave a debt, and none larger than itself.
    sql: `SELECT id, balance FROM (
            SELECT id, kind, balance,
              sum(iif(kind = 'adjust', credits, 0)) OVER (PARTITION BY customer_id ORDER BY id)
                AS adjusted
            FROM ledger_entries)
          WHERE balance < 0 AND (kind = 'hold' OR balance < adjusted)`,
    describe: (row) => `entry ${row['id']}: the balance was ${row['balance']}`,
  },
  {
    sql: `SELECT e.id, e.kind, e.request_id FROM ledger_entries e
          LEFT JOIN ledger_entries h ON h.request_id = e.request_id AND h.kind = 'hold'
          WHERE e.kind IN ('settle', 'release', 'refund')
            AND (h.id IS NULL OR h.id > e.id OR h.customer_id <> e.customer_id
              OR h.key_id <> e.key_id
              OR (e.kind <> 'settle' AND e.credits <> -h.credits))`,
    describe: (row) => `entry ${row['id']}: a ${row['kind']} without its hold`,
  },
  {
    sql: `SELECT request_id, group_concat(kind) AS kinds FROM ledger_entries
          WHERE request_id IS NOT NULL GROUP BY request_id
          HAVING sum(kind IN ('settle', 'release')) > 1
            OR sum(kind = 'refund') > sum(kind = 'settle')`,
    describe: (row) => `search ${row['request_id']}: resolved more than once (${row['kinds']})`,
  },
  {
    sql: `SELECT h.request_id FROM ledger_entries h
          LEFT JOIN open_holds o ON o.request_id = h.request_id
            AND o.credits = -h.credits AND o.customer_id = h.customer_id AND o.key_id = h.key_id
          WHERE h.kind = 'hold' AND (o.request_id IS NULL) = NOT EXISTS (
            SELECT 1 FROM ledger_entries r
            WHERE r.request_id = h.request_id AND r.kind IN ('settle', 'release'))`,
    describe: (row) => `search ${row['request_id']}: open in one table but resolved in the other`,
  },
  {
    sql: `SELECT o.request_id FROM open_holds o
          LEFT JOIN ledger_entries h ON h.request_id = o.request_id AND h.kind = 'hold'
          WHERE h.id IS NULL`,
    describe: (row) => `search ${row['request_id']}: held without a ledger entry`,
  },
  {
    sql: `WITH counted AS (
            SELECT customer_id, strftime('%Y-%m-%d', created_at / 1000, 'unixepoch') AS day,
              CASE WHEN kind = 'topup' AND reference IS NULL OR substr(reference, 1, 5) = 'gift:' THEN 'gift'
                WHEN kind = 'topup' THEN 'purchase' WHEN kind = 'refund' THEN 'refund'
                WHEN kind <> 'adjust' THEN 'call'
                WHEN reference = 'deleted:' || customer_id THEN 'forfeited'
                WHEN credits > 0 THEN 'restored'
                WHEN substr(reference, -8) = ':dispute' THEN 'dispute' ELSE 'reversal' END AS move,
              sum(kind <> 'release') - sum(kind = 'release') AS entries, sum(credits) AS credits
            FROM ledger_entries WHERE kind <> 'settle' GROUP BY 1, 2, move)
          SELECT customer_id AS id, day, move FROM (
            SELECT customer_id, day, move, entries, credits FROM counted
            UNION ALL SELECT customer_id, day, move, -entries, -credits FROM ledger_days)
          GROUP BY customer_id, day, move HAVING sum(entries) <> 0 OR sum(credits) <> 0`,
    describe: (row) =>
      `day ${row['day']}: the ${row['move']} sum of customer ${row['id']} differs from its entries`,
  },
  usageCheck({ table: 'usage', column: 'period', format: '%Y-%m' }),
  usageCheck({ table: 'usage_days', column: 'day', format: '%Y-%m-%d' }),
  {
    sql: `SELECT p.id, p.credits_given AS given, coalesce(sum(e.credits), 0) AS sum
          FROM payments p LEFT JOIN ledger_entries e ON e.customer_id = p.customer_id
            AND (e.reference = p.session
              OR (e.kind = 'adjust' AND e.reference > p.session || ':'
                AND e.reference < p.session || ';'))
          WHERE p.state = 'paid' OR p.credits_given > 0
          GROUP BY p.id HAVING given <> sum`,
    describe: (row) =>
      `payment ${row['id']}: gave ${row['given']} credits, but its entries add up to ${row['sum']}`,
  },
  {
    // A refund can take all of it back, but not the entry.
    sql: `SELECT id, credits FROM payments p WHERE state = 'paid' AND NOT EXISTS (
            SELECT 1 FROM ledger_entries e WHERE e.reference = p.session AND e.kind = 'topup'
              AND e.customer_id = p.customer_id AND e.credits = p.credits)`,
    describe: (row) =>
      `payment ${row['id']}: is paid, but has no top-up of ${row['credits']} credits`,
  },
  {
    sql: `SELECT customer_id AS id, count(*) AS orders FROM payments
          WHERE payment_method IS NOT NULL AND state = 'ordered'
          GROUP BY customer_id HAVING count(*) > 1`,
    describe: (row) => `customer ${row['id']}: ${row['orders']} automatic orders are open at once`,
  },
  {
    sql: `SELECT id FROM payments WHERE payment_method IS NOT NULL AND state = 'ordered'
            AND ask_at IS NULL AND session IS NULL`,
    describe: (row) => `payment ${row['id']}: an automatic order for which nobody asks Stripe`,
  },
  {
    sql: `SELECT id FROM ledger_entries e WHERE kind = 'adjust'
            AND e.reference <> 'deleted:' || e.customer_id
            AND substr(e.reference, 1, 5) <> 'gift:' AND NOT EXISTS (
            SELECT 1 FROM payments p
            WHERE p.session = substr(e.reference, 1, instr(e.reference, ':') - 1))`,
    describe: (row) => `entry ${row['id']}: an adjust without its payment`,
  },
  {
    sql: `SELECT id FROM ledger_entries e WHERE kind = 'adjust'
            AND substr(reference, 1, 5) = 'gift:' AND NOT EXISTS (
            SELECT 1 FROM ledger_entries g WHERE g.id = CAST(substr(e.reference, 6) AS INTEGER)
              AND g.customer_id = e.customer_id AND g.kind = 'topup' AND g.id < e.id
              AND -e.credits BETWEEN 1 AND g.credits)`,
    describe: (row) => `entry ${row['id']}: takes back credit that was not given`,
  },
  {
    // The searches of a batch are named after its request: "r-1", "r-2". The dot follows the hyphen.
    sql: `SELECT a.customer_id, a.request_id FROM stored_answers a WHERE NOT EXISTS (
            SELECT 1 FROM ledger_entries e
            WHERE e.request_id >= a.request_id AND e.request_id < a.request_id || '.'
              AND e.kind IN ('settle', 'release') AND e.customer_id = a.customer_id)`,
    describe: (row) =>
      `customer ${row['customer_id']}: the answer to ${row['request_id']} is stored without its charge`,
  },
  {
    sql: `WITH stored AS (
            SELECT customer_id, count(*) AS answers, sum(bytes) AS bytes
            FROM stored_answers GROUP BY customer_id
            UNION ALL SELECT 0, count(*), coalesce(sum(bytes), 0) FROM stored_answers)
          SELECT customer_id AS id FROM (
            SELECT customer_id, answers, bytes FROM stored
            UNION ALL SELECT customer_id, -answers, -bytes FROM stored_answer_totals)
          GROUP BY customer_id HAVING sum(answers) <> 0 OR sum(bytes) <> 0`,
    describe: (row) => `customer ${row['id']}: the totals of stored answers differ from their sum`,
  },
];

/** Audits customers, entries, open holds and usage in one consistent snapshot. */
export function auditLedger(db: Connection): AuditReport {
  return db.transaction(() => {
    const value = (sql: string): number => Number(db.prepare(sql).pluck().get());
    return {
      customers: value('SELECT count(*) FROM customers'),
      entries: value('SELECT count(*) FROM ledger_entries'),
      held: value('SELECT coalesce(sum(credits), 0) FROM open_holds'),
      differences: [...auditInSteps(db)].flat(),
    };
  })();
}

/**
 * Makes one check after the other, and yields the differences that it found. Each sees one state, so
 * they need no snapshot in common.
 */
export function* auditInSteps(db: Connection): Generator<string[]> {
  for (const { sql, describe } of checks) {
    yield (db.prepare(sql).all() as Record<string, unknown>[]).map(describe);
  }
}

/** When the last entry was written, in milliseconds since 1970; null for an empty ledger. */
export function readLedgerEnd(db: Connection): number | null {
  const read = db.prepare('SELECT created_at FROM ledger_entries ORDER BY id DESC LIMIT 1').pluck();
  return (read.get() as number | undefined) ?? null;
}
