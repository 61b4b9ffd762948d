/** What moved between the operator and all customers, by day, on PostgreSQL. */

import type { Queries } from '../../database/postgres/postgres-database.ts';
import {
  type DayOfRevenue,
  type MoneyReport,
  type MoneyRow,
  movesByDay,
  type Outstanding,
} from '../sql/money-sums.ts';
import { reversalColumns } from './postgres-payments.ts';

/** As on SQLite. */
const movesSql = `
  SELECT day, 'spent' AS move, -sum(credits)::bigint AS credits FROM activity_days
  WHERE kind NOT IN ('topup', 'adjust') AND outcome = 'charged' AND day >= $1 GROUP BY day
  UNION ALL
  SELECT day_of(h.created_at), 'spent', sum(e.credits)::bigint
  FROM ledger_entries e JOIN ledger_entries h ON h.request_id = e.request_id AND h.kind = 'hold'
  WHERE e.kind = 'refund' AND h.created_at >= $2 GROUP BY 1
  UNION ALL
  SELECT day_of(created_at), CASE WHEN kind = 'refund' THEN 'refunded'
    WHEN kind = 'topup' THEN CASE WHEN reference IS NULL THEN 'given' ELSE 'sold' END
    WHEN reference = 'deleted:' || customer_id THEN 'givenUp' ELSE 'takenBack' END,
    sum(CASE WHEN kind = 'adjust' THEN -credits ELSE credits END)::bigint
  FROM ledger_entries WHERE kind IN ('refund', 'topup', 'adjust') AND created_at >= $2
  GROUP BY 1, 2`;

/** The amount refunded is as in `amountRefunded`. */
const revenueSql = `
  SELECT day_of(e.created_at) AS day, currency, count(*) AS payments, sum(amount)::bigint AS amount,
    sum(least(amount, greatest("refundsReported" - "refundsFailed", "refundsListed", 0) + disputed)
    )::bigint AS returned
  FROM (SELECT session, currency, amount, ${reversalColumns} FROM payments WHERE state = 'paid') p
  JOIN ledger_entries e ON e.reference = p.session
  WHERE e.created_at >= $1 GROUP BY 1, 2 ORDER BY 1, 2`;

const outstandingSql = `
  SELECT count(*) FILTER (WHERE balance > 0) AS customers,
    coalesce(sum(balance) FILTER (WHERE balance > 0), 0)::bigint AS credits,
    count(*) FILTER (WHERE balance < 0) AS debtors,
    coalesce(-sum(balance) FILTER (WHERE balance < 0), 0)::bigint AS debt,
    (SELECT coalesce(sum(credits), 0) FROM open_holds)::bigint AS held
  FROM customers`;

/** Reads what moved since a day began (`YYYY-MM-DD`), and what customers have now. */
export async function readMoney(
  { query }: Queries,
  { firstDay }: { firstDay: string },
): Promise<MoneyReport> {
  const since = Date.parse(`${firstDay}T00:00:00Z`);
  const moves = await query<MoneyRow>(movesSql, [firstDay, since]);
  const revenue = await query<DayOfRevenue>(revenueSql, [since]);
  const [outstanding] = await query<Outstanding>(outstandingSql);
  return { credits: movesByDay(moves), revenue, outstanding: outstanding as Outstanding };
}
