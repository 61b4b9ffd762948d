/** What moved between the operator and all customers, by day in UTC, and what customers have. */
import { query, queryFirst, type Sql } from '../../database/sql/sql.ts';
import { type DayOfRevenue, type MoveSum, moveSums, readRevenue } from './statement-sums.ts';

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
  /** By day: only days on which something moved. */
  credits: MoveSum[];
  revenue: DayOfRevenue[];
  outstanding: Outstanding;
}

const creditsSql = `
  SELECT day AS span, move, ${moveSums} FROM ledger_days WHERE day >= $1 GROUP BY day, move
  ORDER BY day, move`;

const outstandingSql = `
  SELECT count(*) FILTER (WHERE balance > 0) AS customers,
    CAST(coalesce(sum(balance) FILTER (WHERE balance > 0), 0) AS bigint) AS credits,
    count(*) FILTER (WHERE balance < 0) AS debtors,
    CAST(coalesce(-sum(balance) FILTER (WHERE balance < 0), 0) AS bigint) AS debt,
    CAST((SELECT coalesce(sum(credits), 0) FROM open_holds) AS bigint) AS held
  FROM customers`;

/** Reads what moved since a day began (`YYYY-MM-DD`), and what customers have now. */
export function* readMoney({ firstDay }: { firstDay: string }): Sql<MoneyReport> {
  return {
    credits: yield* query<MoveSum>(creditsSql, [firstDay]),
    revenue: yield* readRevenue({ firstDay }),
    outstanding: (yield* queryFirst<Outstanding>(outstandingSql)) as Outstanding,
  };
}
