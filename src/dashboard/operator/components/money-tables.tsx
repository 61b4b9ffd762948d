/** Money and credits by day and by month, as charts and tables. */

import { formatPrice } from '../../../accounts/amounts/price.ts';
import { creditMoves, moveWords } from '../../../accounts/credit-moves.ts';
import { type MoneySpan, netOf } from '../../../accounts/money.ts';
import type { Revenue } from '../../../accounts/sql/statement-sums.ts';
import { DataTable } from '../../components/data-table.tsx';
import { DayChart } from '../../components/day-chart.tsx';
import { formatChange, formatCount, formatCounted } from '../../components/format-values.ts';
import { spanLabel } from './outcome-tables.tsx';

/** Returns amounts in all currencies: `$5.00, €9.00`; `–` for none. A net amount may be nothing. */
export function formatRevenue(
  revenue: readonly Revenue[],
  pick: (of: Revenue) => number = netOf,
): string {
  const some = revenue.filter((of) => pick === netOf || pick(of) !== 0);
  return some.map((of) => formatPrice(pick(of), of.currency)).join(', ') || '–';
}

/** The charts of the last days. `currency` is the one that is drawn. */
export function MoneyCharts({ days, currency }: { days: readonly MoneySpan[]; currency: string }) {
  const amountOf = ({ revenue }: MoneySpan): number => {
    const found = revenue.find((of) => of.currency === currency);
    return found === undefined ? 0 : netOf(found);
  };
  return (
    <div class="split">
      <section class="card" aria-labelledby="revenue-head">
        <h2 id="revenue-head">Revenue in {currency.toUpperCase()}</h2>
        <DayChart
          id="revenue-chart"
          title={`Revenue in ${currency.toUpperCase()}, last ${days.length} days`}
          description="Payments less refunds and disputes, by the day on which their credit was added."
          unit={currency.toUpperCase()}
          days={days.map((day) => ({
            day: day.span,
            value: amountOf(day),
            label: day.revenue.length === 0 ? 'nothing' : formatRevenue(day.revenue),
          }))}
          formatValue={(value) => formatPrice(value, currency)}
        />
      </section>
      <section class="card" aria-labelledby="spent-head">
        <h2 id="spent-head">Credits used</h2>
        <DayChart
          id="spent-chart"
          title={`Credits used, last ${days.length} days`}
          description="Credits for calls, by the day of the call."
          unit="credits"
          days={days.map(({ span, credits: { call, refund } }) => ({
            day: span,
            value: Math.max(0, -call),
            label: `${formatCounted(-call, 'credit')}${refund === 0 ? '' : `, ${formatCount(refund)} refunded`}`,
          }))}
          formatValue={formatCount}
        />
      </section>
    </div>
  );
}

interface MoneyTablesProps {
  /** What the spans are called together. */
  name: string;
  /** What a row is. */
  head: string;
  /** Oldest first. */
  spans: readonly MoneySpan[];
}

/** One table of money, and one of credits. */
export function MoneyTables({ name, head, spans }: MoneyTablesProps) {
  const rows = sinceFirst(spans).reverse();
  const columns = (names: readonly string[]) => [
    { head },
    ...names.map((column) => ({ head: column, isNumber: true })),
  ];
  return (
    <>
      <DataTable
        caption={`Money by ${name}`}
        columns={columns(['Payments', 'Paid', 'Refunded', 'Disputed', 'Revenue'])}
        rows={rows.map(({ span, revenue }) => [
          spanLabel(span),
          formatCount(revenue.reduce((sum, of) => sum + of.payments, 0)),
          formatRevenue(revenue, ({ amount }) => amount),
          formatRevenue(revenue, ({ refunded }) => refunded),
          formatRevenue(revenue, ({ disputed }) => disputed),
          formatRevenue(revenue),
        ])}
      />
      <DataTable
        caption={`Credits by ${name}`}
        columns={columns(creditMoves.map((move) => moveWords[move].sum))}
        rows={rows.map(({ span, credits }) => [
          spanLabel(span),
          ...creditMoves.map((move) => (credits[move] === 0 ? '–' : formatChange(credits[move]))),
        ])}
      />
    </>
  );
}

/** Leaves out the spans before anything moved. */
function sinceFirst(spans: readonly MoneySpan[]): MoneySpan[] {
  const first = spans.findIndex(
    ({ revenue, credits }) => revenue.length > 0 || Object.values(credits).some((sum) => sum !== 0),
  );
  return first === -1 ? [] : spans.slice(first);
}
