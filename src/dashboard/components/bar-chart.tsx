/**
 * A bar for each span of time, as SVG with a title and a description. The value of a bar is shown for
 * the pointer, for a touch, and for the focus, which arrow keys move if there is JavaScript.
 */
import { axisValues } from './axis-values.ts';

export interface Bar {
  /** The span in words: `Mar 14, 2026`. */
  name: string;
  /** The same for the axis, which has room for a few characters. */
  axisName: string;
  value: number;
  /** A part on top of the bar, in another color. */
  bad?: number | undefined;
  /** The values in words. */
  label: string;
}

export interface BarChartProps {
  /** Begins the ids of its elements. */
  id: string;
  title: string;
  description: string;
  bars: readonly Bar[];
  formatValue: (value: number) => string;
}

const WIDTH = 860;
const HEIGHT = 260;
const LEFT = 72;
const RIGHT = 8;
const TOP = 30;
const BOTTOM = 34;
const LINES_MAX = 4;
/** The maximum number of names on the axis. */
const AXIS_NAMES_MAX = 6;
/** The share of its width that a bar fills. */
const BAR_SHARE = 0.72;

export function BarChart({ id, title, description, bars, formatValue }: BarChartProps) {
  const largest = Math.max(...bars.map(({ value, bad = 0 }) => value + bad), 1);
  const lines = axisValues(largest, LINES_MAX);
  const top = lines.at(-1) ?? 1;
  const y = (value: number): number => round(TOP + (HEIGHT - TOP - BOTTOM) * (1 - value / top));
  const barWidth = (WIDTH - LEFT - RIGHT) / bars.length;
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
        <AxisNames bars={bars} barWidth={barWidth} />
        {bars.map((bar, index) => (
          <BarOf
            key={bar.name}
            bar={bar}
            left={round(LEFT + index * barWidth)}
            width={round(barWidth)}
            y={y}
            isLast={index === bars.length - 1}
          />
        ))}
      </svg>
    </figure>
  );
}

interface BarOfProps {
  bar: Bar;
  left: number;
  width: number;
  y: (value: number) => number;
  isLast: boolean;
}

/** One tab stop for the chart: the last bar. The others can be focused by touch or arrow keys. */
function BarOf({ bar: { name, value, bad = 0, label }, left, width, y, isLast }: BarOfProps) {
  const text = `${name}: ${label}`;
  const x = round(left + (width * (1 - BAR_SHARE)) / 2);
  const middle = left + width / 2;
  const third = (WIDTH - LEFT - RIGHT) / 3;
  const anchor = middle < LEFT + third ? 'start' : middle > LEFT + 2 * third ? 'end' : 'middle';
  const part = (kind: string, from: number, to: number) =>
    to <= from ? null : (
      <rect
        class={kind}
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

function AxisNames({ bars, barWidth }: { bars: readonly Bar[]; barWidth: number }) {
  const every = Math.ceil(bars.length / AXIS_NAMES_MAX);
  const last = bars.length - 1;
  return (
    <g>
      {bars.map(({ name, axisName }, index) =>
        (last - index) % every !== 0 ? null : (
          <text
            key={name}
            x={index === last ? WIDTH - RIGHT : round(LEFT + index * barWidth + barWidth / 2)}
            y={HEIGHT - 8}
            text-anchor={index === last ? 'end' : 'middle'}
          >
            {axisName}
          </text>
        ),
      )}
    </g>
  );
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
