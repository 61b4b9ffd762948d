/**
 * What moved between the operator and all customers, by day: credits of the ledger, and money of the
 * payments. Days are in UTC.
 */
import type { Connection } from '../../database/sqlite/connection.ts';
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

/** How credits move. */
type Move = keyof CreditMoves;

export interface MoneyRow {
  day: string;
  move: Move;
  credits: number;
}

const day = (column: string): string => `strftime('%Y-%m-%d', ${column} / 1000, 'unixepoch')`;
/** Names the index of the entries that are rare. */
const RARE = "e.kind NOT IN ('hold', 'settle')";

/**
 * Calls are counted by day already. What was charged for refunded ones is not among those counts, so it
 * comes from the entries that refunded them.
 */
const movesSql = `
  SELECT day, 'spent' AS move, -sum(credits) AS credits FROM activity_days
  WHERE kind NOT IN ('topup', 'adjust') AND outcome = 'charged' AND day >= :firstDay GROUP BY day
  UNION ALL
  SELECT ${day('h.created_at')} AS day, 'spent', sum(e.credits)
  FROM ledger_entries e JOIN ledger_entries h ON h.request_id = e.request_id AND h.kind = 'hold'
  WHERE ${RARE} AND e.kind = 'refund' AND h.created_at >= :since GROUP BY 1
  UNION ALL
  SELECT ${day('e.created_at')} AS day, 'refunded', sum(e.credits) FROM ledger_entries e
  WHERE ${RARE} AND e.kind = 'refund' AND e.created_at >= :since GROUP BY 1
  UNION ALL
  SELECT ${day('e.created_at')} AS day, iif(e.reference IS NULL, 'given', 'sold') AS move,
    sum(e.credits) FROM ledger_entries e
  WHERE ${RARE} AND e.kind = 'topup' AND e.created_at >= :since GROUP BY 1, 2
  UNION ALL
  SELECT ${day('e.created_at')} AS day,
    iif(e.reference = 'deleted:' || e.customer_id, 'givenUp', 'takenBack') AS move,
    -sum(e.credits) FROM ledger_entries e
  WHERE ${RARE} AND e.kind = 'adjust' AND e.created_at >= :since GROUP BY 1, 2`;

/** The amount refunded is as in `amountRefunded`. */
const revenueSql = `
  SELECT ${day('e.created_at')} AS day, currency, count(*) AS payments, sum(amount) AS amount,
    sum(min(amount, max(refundsReported - refundsFailed, refundsListed, 0) + disputed)) AS returned
  FROM (SELECT session, currency, amount, ${reversalColumns} FROM payments WHERE state = 'paid') p
  JOIN ledger_entries e ON e.reference = p.session
  WHERE e.created_at >= :since GROUP BY 1, 2 ORDER BY 1, 2`;

const outstandingSql = `
  SELECT count(*) FILTER (WHERE balance > 0) AS customers,
    coalesce(sum(balance) FILTER (WHERE balance > 0), 0) AS credits,
    count(*) FILTER (WHERE balance < 0) AS debtors,
    coalesce(-sum(balance) FILTER (WHERE balance < 0), 0) AS debt,
    (SELECT coalesce(sum(credits), 0) FROM open_holds) AS held
  FROM customers`;

/** Reads what moved since a day began (`YYYY-MM-DD`), and what customers have now. */
export function readMoney(db: Connection, { firstDay }: { firstDay: string }): MoneyReport {
  const since = Date.parse(`${firstDay}T00:00:00Z`);
  return {
    credits: movesByDay(db.prepare(movesSql).all({ firstDay, since }) as MoneyRow[]),
    revenue: db.prepare(revenueSql).all({ since }) as DayOfRevenue[],
    outstanding: db.prepare(outstandingSql).get() as Outstanding,
  };
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
export function movesByDay(rows: readonly MoneyRow[]): DayOfCredits[] {
  const days = new Map<string, DayOfCredits>();
  for (const { day, move, credits } of rows) {
    const known = days.get(day) ?? { day, ...noMoves };
    days.set(day, { ...known, [move]: known[move] + credits });
  }
  return [...days.values()].sort((a, b) => (a.day < b.day ? -1 : 1));
}
