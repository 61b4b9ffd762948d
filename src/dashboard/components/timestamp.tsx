/** A time, readable for people and programs. */
import { formatDay, formatMinute, formatSecond } from './format-values.ts';

export interface TimestampProps {
  time: number;
  isDay?: boolean;
  hasSeconds?: boolean;
}

export function Timestamp({ time, isDay = false, hasSeconds = false }: TimestampProps) {
  return (
    <time dateTime={new Date(time).toISOString()}>
      {isDay ? (
        <span class="whole">{formatDay(time)}</span>
      ) : (
        <DayAndTime day={formatDay(time)} time={(hasSeconds ? formatSecond : formatMinute)(time)} />
      )}
    </time>
  );
}

/** Where a table has no room, they stand on two lines: tables.css. */
function DayAndTime({ day, time }: { day: string; time: string }) {
  return (
    <>
      <span class="whole">{day},</span> <span class="whole">{time}</span>
    </>
  );
}
