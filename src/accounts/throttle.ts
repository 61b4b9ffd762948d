/** Limits tries per name: an account, an address, or a browser. The account store counts them. */

import { VerbatimError } from '../errors.ts';
import type { Tries, TryStore } from './ports/try-store.ts';

export interface ThrottleOptions {
  store: TryStore;
  /** What is counted, such as `sign-ins by address`. */
  count: string;
  triesMax: number;
  windowMs: number;
  now: () => number;
}

export interface Throttle {
  /** Resolves to whether a try is left. */
  hasTries(name: string): Promise<boolean>;
  /** Uses a try. Rejects with `too_many_tries` and the time to wait if none is left. */
  take(name: string): Promise<void>;
  /** Returns a try, after a successful one. */
  giveBack(name: string): Promise<void>;
}

export function createThrottle({ store, now, ...limits }: ThrottleOptions): Throttle {
  const triesOf = (name: string): Tries => ({ ...limits, name, now: now() });
  return {
    hasTries: (name) => store.hasTry(triesOf(name)),
    async take(name) {
      const { isAllowed, left } = await store.takeTry(triesOf(name));
      if (isAllowed) return;
      const msPerTry = limits.windowMs / limits.triesMax;
      const seconds = Math.max(1, Math.ceil(((1 - left) * msPerTry) / 1000));
      const message = `too many tries; ${describeWait(seconds)}`;
      throw new VerbatimError('too_many_tries', message, { retryAfterSeconds: seconds });
    },
    giveBack: (name) => store.giveBackTry(triesOf(name)),
  };
}

function describeWait(seconds: number): string {
  if (seconds < 60) return `wait ${seconds} second${seconds === 1 ? '' : 's'}`;
  const minutes = Math.ceil(seconds / 60);
  return `wait ${minutes} minute${minutes === 1 ? '' : 's'}`;
}
