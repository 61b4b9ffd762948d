/** A time, readable for people and programs. */
import { formatDay, formatTimestamp } from './format.ts';

export function Timestamp({ time, isDay = false }: { time: number; isDay?: boolean }) {
  const text = isDay ? formatDay(time) : formatTimestamp(time);
  return <time dateTime={new Date(time).toISOString()}>{text}</time>;
}
