/** Money and credits by day and by month, as charts and tables. */

import { formatPrice } from '../../../accounts/amounts/price.ts';
import type { MoneySpan } from '../../../accounts/money.ts';
import type { Revenue } from '../../../accounts/sql/money-sums.ts';
import { DataTable } from '../../components/data-table.tsx';
import { DayChart } from '../../components/day-chart.tsx';
import { formatCount, formatCounted } from '../../components/format-values.ts';
import { spanLabel } from './outcome-tables.tsx';

/** Returns amounts in all currencies: `$5.00, €9.00`; `–` for none. */
export function formatRevenue(
  revenue: readonly Revenue[],
  pick: (of: Revenue) => number = ({ amount }) => amount,
): string {
  const some = revenue.filter((of) => pick(of) !== 0);
  return some.map((of) => formatPrice(pick(of), of.currency)).join(', ') || '–';
}

const returned = ({ returned }: Revenue): number => returned;

/** The charts of the last days. `currency` is the one that is drawn. */
export function MoneyCharts({ days, currency }: { days: readonly MoneySpan[]; currency: string }) {
  const amountOf = ({ revenue }: MoneySpan): number =>
    revenue.find((of) => of.currency === currency)?.amount ?? 0;
  return (
    <div class="split">
      <section class="card" aria-labelledby="revenue-head">
        <h2 id="revenue-head">Revenue in {currency.toUpperCase()}</h2>
        <DayChart
          id="revenue-chart"
          title={`Revenue in ${currency.toUpperCase()}, last ${days.length} days`}
          description="Payments by the day on which their credit was added."
          days={days.map((day) => ({
            day: day.span,
            value: amountOf(day),
            label: day.revenue.length === 0 ? 'nothing' : formatRevenue(day.revenue),
          }))}
          formatValue={(value) => formatPrice(value, currency)}
        />
      </section>
      <section class="card" aria-labelledby="spent-head">
        <h2 id="spent-head">Credits spent</h2>
        <DayChart
          id="spent-chart"
          title={`Credits spent, last ${days.length} days`}
          description="Credits that were charged, by the day of the call."
          days={days.map(({ span, spent, refunded }) => ({
            day: span,
            value: spent,
            label: `${formatCounted(spent, 'credit')}${refunded === 0 ? '' : `, ${formatCount(refunded)} refunded`}`,
          }))}
          formatValue={formatCount}
        />
      </section>
    </div>
  );
}

interface MoneyTableProps {
  caption: string;
  /** What a row is. */
  head: string;
  /** Oldest first. */
  spans: readonly MoneySpan[];
}

export function MoneyTable({ caption, head, spans }: MoneyTableProps) {
  return (
    <DataTable
      caption={caption}
      columns={[
        { head },
        ...['Revenue', 'Returned', 'Sold', 'Given', 'Spent', 'Refunded', 'Removed'].map((name) => ({
          head: name,
          isNumber: true,
        })),
      ]}
      rows={sinceFirst(spans)
        .reverse()
        .map((span) => [
          spanLabel(span.span),
          formatRevenue(span.revenue),
          formatRevenue(span.revenue, returned),
          ...[span.sold, span.given, span.spent, span.refunded, removedIn(span)].map((credits) =>
            credits === 0 ? '–' : formatCount(credits),
          ),
        ])}
    />
  );
}

const removedIn = ({ takenBack, givenUp }: MoneySpan): number => takenBack + givenUp;

/** Leaves out the spans before anything moved. */
function sinceFirst(spans: readonly MoneySpan[]): MoneySpan[] {
  const first = spans.findIndex(
    (span) =>
      span.revenue.length > 0 ||
      [span.sold, span.given, span.spent, span.refunded].some((credits) => credits > 0) ||
      removedIn(span) !== 0,
  );
  return spans.slice(first);
}
