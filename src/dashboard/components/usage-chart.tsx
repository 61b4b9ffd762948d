/** A bar chart of searches per day, and what it says in words. */
import { DayChart, dayLabel } from './day-chart.tsx';
import { formatCount, formatCounted } from './format-values.ts';

export interface ChartDay {
  /** YYYY-MM-DD, in UTC. */
  day: string;
  requests: number;
  /** Calls that were not charged. */
  failed?: number;
}

const legend = [
  { part: 'fill', label: 'charged' },
  { part: 'bad', label: 'failed' },
] as const;

export interface UsageChartProps {
  days: readonly ChartDay[];
  /** What the chart shows; otherwise the last days. */
  title?: string;
}

export function UsageChart({ days, title }: UsageChartProps) {
  return (
    <DayChart
      id="usage-chart"
      title={title ?? `Searches per day, last ${days.length} days`}
      description={describeDays(days)}
      unit="searches"
      {...(days.some(({ failed = 0 }) => failed > 0) ? { legend } : {})}
      days={days.map(({ day, requests, failed = 0 }) => ({
        day,
        value: requests,
        bad: failed,
        label: `${formatCounted(requests, 'search', 'searches')}${failed === 0 ? '' : `, ${formatCount(failed)} failed`}`,
      }))}
      formatValue={formatCount}
    />
  );
}

/** Describes the chart in words. */
export function describeDays(days: readonly ChartDay[]): string {
  const total = days.reduce((sum, { requests }) => sum + requests, 0);
  if (total === 0) return 'No searches.';
  const busiest = days.reduce((best, day) => (day.requests > best.requests ? day : best));
  return `${formatCounted(total, 'search', 'searches')} in total. Busiest day: ${dayLabel(busiest.day)}, with ${formatCount(busiest.requests)}.`;
}
