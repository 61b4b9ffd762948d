/** A time, readable for people and programs. */
import { formatDay, formatMinute } from './format-values.ts';

export function Timestamp({ time, isDay = false }: { time: number; isDay?: boolean }) {
  return (
    <time dateTime={new Date(time).toISOString()}>
      {isDay ? <span class="whole">{formatDay(time)}</span> : <DayAndMinute time={time} />}
    </time>
  );
}

/** Where a table has no room, they stand on two lines: tables.css. */
function DayAndMinute({ time }: { time: number }) {
  return (
    <>
      <span class="whole">{formatDay(time)},</span> <span class="whole">{formatMinute(time)}</span>
    </>
  );
}
