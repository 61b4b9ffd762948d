/**
 * What moved between the operator and all customers, by day: credits of the ledger, and money of the
 * payments. Days are in UTC.
 */
import { query, queryFirst, type Sql } from '../../database/sql/sql.ts';
import { dayOf } from './calendar-month.ts';
import { reversalColumns } from './payments.ts';

/**
 * Credits that moved on a day. What was sold and given, less what was spent, plus what was refunded, less
 * what was taken back and given up, is what customers have, with what is held for open searches.
 */
export interface CreditMoves {
  /** Added with a payment: one of Stripe's, or one that an operator named. */
  sold: number;
  /** Added without a payment. */
  given: number;
  /** Charged for calls that began on that day, also those that were refunded later. */
  spent: number;
  /** Returned to customers for charged calls. */
  refunded: number;
  /** Taken back because the payer got the money back, less what was restored. */
  takenBack: number;
  /** Left in accounts that were deleted. */
  givenUp: number;
}

export interface DayOfCredits extends CreditMoves {
  day: string;
}

/** Money of the payments that arrived, of one currency, in its smallest unit. */
export interface Revenue {
  currency: string;
  payments: number;
  amount: number;
  /** What of these payments was refunded or disputed, whenever that was. */
  returned: number;
}

/** By the day on which the credit was added. */
export interface DayOfRevenue extends Revenue {
  day: string;
}

/** What customers have now. */
export interface Outstanding {
  /** Customers with credit, and how much all of them have. */
  customers: number;
  credits: number;
  /** Customers in debt, and how much all of them owe. */
  debtors: number;
  debt: number;
  /** Held for searches that run. */
  held: number;
}

export interface MoneyReport {
  /** Only days on which something moved, oldest first. */
  credits: DayOfCredits[];
  revenue: DayOfRevenue[];
  outstanding: Outstanding;
}

interface MoneyRow {
  day: string;
  /** How credits move. */
  move: keyof CreditMoves;
  credits: number;
}

/** What the ledger says of a day, by its number since 1970. */
type OfDay<Row> = Omit<Row, 'day'> & { day: number };

const DAY_MS = 86_400_000;

/** What calls cost is summed by day already, without what was refunded. */
const spentSql = `
  SELECT day, 'spent' AS move, CAST(sum(credits) AS bigint) AS credits FROM usage_days
  WHERE day >= $1 GROUP BY day`;

/**
 * What was charged for refunded calls counts on the day of its charge, and comes from the entries that
 * refunded them. Each condition names the index of the entries that are rare.
 */
const movesSql = `
  SELECT s.created_at / ${DAY_MS} AS day, 'spent' AS move, CAST(sum(e.credits) AS bigint) AS credits
  FROM ledger_entries e JOIN ledger_entries s ON s.request_id = e.request_id AND s.kind = 'settle'
  WHERE e.kind NOT IN ('hold', 'settle') AND e.kind = 'refund' AND s.created_at >= $1 GROUP BY 1
  UNION ALL
  SELECT created_at / ${DAY_MS} AS day, CASE WHEN kind = 'refund' THEN 'refunded'
      WHEN kind = 'topup' THEN CASE WHEN reference IS NULL THEN 'given' ELSE 'sold' END
      WHEN reference = 'deleted:' || customer_id THEN 'givenUp' ELSE 'takenBack' END AS move,
    CAST(sum(CASE WHEN kind = 'adjust' THEN -credits ELSE credits END) AS bigint) AS credits
  FROM ledger_entries
  WHERE kind NOT IN ('hold', 'settle') AND kind <> 'release' AND created_at >= $1 GROUP BY 1, 2`;

/** The amount refunded is as in `amountRefunded`. */
const revenueSql = `
  SELECT e.created_at / ${DAY_MS} AS day, currency, count(*) AS payments,
    CAST(sum(amount) AS bigint) AS amount,
    CAST(sum(CASE WHEN back < amount THEN back ELSE amount END) AS bigint) AS returned
  FROM (SELECT session, currency, amount, disputed +
      CASE WHEN "refundsReported" - "refundsFailed" > "refundsListed"
        THEN "refundsReported" - "refundsFailed" ELSE "refundsListed" END AS back
    FROM (SELECT session, currency, amount, ${reversalColumns} FROM payments WHERE state = 'paid') p)
    AS paid
  JOIN ledger_entries e ON e.reference = paid.session
  WHERE e.created_at >= $1 GROUP BY 1, 2 ORDER BY 1, 2`;

const outstandingSql = `
  SELECT count(*) FILTER (WHERE balance > 0) AS customers,
    CAST(coalesce(sum(balance) FILTER (WHERE balance > 0), 0) AS bigint) AS credits,
    count(*) FILTER (WHERE balance < 0) AS debtors,
    CAST(coalesce(-sum(balance) FILTER (WHERE balance < 0), 0) AS bigint) AS debt,
    CAST((SELECT coalesce(sum(credits), 0) FROM open_holds) AS bigint) AS held
  FROM customers`;

/** Reads what moved since a day began (`YYYY-MM-DD`), and what customers have now. */
export function* readMoney({ firstDay }: { firstDay: string }): Sql<MoneyReport> {
  const since = Date.parse(`${firstDay}T00:00:00Z`);
  const spent = yield* query<MoneyRow>(spentSql, [firstDay]);
  const moves = yield* query<OfDay<MoneyRow>>(movesSql, [since]);
  const revenue = yield* query<OfDay<DayOfRevenue>>(revenueSql, [since]);
  const outstanding = (yield* queryFirst<Outstanding>(outstandingSql)) as Outstanding;
  return {
    credits: movesByDay([...spent, ...moves.map(withDay)]),
    revenue: revenue.map(withDay),
    outstanding,
  };
}

function withDay<Row extends { day: number }>(row: Row): Omit<Row, 'day'> & { day: string } {
  return { ...row, day: dayOf(row.day * DAY_MS) };
}

export const noMoves: CreditMoves = {
  sold: 0,
  given: 0,
  spent: 0,
  refunded: 0,
  takenBack: 0,
  givenUp: 0,
};

/** Returns one row for each day, oldest first. Pure. */
function movesByDay(rows: readonly MoneyRow[]): DayOfCredits[] {
  const days = new Map<string, DayOfCredits>();
  for (const { day, move, credits } of rows) {
    const known = days.get(day) ?? { day, ...noMoves };
    days.set(day, { ...known, [move]: known[move] + credits });
  }
  return [...days.values()].sort((a, b) => (a.day < b.day ? -1 : 1));
}
