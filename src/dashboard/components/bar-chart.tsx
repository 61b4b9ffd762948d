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
  /** Parts on top of the bar, in colors that say so: what was refused, and what failed. */
  warn?: number | undefined;
  bad?: number | undefined;
  /** The values in words. */
  label: string;
}

export interface BarChartProps {
  /** Begins the ids of its elements. */
  id: string;
  title: string;
  description: string;
  /** Of the values, above the axis: `ms`. */
  unit: string;
  /** What the colors mean, if there are several. */
  legend?: readonly { part: 'fill' | 'warn' | 'bad'; label: string }[];
  /** A value that must not be reached. */
  limit?: { value: number; label: string };
  bars: readonly Bar[];
  formatValue: (value: number) => string;
}

const LINES_MAX = 4;
/** The maximum number of names on the axis. */
const AXIS_NAMES_MAX = 6;
/** A limit is drawn if the largest value reaches this share of it; otherwise the bars would be too low to read. */
const LIMIT_SHARE_MIN = 0.25;
/** Fewer bars leave room on the right, so that none is as broad as the chart. */
const SLOTS_MIN = 8;
/** The share of its place that a bar fills. */
const BAR_SHARE = 0.72;
/** A value begins at its bar before the one share, ends at it after the other, so that it fits on a phone. */
const TIP_START = 0.22;
const TIP_END = 0.64;

/**
 * The drawing is the place of the bars, in shares of it, so that words have the same size at every
 * width. Words stand around it, where the stylesheet leaves room.
 */
export function BarChart(props: BarChartProps) {
  const { id, title, description, unit, legend = [], limit, bars, formatValue } = props;
  const largest = Math.max(...bars.map(heightOf), 1);
  const isLimitNear = limit !== undefined && largest >= limit.value * LIMIT_SHARE_MIN;
  const lines = axisValues(isLimitNear ? Math.max(largest, limit.value) : largest, LINES_MAX);
  const top = lines.at(-1) ?? 1;
  const share = (value: number): number => value / top;
  const slots = Math.max(bars.length, SLOTS_MIN);
  return (
    <figure class="chart">
      <figcaption>
        <span>{unit}</span>
        {legend.map(({ part, label }) => (
          <span key={part} class={`legend ${part}`}>
            {label}
          </span>
        ))}
        {limit === undefined ? null : <span class="legend limit">{limit.label}</span>}
      </figcaption>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be a drawing */}
      <svg role="group" aria-labelledby={`${id}-title`} aria-describedby={`${id}-text`}>
        <title id={`${id}-title`}>{title}</title>
        <desc id={`${id}-text`}>{description}</desc>
        {lines.map((value) => (
          <g key={value}>
            <line
              class={value === 0 ? 'axis' : 'grid'}
              x2="100%"
              y1={percent(1 - share(value))}
              y2={percent(1 - share(value))}
            />
            <text x="-8" y={percent(1 - share(value))} dy="4" text-anchor="end">
              {formatValue(value)}
            </text>
          </g>
        ))}
        <AxisNames bars={bars} slots={slots} />
        {bars.map((bar, index) => (
          <BarOf
            key={bar.name}
            bar={bar}
            left={index / slots}
            width={1 / slots}
            share={share}
            isLast={index === bars.length - 1}
          />
        ))}
        {isLimitNear ? (
          <line
            class="limit"
            x2="100%"
            y1={percent(1 - share(limit.value))}
            y2={percent(1 - share(limit.value))}
          />
        ) : null}
      </svg>
    </figure>
  );
}

function heightOf({ value, warn = 0, bad = 0 }: Bar): number {
  return value + warn + bad;
}

interface BarOfProps {
  bar: Bar;
  left: number;
  width: number;
  share: (value: number) => number;
  isLast: boolean;
}

/** One tab stop for the chart: the last bar. The others can be focused by touch or arrow keys. */
function BarOf({ bar, left, width, share, isLast }: BarOfProps) {
  const { name, value, warn = 0, label } = bar;
  const text = `${name}: ${label}`;
  const middle = left + width / 2;
  const anchor = middle < TIP_START ? 'start' : middle > TIP_END ? 'end' : 'middle';
  const part = (kind: string, from: number, to: number) =>
    to <= from ? null : (
      <rect
        class={kind}
        x={percent(left + (width * (1 - BAR_SHARE)) / 2)}
        y={percent(1 - share(to))}
        width={percent(width * BAR_SHARE)}
        height={percent(share(to) - share(from))}
      />
    );
  return (
    // biome-ignore lint/a11y/noInteractiveElementToNoninteractiveRole: its focus only shows a value
    <g class="day" role="img" aria-label={text} tabindex={isLast ? 0 : -1}>
      <rect class="hit" x={percent(left)} width={percent(width)} height="100%" />
      {part('fill', 0, value)}
      {part('warn', value, value + warn)}
      {part('bad', value + warn, heightOf(bar))}
      <text class="tip" x={percent(middle)} y="-10" text-anchor={anchor}>
        {text}
      </text>
    </g>
  );
}

/** Names of bars, the last one among them. A narrow chart has room for every second one. */
function AxisNames({ bars, slots }: { bars: readonly Bar[]; slots: number }) {
  const every = Math.ceil(bars.length / AXIS_NAMES_MAX);
  const last = bars.length - 1;
  return (
    <g>
      {bars.map(({ name, axisName }, index) => {
        if ((last - index) % every !== 0) return null;
        const isAtEdge = index === slots - 1;
        const isSecond = ((last - index) / every) % 2 === 1;
        return (
          <text
            key={name}
            class={isSecond ? 'second' : undefined}
            x={isAtEdge ? '100%' : percent((index + 0.5) / slots)}
            y="100%"
            dy="20"
            text-anchor={isAtEdge ? 'end' : 'middle'}
          >
            {axisName}
          </text>
        );
      })}
    </g>
  );
}

function percent(share: number): string {
  return `${Math.round(share * 10_000) / 100}%`;
}
