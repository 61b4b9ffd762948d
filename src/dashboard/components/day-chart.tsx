/**
 * A bar for each day, as SVG with a title and a description. The value of a day is shown for the
 * pointer, for a touch, and for the focus, which arrow keys move if there is JavaScript.
 */
import { axisValues } from './axis-values.ts';
import { formatDay } from './format.ts';

export interface DayBar {
  /** YYYY-MM-DD, in UTC. */
  day: string;
  value: number;
  /** A part on top of the bar, in another color. */
  bad?: number;
  /** The values in words. */
  label: string;
}

export interface DayChartProps {
  /** Begins the ids of its elements. */
  id: string;
  title: string;
  description: string;
  days: readonly DayBar[];
  formatValue: (value: number) => string;
}

const WIDTH = 860;
const HEIGHT = 260;
const LEFT = 72;
const RIGHT = 8;
const TOP = 30;
const BOTTOM = 34;
const LINES_MAX = 4;
/** The maximum number of day labels. */
const DAY_LABELS = 6;
/** The share of a day's width that its bar fills. */
const BAR_SHARE = 0.72;

export function DayChart({ id, title, description, days, formatValue }: DayChartProps) {
  const largest = Math.max(...days.map(({ value, bad = 0 }) => value + bad), 1);
  const lines = axisValues(largest, LINES_MAX);
  const top = lines.at(-1) ?? 1;
  const y = (value: number): number => round(TOP + (HEIGHT - TOP - BOTTOM) * (1 - value / top));
  const dayWidth = (WIDTH - LEFT - RIGHT) / days.length;
  return (
    <figure class="chart">
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be a drawing */}
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        role="group"
        aria-labelledby={`${id}-title`}
        aria-describedby={`${id}-text`}
      >
        <title id={`${id}-title`}>{title}</title>
        <desc id={`${id}-text`}>{description}</desc>
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
              {formatValue(value)}
            </text>
          </g>
        ))}
        <DayLabels days={days} dayWidth={dayWidth} />
        {days.map((bar, index) => (
          <Day
            key={bar.day}
            bar={bar}
            left={round(LEFT + index * dayWidth)}
            width={round(dayWidth)}
            y={y}
            isLast={index === days.length - 1}
          />
        ))}
      </svg>
    </figure>
  );
}

interface DayProps {
  bar: DayBar;
  left: number;
  width: number;
  y: (value: number) => number;
  isLast: boolean;
}

/** One tab stop for the chart: the last day. The others can be focused by touch or arrow keys. */
function Day({ bar: { day, value, bad = 0, label }, left, width, y, isLast }: DayProps) {
  const text = `${dayLabel(day)}: ${label}`;
  const x = round(left + (width * (1 - BAR_SHARE)) / 2);
  const middle = left + width / 2;
  const third = (WIDTH - LEFT - RIGHT) / 3;
  const anchor = middle < LEFT + third ? 'start' : middle > LEFT + 2 * third ? 'end' : 'middle';
  const part = (name: string, from: number, to: number) =>
    to <= from ? null : (
      <rect
        class={name}
        x={x}
        y={y(to)}
        width={round(width * BAR_SHARE)}
        height={round(y(from) - y(to))}
        rx={Math.min(2, round(width / 8))}
      />
    );
  return (
    // biome-ignore lint/a11y/noInteractiveElementToNoninteractiveRole: its focus only shows a value
    <g class="day" role="img" aria-label={text} tabindex={isLast ? 0 : -1}>
      <rect class="hit" x={left} y={TOP} width={width} height={HEIGHT - TOP - BOTTOM} />
      {part('bar-fill', 0, value)}
      {part('bar-bad', value, value + bad)}
      <text class="tip" x={round(middle)} y={TOP - 12} text-anchor={anchor}>
        {text}
      </text>
    </g>
  );
}

function DayLabels({ days, dayWidth }: { days: readonly DayBar[]; dayWidth: number }) {
  const every = Math.ceil(days.length / DAY_LABELS);
  return (
    <g>
      {days.map(({ day }, index) =>
        (days.length - 1 - index) % every !== 0 ? null : (
          <text
            key={day}
            x={
              index === days.length - 1
                ? WIDTH - RIGHT
                : round(LEFT + index * dayWidth + dayWidth / 2)
            }
            y={HEIGHT - 8}
            text-anchor={index === days.length - 1 ? 'end' : 'middle'}
          >
            {dayLabel(day).replace(/ \d{4}$/, '')}
          </text>
        ),
      )}
    </g>
  );
}

/** Returns a day as people write it. */
export function dayLabel(day: string): string {
  return formatDay(Date.parse(`${day}T00:00:00Z`));
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
