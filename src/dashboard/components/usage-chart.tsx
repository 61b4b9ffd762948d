/** A bar chart of searches per day, as SVG with a title and a description for screen readers. */
import { formatCount, formatCounted, formatDay } from './format.ts';

export interface ChartDay {
  /** YYYY-MM-DD, in UTC. */
  day: string;
  requests: number;
}

const WIDTH = 860;
const HEIGHT = 260;
const LEFT = 72;
const RIGHT = 8;
const TOP = 16;
const BOTTOM = 34;
const LINES_MAX = 4;
/** The maximum number of day labels. */
const DAY_LABELS = 6;
/** The share of a day's width that its bar fills. */
const BAR_SHARE = 0.72;

export function UsageChart({ days }: { days: readonly ChartDay[] }) {
  const largest = Math.max(...days.map(({ requests }) => requests), 1);
  const lines = axisValues(largest, LINES_MAX);
  const top = lines.at(-1) ?? 1;
  const y = (value: number): number => round(TOP + (HEIGHT - TOP - BOTTOM) * (1 - value / top));
  const dayWidth = (WIDTH - LEFT - RIGHT) / days.length;
  const x = (index: number): number => LEFT + index * dayWidth;
  const every = Math.ceil(days.length / DAY_LABELS);
  return (
    <figure class="chart">
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        role="img"
        aria-labelledby="usage-chart-title usage-chart-text"
      >
        <title id="usage-chart-title">Searches per day, last {days.length} days</title>
        <desc id="usage-chart-text">{describeDays(days)}</desc>
        {lines.map((value) => (
          <g key={value}>
            <line
              class={value === 0 ? 'axis' : 'grid'}
              x1={LEFT}
              x2={WIDTH - RIGHT}
              y1={y(value)}
              y2={y(value)}
            />
            <text x={LEFT - 8} y={y(value) + 4} text-anchor="end">
              {formatCount(value)}
            </text>
          </g>
        ))}
        {days.map(({ day, requests }, index) =>
          requests === 0 ? null : (
            <rect
              key={day}
              class="bar-fill"
              x={round(x(index) + (dayWidth * (1 - BAR_SHARE)) / 2)}
              y={y(requests)}
              width={round(dayWidth * BAR_SHARE)}
              height={round(y(0) - y(requests))}
              rx={Math.min(2, round(dayWidth / 8))}
            >
              <title>{`${dayLabel(day)}: ${formatCounted(requests, 'search', 'searches')}`}</title>
            </rect>
          ),
        )}
        {days.map(({ day }, index) =>
          (days.length - 1 - index) % every !== 0 ? null : (
            <text
              key={day}
              x={index === days.length - 1 ? WIDTH - RIGHT : round(x(index) + dayWidth / 2)}
              y={HEIGHT - 8}
              text-anchor={index === days.length - 1 ? 'end' : 'middle'}
            >
              {dayLabel(day).replace(/ \d{4}$/, '')}
            </text>
          ),
        )}
      </svg>
    </figure>
  );
}

/** Describes the chart in words. */
export function describeDays(days: readonly ChartDay[]): string {
  const total = days.reduce((sum, { requests }) => sum + requests, 0);
  if (total === 0) return 'No searches.';
  const busiest = days.reduce((best, day) => (day.requests > best.requests ? day : best));
  return `${formatCounted(total, 'search', 'searches')} in total; the most on ${dayLabel(busiest.day)}: ${formatCount(busiest.requests)}.`;
}

function dayLabel(day: string): string {
  return formatDay(Date.parse(`${day}T00:00:00Z`));
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

const STEPS = [1, 2, 5, 10] as const;

/**
 * Returns round values for the lines of an axis from 0 to at least `largest`, with at most
 * `linesMax` above 0. Values are whole, because searches are.
 */
export function axisValues(largest: number, linesMax: number): number[] {
  const rough = Math.max(1, largest) / linesMax;
  const magnitude = 10 ** Math.max(0, Math.floor(Math.log10(rough)));
  const factor = STEPS.find((candidate) => candidate * magnitude >= rough) ?? 10;
  const step = factor * magnitude;
  const count = Math.max(1, Math.ceil(largest / step));
  return Array.from({ length: count + 1 }, (_, index) => index * step);
}
