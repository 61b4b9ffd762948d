/**
 * What moved between the operator and a customer: credits of the ledger, and money of the payments, by day
 * and month in UTC. A trigger keeps the credits of each day, so no sum reads the entries.
 */
import { query, type Sql } from '../../database/sql/sql.ts';
import { dayOf } from './calendar-month.ts';
import { reversalColumns } from './payments.ts';

/** How an entry moves credit: see the table `ledger_days`. */
export type CreditMove =
  | 'purchase'
  | 'gift'
  | 'call'
  | 'refund'
  | 'reversal'
  | 'dispute'
  | 'restored'
  | 'forfeited';

/** The entries of a span of time that moved credit in the same way. */
export interface MoveSum {
  /** A day, `YYYY-MM-DD`, or a month, `YYYY-MM`. */
  span: string;
  move: CreditMove;
  /** Calls: those that were not released. */
  entries: number;
  /** What they add to the balances. The sum of all moves is what customers have. */
  credits: number;
}

/** Money of the payments that arrived, of one currency, in its smallest unit. */
export interface Revenue {
  currency: string;
  payments: number;
  /** What was paid. */
  amount: number;
  /** What of these payments was refunded, whenever that was. */
  refunded: number;
  /** What of the rest is disputed, or was lost to a dispute. */
  disputed: number;
}

/** By the day on which the credit was added. */
export interface DayOfRevenue extends Revenue {
  day: string;
}

const DAY_MS = 86_400_000;

/** Columns of a `MoveSum`. */
export const moveSums = `CAST(sum(entries) AS bigint) AS entries, CAST(sum(credits) AS bigint) AS credits`;

/** The amount refunded is as in `amountRefunded`. A dispute may be about money that was refunded. */
const revenueSql = (ofCustomer: string): string => `
  SELECT e.created_at / ${DAY_MS} AS day, currency, count(*) AS payments,
    CAST(sum(amount) AS bigint) AS amount, CAST(sum(refunded) AS bigint) AS refunded,
    CAST(sum(CASE WHEN disputed < amount - refunded THEN disputed ELSE amount - refunded END)
      AS bigint) AS disputed
  FROM (SELECT session, currency, amount, disputed, CASE WHEN back < amount THEN back ELSE amount END
      AS refunded
    FROM (SELECT session, currency, amount, disputed,
        CASE WHEN "refundsReported" - "refundsFailed" > "refundsListed"
          THEN "refundsReported" - "refundsFailed" ELSE "refundsListed" END AS back
      FROM (SELECT session, currency, amount, ${reversalColumns} FROM payments
        WHERE state = 'paid' ${ofCustomer}) AS facts) AS paid) AS kept
  JOIN ledger_entries e ON e.reference = kept.session
  WHERE e.created_at >= $1 GROUP BY 1, 2 ORDER BY 1, 2`;

/** Reads the money of payments whose credit was added since a day began: of all customers, or of one. */
export function* readRevenue({
  firstDay,
  customerId,
}: {
  firstDay: string;
  customerId?: number;
}): Sql<DayOfRevenue[]> {
  const since = Date.parse(`${firstDay}T00:00:00Z`);
  const [ofCustomer, values] =
    customerId === undefined ? ['', []] : ['AND customer_id = $2', [customerId]];
  const rows = yield* query<Revenue & { day: number }>(revenueSql(ofCustomer), [since, ...values]);
  return rows.map((row) => ({ ...row, day: dayOf(row.day * DAY_MS) }));
}

const monthsSql = `
  SELECT substr(day, 1, 7) AS span, move, ${moveSums} FROM ledger_days WHERE customer_id = $1
  GROUP BY 1, 2 ORDER BY 1, 2`;

/** Reads how the credit of a customer moved, by month. */
export function* readMonthSums({ customerId }: { customerId: number }): Sql<MoveSum[]> {
  return yield* query<MoveSum>(monthsSql, [customerId]);
}

/** Reads the same with the money of payments since a month (`YYYY-MM`). */
export function* readStatement({
  customerId,
  month,
}: {
  customerId: number;
  month: string;
}): Sql<{ sums: MoveSum[]; revenue: DayOfRevenue[] }> {
  return {
    sums: yield* readMonthSums({ customerId }),
    revenue: yield* readRevenue({ customerId, firstDay: `${month}-01` }),
  };
}
