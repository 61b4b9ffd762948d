/**
 * Monthly statements of a customer: what they had, how it moved, and what they have. They come from the
 * sums that a trigger keeps by day, so they cost the same however many calls there were. Pure.
 */
import { decimalAmount } from './amounts/price.ts';
import { creditMoves, moveWords } from './credit-moves.ts';
import { monthsUpTo, netOf, sumByCurrency } from './money.ts';
import { periodOf } from './sql/calendar-month.ts';
import type { DayOfRevenue, MoveSum } from './sql/statement-sums.ts';
import { type Column, type Table, tableOf } from './write-table.ts';

export interface Statement {
  /** `YYYY-MM`, in UTC. */
  month: string;
  /** The balance before the first entry of the month. */
  opening: number;
  /** In the order of `creditMoves`, only what moved. */
  lines: MoveSum[];
  /** The balance after its last entry. The next month opens with it. */
  closing: number;
}

/** Returns the statements of all months from the first entry to now, oldest first; at least of this month. */
export function statementsOf(sums: readonly MoveSum[], now: number): Statement[] {
  const first = new Date(`${sums.map(({ span }) => span).sort()[0] ?? periodOf(now)}-01`);
  const today = new Date(now);
  const years = today.getUTCFullYear() - first.getUTCFullYear();
  let balance = 0;
  const months = years * 12 + today.getUTCMonth() - first.getUTCMonth() + 1;
  return monthsUpTo(now, months).map((month) => {
    const ofMonth = sums.filter(({ span }) => span === month);
    const lines = creditMoves.flatMap((move) => ofMonth.filter((sum) => sum.move === move));
    const opening = balance;
    for (const { credits } of lines) balance += credits;
    return { month, opening, lines, closing: balance };
  });
}

/** A row of a statement: credits, or money of one currency as a decimal number. */
export interface StatementRow {
  line: string;
  entries?: number;
  credits?: number;
  currency?: string;
  amount?: string;
}

/**
 * Returns a statement as rows: its credits, and the money of the payments whose credit was added in its
 * month.
 */
export function statementRows(
  { month, opening, lines, closing }: Statement,
  revenue: readonly DayOfRevenue[],
): StatementRow[] {
  const money = sumByCurrency(revenue.filter(({ day }) => day.startsWith(month)));
  return [
    { line: 'Opening balance', credits: opening },
    ...lines.map(({ move, entries, credits }) => ({ line: moveWords[move].sum, entries, credits })),
    { line: 'Closing balance', credits: closing },
    ...money.flatMap((of) => {
      const row = (line: string, amount: number): StatementRow => ({
        line,
        currency: of.currency.toUpperCase(),
        amount: decimalAmount(amount, of.currency),
      });
      return [
        { ...row('Paid', of.amount), entries: of.payments },
        row('Refunded', of.refunded),
        row('Disputed', of.disputed),
        row('Paid, less refunds and disputes', netOf(of)),
      ];
    }),
  ];
}

const columns: readonly Column<StatementRow>[] = [
  ['Line', ({ line }) => line],
  ['Entries', ({ entries }) => entries ?? null],
  ['Credits', ({ credits }) => credits ?? null],
  ['Currency', ({ currency }) => currency ?? null],
  ['Amount', ({ amount }) => amount ?? null],
];

/** Returns the rows of the statement of a month as a table. */
export function statementTable(month: string, rows: readonly StatementRow[]): Table {
  return tableOf(month, columns, () => ({ rows }));
}
