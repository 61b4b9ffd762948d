/** A time, for eyes and for programs. */
import { formatDay, formatMoment } from './format.ts';

export function Moment({ time, isDay = false }: { time: number; isDay?: boolean }) {
  const text = isDay ? formatDay(time) : formatMoment(time);
  return <time dateTime={new Date(time).toISOString()}>{text}</time>;
}
