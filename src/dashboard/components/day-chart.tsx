/** A bar chart of days. */
import { type Bar, BarChart, type BarChartProps } from './bar-chart.tsx';
import { formatDay } from './format-values.ts';

export interface DayBar extends Pick<Bar, 'value' | 'warn' | 'bad' | 'label'> {
  /** YYYY-MM-DD, in UTC. */
  day: string;
}

export interface DayChartProps extends Omit<BarChartProps, 'bars'> {
  days: readonly DayBar[];
}

export function DayChart({ days, ...props }: DayChartProps) {
  const bars = days.map(({ day, ...bar }) => {
    const name = dayLabel(day);
    return { name, axisName: name.replace(/, \d{4}$/, ''), ...bar };
  });
  return <BarChart {...props} bars={bars} />;
}

/** Returns a day as people write it. */
export function dayLabel(day: string): string {
  return formatDay(Date.parse(`${day}T00:00:00Z`));
}
