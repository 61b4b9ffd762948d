/**
 * Limits tries per name: an account, an address or a browser. `triesMax` are allowed at once and
 * return evenly within the window. State is in memory: one process serves, and a restart forgives.
 */
import { VerbatimError } from '../errors.ts';

export interface ThrottleOptions {
  triesMax: number;
  windowMs: number;
  /** The number of names remembered. The least recently seen one is evicted. */
  namesMax: number;
  now: () => number;
}

export interface Throttle {
  /** Returns whether a try is left. */
  hasTries(name: string): boolean;
  /** Uses a try. Throws `too_many_tries` with the time to wait if none is left. */
  take(name: string): void;
  /** Returns a try, after a successful one. */
  giveBack(name: string): void;
}

interface Tries {
  left: number;
  updatedMs: number;
}

export function createThrottle({ triesMax, windowMs, namesMax, now }: ThrottleOptions): Throttle {
  // A Map iterates in insertion order, so the first name is the least recently seen.
  const byName = new Map<string, Tries>();
  const msPerTry = windowMs / triesMax;
  const triesOf = (name: string): Tries => {
    const time = now();
    const known = byName.get(name) ?? { left: triesMax, updatedMs: time };
    const gained = Math.max(0, time - known.updatedMs) / msPerTry;
    return { left: Math.min(triesMax, known.left + gained), updatedMs: time };
  };
  const keep = (name: string, tries: Tries): void => {
    byName.delete(name);
    if (tries.left < triesMax) byName.set(name, tries);
    const [oldest] = byName.keys();
    if (byName.size > namesMax && oldest !== undefined) byName.delete(oldest);
  };
  return {
    hasTries: (name) => triesOf(name).left >= 1,
    take(name) {
      const tries = triesOf(name);
      const isAllowed = tries.left >= 1;
      keep(name, isAllowed ? { ...tries, left: tries.left - 1 } : tries);
      if (isAllowed) return;
      const seconds = Math.max(1, Math.ceil(((1 - tries.left) * msPerTry) / 1000));
      const message = `too many tries; ${describeWait(seconds)}`;
      throw new VerbatimError('too_many_tries', message, { retryAfterSeconds: seconds });
    },
    giveBack(name) {
      const tries = triesOf(name);
      keep(name, { ...tries, left: Math.min(triesMax, tries.left + 1) });
    },
  };
}

function describeWait(seconds: number): string {
  if (seconds < 60) return `wait ${seconds} second${seconds === 1 ? '' : 's'}`;
  const minutes = Math.ceil(seconds / 60);
  return `wait ${minutes} minute${minutes === 1 ? '' : 's'}`;
}
