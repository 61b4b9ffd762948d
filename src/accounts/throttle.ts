/** Limits attempts per name: an account, an address, or a browser. The account store counts them. */

import { VerbatimError } from '../errors.ts';
import type { AttemptStore, Attempts } from './ports/attempt-store.ts';

export interface ThrottleOptions {
  store: AttemptStore;
  /** What is counted, such as `sign-ins by address`. */
  count: string;
  attemptsMax: number;
  windowMs: number;
  now: () => number;
}

export interface Throttle {
  /** Resolves to whether an attempt is left. */
  hasAttempts(name: string): Promise<boolean>;
  /** Takes an attempt. Rejects with `too_many_tries` and the time to wait if none is left. */
  take(name: string): Promise<void>;
  /** Releases an attempt, after a successful one. */
  release(name: string): Promise<void>;
}

export function createThrottle({ store, now, ...limits }: ThrottleOptions): Throttle {
  const attemptsOf = (name: string): Attempts => ({ ...limits, name, now: now() });
  return {
    hasAttempts: (name) => store.hasAttempt(attemptsOf(name)),
    async take(name) {
      const { isAllowed, left } = await store.takeAttempt(attemptsOf(name));
      if (isAllowed) return;
      const msPerAttempt = limits.windowMs / limits.attemptsMax;
      const seconds = Math.max(1, Math.ceil(((1 - left) * msPerAttempt) / 1000));
      const message = `too many tries; ${describeWait(seconds)}`;
      throw new VerbatimError('too_many_tries', message, { retryAfterSeconds: seconds });
    },
    release: (name) => store.releaseAttempt(attemptsOf(name)),
  };
}

function describeWait(seconds: number): string {
  if (seconds < 60) return `wait ${seconds} second${seconds === 1 ? '' : 's'}`;
  const minutes = Math.ceil(seconds / 60);
  return `wait ${minutes} minute${minutes === 1 ? '' : 's'}`;
}
