/**
 * Counts attempts so that strangers can neither keep guessing nor use up the owner's attempts. A
 * known browser has its own count. Others count by network address, by account and address together, and
 * by account with a far higher limit that only many addresses together can reach.
 */
import type { Throttle } from './throttle.ts';

export interface AttemptSource {
  /** An e-mail address, whether or not it belongs to a customer. */
  account: string;
  /** See client-address.ts. */
  address: string;
  /** See known-browser.ts. */
  browser: string | undefined;
}

export interface AttemptCounts {
  /**
   * Takes an attempt and resolves to the function that releases it. If it rejects with
   * `too_many_tries`, it has taken nothing.
   */
  take(source: AttemptSource): Promise<() => Promise<void>>;
}

export interface AttemptThrottles {
  ofAddress: Throttle;
  ofAccountAndAddress: Throttle;
  ofAccount: Throttle;
  ofBrowser: Throttle;
}

export function createAttemptCounts(throttles: AttemptThrottles): AttemptCounts {
  const { ofAddress, ofAccountAndAddress, ofAccount, ofBrowser } = throttles;
  return {
    async take({ account, address, browser }) {
      // A known browser without attempts counts as an unknown one. Hiding its cookie would have the
      // same effect.
      if (browser !== undefined && (await ofBrowser.hasAttempts(browser))) {
        return await takeAll([[ofBrowser, browser]]);
      }
      return await takeAll([
        // The address first: without attempts it cannot touch the counts of an account.
        [ofAddress, address],
        [ofAccountAndAddress, `${address} ${account}`],
        [ofAccount, account],
      ]);
    },
  };
}

async function takeAll(
  counts: readonly (readonly [Throttle, string])[],
): Promise<() => Promise<void>> {
  const taken: (readonly [Throttle, string])[] = [];
  const release = async (): Promise<void> => {
    for (const [throttle, name] of taken) await throttle.release(name);
  };
  try {
    for (const [throttle, name] of counts) {
      await throttle.take(name);
      taken.push([throttle, name]);
    }
  } catch (error) {
    await release();
    throw error;
  }
  return release;
}
