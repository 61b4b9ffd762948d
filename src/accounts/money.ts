/** Money and credits by day and by month, for operators. Pure. */
import {
  type CreditMoves,
  type DayOfRevenue,
  type MoneyReport,
  noMoves,
  type Revenue,
} from './sql/money-sums.ts';
import { daysUpTo } from './sql/search-usage.ts';

/** A day or a month, in which perhaps nothing moved. */
export interface MoneySpan extends CreditMoves {
  /** `YYYY-MM-DD` or `YYYY-MM`, in UTC. */
  span: string;
  /** By currency, with the code of three letters. */
  revenue: Revenue[];
}

/** Both oldest first, the current one last. */
export interface MoneySpans {
  days: MoneySpan[];
  months: MoneySpan[];
}

interface Spans {
  now: number;
  days: number;
  months: number;
}

/** Returns the day from which on a report is needed. */
export function firstDayOf({ now, days, months }: Spans): string {
  const [firstDay = ''] = daysUpTo(now, days);
  const [firstMonth = ''] = monthsUpTo(now, months);
  return [firstDay, `${firstMonth}-01`].sort()[0] as string;
}

/** Adds up a report. */
export function moneySpans(report: MoneyReport, { now, days, months }: Spans): MoneySpans {
  return {
    days: daysUpTo(now, days).map((day) => spanOf(report, day)),
    months: monthsUpTo(now, months).map((month) => spanOf(report, month)),
  };
}

/** Days begin with the name of their month. */
function spanOf({ credits, revenue }: MoneyReport, span: string): MoneySpan {
  const moves = { ...noMoves };
  for (const day of credits.filter((day) => day.day.startsWith(span))) {
    for (const move of Object.keys(moves) as (keyof CreditMoves)[]) moves[move] += day[move];
  }
  const inSpan = revenue.filter(({ day }) => day.startsWith(span));
  return { span, ...moves, revenue: sumByCurrency(inSpan) };
}

/** Returns the sums of days, the currency with the most payments first. */
export function sumByCurrency(days: readonly Omit<DayOfRevenue, 'day'>[]): Revenue[] {
  const sums = new Map<string, Revenue>();
  for (const { currency, payments, amount, returned } of days) {
    const sum = sums.get(currency) ?? { currency, payments: 0, amount: 0, returned: 0 };
    sums.set(currency, {
      currency,
      payments: sum.payments + payments,
      amount: sum.amount + amount,
      returned: sum.returned + returned,
    });
  }
  return [...sums.values()].sort((a, b) => b.payments - a.payments);
}

/** Returns the last months up to now, oldest first: `YYYY-MM`. */
export function monthsUpTo(now: number, months: number): string[] {
  const date = new Date(now);
  return Array.from({ length: months }, (_, index) => {
    const month = date.getUTCMonth() - months + 1 + index;
    return new Date(Date.UTC(date.getUTCFullYear(), month)).toISOString().slice(0, 7);
  });
}
