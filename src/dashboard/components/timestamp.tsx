/** A time, readable for people and programs: in the zone of the account, with UTC beside it. */
import { useContext } from 'preact/hooks';
import { ClockContext, utcClock } from './clock.ts';

export interface TimestampProps {
  time: number;
  isDay?: boolean;
  hasSeconds?: boolean;
}

export function Timestamp({ time, isDay = false, hasSeconds = false }: TimestampProps) {
  const clock = useContext(ClockContext);
  const day = clock.formatDay(time);
  return (
    <time dateTime={new Date(time).toISOString()}>
      {isDay ? (
        <span class="whole">{day}</span>
      ) : clock.timeZone === 'UTC' ? (
        <DayAndTime day={day} time={`${clock.formatTime(time, hasSeconds)} UTC`} />
      ) : (
        <>
          <DayAndTime day={day} time={clock.formatTime(time, hasSeconds)} />{' '}
          <span class="whole soft">({inUtc(time, { besides: day, hasSeconds })})</span>
        </>
      )}
    </time>
  );
}

/** Names the day only if it is another one. */
function inUtc(time: number, { besides, hasSeconds }: { besides: string; hasSeconds: boolean }) {
  const day = utcClock.formatDay(time);
  const clock = `${utcClock.formatTime(time, hasSeconds)} UTC`;
  return day === besides ? clock : `${day.replace(/, \d+$/, '')}, ${clock}`;
}

/** Where a table has no room, they stand on two lines: tables.css. */
function DayAndTime({ day, time }: { day: string; time: string }) {
  return (
    <>
      <span class="whole">{day},</span> <span class="whole">{time}</span>
    </>
  );
}
