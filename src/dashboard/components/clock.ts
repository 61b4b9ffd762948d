/** The time zone in which the times of a page are shown. */
import { createContext } from 'preact';
import { once } from '../../text/memoize.ts';

export interface Clock {
  /** Such as `Europe/Berlin`. */
  timeZone: string;
  /** Returns a day, such as `Mar 14, 2026`. */
  formatDay(time: number): string;
  /** Returns a time of day, such as `09:30` or `09:30:15`. */
  formatTime(time: number, hasSeconds: boolean): string;
}

/** Returns the clock of a zone. */
export function createClock(timeZone: string): Clock {
  // A page makes only the formats that it needs.
  const day = once(
    () =>
      new Intl.DateTimeFormat('en-US', {
        day: 'numeric',
        month: 'short',
        year: 'numeric',
        timeZone,
      }),
  );
  const time = once(
    () => new Intl.DateTimeFormat('en-US', { timeStyle: 'medium', hourCycle: 'h23', timeZone }),
  );
  return {
    timeZone,
    formatDay: (at) => day().format(at),
    formatTime: (at, hasSeconds) =>
      time()
        .format(at)
        .slice(0, hasSeconds ? 8 : 5),
  };
}

export const utcClock = createClock('UTC');

/** The clock of the account that sees the page. */
export const ClockContext = createContext(utcClock);
