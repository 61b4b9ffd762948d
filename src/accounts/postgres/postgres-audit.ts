/**
 * Recomputes the other tables on PostgreSQL from the ledger's entries alone and reports every
 * difference. It shares no code with the functions of the database, so a mistake there cannot hide
 * itself here.
 */

import type { Database, Queries } from '../../database/postgres/postgres-database.ts';
import type { AuditReport } from '../sql/kept-audits.ts';

/** Each check selects a sentence, as `difference`, for everything that does not add up. */
const checks: readonly string[] = [
  `SELECT format('customer %s: the balance is %s, but the entries add up to %s',
     c.id, c.balance, coalesce(sum(e.credits), 0)) AS difference
   FROM customers c LEFT JOIN ledger_entries e ON e.customer_id = c.id
   GROUP BY c.id HAVING c.balance <> coalesce(sum(e.credits), 0)`,
  `SELECT format('entry %s: has a balance of %s, but the entries up to it add up to %s',
     id, balance, sum) AS difference
   FROM (SELECT id, balance, sum(credits) OVER (PARTITION BY customer_id ORDER BY id)
     FROM ledger_entries) AS entries WHERE balance <> sum`,
  // Only what is taken back can leave a debt, and none larger than itself.
  `SELECT format('entry %s: the balance was %s', id, balance) AS difference
   FROM (SELECT id, kind, balance, sum(CASE kind WHEN 'adjust' THEN credits ELSE 0 END)
       OVER (PARTITION BY customer_id ORDER BY id) AS adjusted FROM ledger_entries) AS entries
   WHERE balance < 0 AND (kind = 'hold' OR balance < adjusted)`,
  `SELECT format('entry %s: a %s without its hold', e.id, e.kind) AS difference
   FROM ledger_entries e
   LEFT JOIN ledger_entries h ON h.request_id = e.request_id AND h.kind = 'hold'
   WHERE e.kind IN ('settle', 'release', 'refund')
     AND (h.id IS NULL OR h.id > e.id OR h.customer_id <> e.customer_id OR h.key_id <> e.key_id
       OR (e.kind <> 'settle' AND e.credits <> -h.credits))`,
  `SELECT format('search %s: resolved more than once (%s)', request_id,
     string_agg(kind, ',')) AS difference
   FROM ledger_entries WHERE request_id IS NOT NULL GROUP BY request_id
   HAVING count(*) FILTER (WHERE kind IN ('settle', 'release')) > 1
     OR count(*) FILTER (WHERE kind = 'refund') > count(*) FILTER (WHERE kind = 'settle')`,
  `SELECT format('search %s: open in one table but resolved in the other', h.request_id)
     AS difference
   FROM ledger_entries h LEFT JOIN open_holds o ON o.request_id = h.request_id
     AND o.credits = -h.credits AND o.customer_id = h.customer_id AND o.key_id = h.key_id
   WHERE h.kind = 'hold' AND (o.request_id IS NULL) = NOT EXISTS (
     SELECT 1 FROM ledger_entries r
     WHERE r.request_id = h.request_id AND r.kind IN ('settle', 'release'))`,
  `SELECT format('search %s: held without a ledger entry', o.request_id) AS difference
   FROM open_holds o
   LEFT JOIN ledger_entries h ON h.request_id = o.request_id AND h.kind = 'hold'
   WHERE h.id IS NULL`,
  `WITH counted AS (
     SELECT customer_id, day_of(created_at) AS day,
       CASE WHEN kind = 'topup' AND reference IS NULL OR substr(reference, 1, 5) = 'gift:' THEN 'gift'
         WHEN kind = 'topup' THEN 'purchase' WHEN kind = 'refund' THEN 'refund'
         WHEN kind <> 'adjust' THEN 'call'
         WHEN reference = 'deleted:' || customer_id THEN 'forfeited'
         WHEN credits > 0 THEN 'restored'
         WHEN right(reference, 8) = ':dispute' THEN 'dispute' ELSE 'reversal' END AS move,
       count(*) FILTER (WHERE kind <> 'release') - count(*) FILTER (WHERE kind = 'release') AS entries,
       sum(credits) AS credits
     FROM ledger_entries WHERE kind <> 'settle' GROUP BY 1, 2, 3)
   SELECT format('day %s: the %s sum of customer %s differs from its entries', day, move, customer_id)
     AS difference
   FROM ledger_days d FULL JOIN counted c USING (customer_id, day, move)
   WHERE coalesce(d.entries, 0) <> coalesce(c.entries, 0)
     OR coalesce(d.credits, 0) <> coalesce(c.credits, 0)`,
  usageCheck('usage', 'period', 7),
  usageCheck('usage_days', 'day', 10),
  `SELECT format('payment %s: gave %s credits, but its entries add up to %s', p.id,
     p.credits_given, coalesce(sum(e.credits), 0)) AS difference
   FROM payments p LEFT JOIN ledger_entries e ON e.customer_id = p.customer_id AND p.session =
     CASE e.kind WHEN 'adjust' THEN split_part(e.reference, ':', 1) ELSE e.reference END
   WHERE p.state = 'paid' OR p.credits_given > 0
   GROUP BY p.id HAVING p.credits_given <> coalesce(sum(e.credits), 0)`,
  // A refund can take all of it back, but not the entry.
  `SELECT format('payment %s: is paid, but has no top-up of %s credits', id, credits) AS difference
   FROM payments p WHERE state = 'paid' AND NOT EXISTS (
     SELECT 1 FROM ledger_entries e WHERE e.reference = p.session AND e.kind = 'topup'
       AND e.customer_id = p.customer_id AND e.credits = p.credits)`,
  `SELECT format('customer %s: %s automatic orders are open at once', customer_id, count(*))
     AS difference
   FROM payments WHERE payment_method IS NOT NULL AND state = 'ordered'
   GROUP BY customer_id HAVING count(*) > 1`,
  `SELECT format('payment %s: an automatic order for which nobody asks Stripe', id) AS difference
   FROM payments WHERE payment_method IS NOT NULL AND state = 'ordered'
     AND ask_at IS NULL AND session IS NULL`,
  `SELECT format('entry %s: an adjust without its payment', id) AS difference
   FROM ledger_entries e WHERE kind = 'adjust'
     AND e.reference <> 'deleted:' || e.customer_id AND e.reference NOT LIKE 'gift:%'
     AND NOT EXISTS (
       SELECT 1 FROM payments p WHERE p.session = split_part(e.reference, ':', 1))`,
  `SELECT format('entry %s: takes back credit that was not given', id) AS difference
   FROM ledger_entries e WHERE kind = 'adjust' AND reference LIKE 'gift:%' AND NOT EXISTS (
     SELECT 1 FROM ledger_entries g WHERE g.id = split_part(e.reference, ':', 2)::bigint
       AND g.customer_id = e.customer_id AND g.kind = 'topup' AND g.id < e.id
       AND -e.credits BETWEEN 1 AND g.credits)`,
  // The searches of a batch are named after its request: "r-1", "r-2". Only equal values can be joined
  // without comparing each answer with each entry.
  `WITH ended AS (
     SELECT customer_id, request_id FROM ledger_entries WHERE kind IN ('settle', 'release')),
   requests AS (
     SELECT customer_id, request_id FROM ended
     UNION ALL SELECT customer_id, regexp_replace(request_id, '-[0-9]+$', '') FROM ended)
   SELECT format('customer %s: the answer to %s is stored without its charge',
     a.customer_id, a.request_id) AS difference
   FROM stored_answers a WHERE NOT EXISTS (
     SELECT 1 FROM requests r
     WHERE r.customer_id = a.customer_id AND r.request_id = a.request_id)`,
  `WITH stored AS (
     SELECT customer_id, count(*) AS answers, sum(bytes) AS bytes
     FROM stored_answers GROUP BY customer_id
     UNION ALL SELECT 0, count(*), coalesce(sum(bytes), 0) FROM stored_answers)
   SELECT format('customer %s: the totals of stored answers differ from their sum', customer_id)
     AS difference
   FROM stored_answer_totals t FULL JOIN stored s USING (customer_id)
   WHERE coalesce(t.answers, 0) <> coalesce(s.answers, 0)
     OR coalesce(t.bytes, 0) <> coalesce(s.bytes, 0)`,
];

/** Compares a usage table with the sum of its searches, by the first characters of their day. */
function usageCheck(table: string, column: string, characters: number): string {
  return `WITH charged AS (
      SELECT s.key_id, left(day_of(s.created_at), ${characters}) AS span, -h.credits AS cost,
        r.id IS NOT NULL AS refunded
      FROM ledger_entries s
      JOIN ledger_entries h ON h.request_id = s.request_id AND h.kind = 'hold'
      LEFT JOIN ledger_entries r ON r.request_id = s.request_id AND r.kind = 'refund'
      WHERE s.kind = 'settle'),
    counted AS (
      SELECT key_id, span, count(*) AS requests,
        sum(CASE WHEN refunded THEN 0 ELSE cost END) AS credits
      FROM charged GROUP BY key_id, span)
    SELECT format('key %s: the usage of %s differs from the sum of its searches',
      coalesce(u.key_id, c.key_id), coalesce(u.${column}, c.span)) AS difference
    FROM ${table} u FULL JOIN counted c ON c.key_id = u.key_id AND c.span = u.${column}
    WHERE u.requests IS DISTINCT FROM c.requests OR u.credits IS DISTINCT FROM c.credits`;
}

/** Audits customers, entries, open holds and usage in one consistent snapshot. */
export function auditLedger(database: Database): Promise<AuditReport> {
  return database.longSnapshot(auditWithin);
}

/** The same in a transaction that has begun. */
export async function auditWithin({ query }: Queries): Promise<AuditReport> {
  const value = async (sql: string): Promise<number> =>
    (await query<{ value: number }>(sql))[0]?.value ?? 0;
  const differences: string[] = [];
  for (const sql of checks) {
    const rows = await query<{ difference: string }>(sql);
    differences.push(...rows.map(({ difference }) => difference));
  }
  return {
    customers: await value('SELECT count(*) AS value FROM customers'),
    entries: await value('SELECT count(*) AS value FROM ledger_entries'),
    held: await value('SELECT coalesce(sum(credits), 0)::bigint AS value FROM open_holds'),
    differences,
  };
}
