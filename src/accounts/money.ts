/** Money and credits by day and by month. Pure. */
import { creditMoves } from './credit-moves.ts';
import type { MoneyReport } from './sql/money-sums.ts';
import { daysUpTo } from './sql/search-usage.ts';
import type { CreditMove, DayOfRevenue, Revenue } from './sql/statement-sums.ts';

/** A day or a month, in which perhaps nothing moved. */
export interface MoneySpan {
  /** `YYYY-MM-DD` or `YYYY-MM`, in UTC. */
  span: string;
  /** What was added to the balances; negative: taken from them. */
  credits: Readonly<Record<CreditMove, number>>;
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
  const inSpan = credits.filter((sum) => sum.span.startsWith(span));
  const sumOf = (move: CreditMove): number =>
    inSpan.filter((sum) => sum.move === move).reduce((total, sum) => total + sum.credits, 0);
  return {
    span,
    credits: Object.fromEntries(creditMoves.map((move) => [move, sumOf(move)])) as Record<
      CreditMove,
      number
    >,
    revenue: sumByCurrency(revenue.filter(({ day }) => day.startsWith(span))),
  };
}

/** Returns the sums of days, the currency with the most payments first. */
export function sumByCurrency(days: readonly Omit<DayOfRevenue, 'day'>[]): Revenue[] {
  const sums = new Map<string, Revenue>();
  for (const { currency, payments, amount, refunded, disputed } of days) {
    const sum = sums.get(currency);
    sums.set(currency, {
      currency,
      payments: (sum?.payments ?? 0) + payments,
      amount: (sum?.amount ?? 0) + amount,
      refunded: (sum?.refunded ?? 0) + refunded,
      disputed: (sum?.disputed ?? 0) + disputed,
    });
  }
  return [...sums.values()].sort((a, b) => b.payments - a.payments);
}

/** Returns what remains of the money after refunds and disputes. */
export function netOf({ amount, refunded, disputed }: Revenue): number {
  return amount - refunded - disputed;
}

/** Returns the last months up to now, oldest first: `YYYY-MM`. */
export function monthsUpTo(now: number, months: number): string[] {
  const date = new Date(now);
  return Array.from({ length: months }, (_, index) => {
    const month = date.getUTCMonth() - months + 1 + index;
    return new Date(Date.UTC(date.getUTCFullYear(), month)).toISOString().slice(0, 7);
  });
}
