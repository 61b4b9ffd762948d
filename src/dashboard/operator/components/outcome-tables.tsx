/** What came of searches, as figures, a chart, and tables. */
import { DataTable } from '../../components/data-table.tsx';
import { DayChart, dayLabel } from '../../components/day-chart.tsx';
import { formatCount, formatCounted, formatMonth } from '../../components/format-values.ts';
import { Tile } from '../../components/tile.tsx';
import { type OutcomeSpan, outcomeLabels, shareOf } from '../page/outcome-spans.ts';

interface DaysProps {
  /** Oldest first. */
  days: readonly OutcomeSpan[];
}

const sumOf = (spans: readonly OutcomeSpan[], pick: (span: OutcomeSpan) => number): number =>
  spans.reduce((sum, span) => sum + pick(span), 0);

export function OutcomeFigures({ days }: DaysProps) {
  const calls = sumOf(days, (day) => day.calls);
  const notClose = sumOf(days, (day) => day.notClose);
  const served = sumOf(days, ({ byOutcome }) => byOutcome.served ?? 0);
  return (
    <dl class="tiles in-threes">
      <Tile label={`Searches, last ${days.length} days`} value={formatCount(calls)} isFirst />
      <Tile
        label="Nothing close in the index"
        value={shareOf(notClose, calls)}
        note={formatCounted(notClose, 'search', 'searches')}
      />
      <Tile
        label="Of these, lanes found papers"
        value={shareOf(served, notClose)}
        note={formatCounted(served, 'search', 'searches')}
      />
    </dl>
  );
}

export function OutcomeChart({ days }: DaysProps) {
  return (
    <section class="card" aria-labelledby="chart-head">
      <h2 id="chart-head">Searches with nothing close</h2>
      <DayChart
        id="not-close-chart"
        title={`Searches to which the index had nothing close, last ${days.length} days`}
        description="By the day of the charge."
        unit="searches"
        days={days.map(({ span, calls, notClose }) => ({
          day: span,
          value: notClose,
          label: `${formatCount(notClose)} of ${formatCounted(calls, 'search', 'searches')}`,
        }))}
        formatValue={formatCount}
      />
    </section>
  );
}

const outcomes = Object.keys(outcomeLabels) as (keyof typeof outcomeLabels)[];

export function OutcomeTable({ days }: DaysProps) {
  const notClose = sumOf(days, (day) => day.notClose);
  const rows = outcomes
    .map((outcome) => ({
      outcome,
      calls: sumOf(days, ({ byOutcome }) => byOutcome[outcome] ?? 0),
    }))
    .filter(({ calls }) => calls > 0);
  if (rows.length === 0) return null;
  return (
    <section class="card" aria-labelledby="outcomes">
      <h2 id="outcomes">What the lanes did</h2>
      <DataTable
        caption={`Searches with nothing close in the index, last ${days.length} days`}
        isCompact
        columns={[
          { head: 'Outcome' },
          { head: 'Searches', isNumber: true },
          { head: 'Share', isNumber: true },
        ]}
        rows={rows.map(({ outcome, calls }) => [
          outcomeLabels[outcome],
          formatCount(calls),
          shareOf(calls, notClose),
        ])}
      />
    </section>
  );
}

interface SpanTablesProps extends DaysProps {
  months: readonly OutcomeSpan[];
}

export function SpanTables({ days, months }: SpanTablesProps) {
  return (
    <section class="card" aria-labelledby="spans">
      <h2 id="spans">By month</h2>
      <SpanTable head="Month" caption="Months with searches, latest first" spans={months} />
      <details>
        <summary>Show the last {days.length} days</summary>
        <SpanTable head="Day" caption="Days with searches, latest first" spans={days} />
      </details>
    </section>
  );
}

interface SpanTableProps {
  head: string;
  caption: string;
  spans: readonly OutcomeSpan[];
}

function SpanTable({ head, caption, spans }: SpanTableProps) {
  return (
    <DataTable
      caption={caption}
      columns={[
        { head },
        { head: 'Searches', isNumber: true },
        { head: 'Nothing close', isNumber: true },
        { head: 'Share', isNumber: true },
        { head: 'Lanes found papers', isNumber: true },
      ]}
      rows={spans
        .filter(({ calls }) => calls > 0)
        .reverse()
        .map(({ span, calls, notClose, byOutcome }) => [
          spanLabel(span),
          formatCount(calls),
          formatCount(notClose),
          shareOf(notClose, calls),
          formatCount(byOutcome.served ?? 0),
        ])}
    />
  );
}

/** Returns `Mar 14, 2026` for a day, and `Mar 2026` for a month. */
export function spanLabel(span: string): string {
  const isMonth = span.length === 'YYYY-MM'.length;
  return isMonth ? formatMonth(Date.parse(`${span}-01T00:00:00Z`)) : dayLabel(span);
}
