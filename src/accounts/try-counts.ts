/**
 * Counts tries so that strangers can neither go on guessing nor use up what the owner of an account
 * needs. A browser that has been let in before has a count of its own. All others count by network
 * address, by account and address together, and by account with a far higher bound, which only many
 * addresses together reach.
 */
import type { Throttle } from './throttle.ts';

export interface TrySource {
  /** An e-mail address, of a customer or of nobody. */
  account: string;
  /** From client-address.ts. */
  address: string;
  /** From known-browser.ts. */
  browser: string | undefined;
}

export interface TryCounts {
  /**
   * Uses a try up; the function that it returns gives it back. Throws `too_many_tries`, and then
   * has used up nothing.
   */
  take(source: TrySource): () => void;
}

export interface TryThrottles {
  ofAddress: Throttle;
  ofAccountAndAddress: Throttle;
  ofAccount: Throttle;
  ofBrowser: Throttle;
}

export function createTryCounts(throttles: TryThrottles): TryCounts {
  const { ofAddress, ofAccountAndAddress, ofAccount, ofBrowser } = throttles;
  return {
    take({ account, address, browser }) {
      // One that has used up its own tries is a browser like any other: to hide the cookie would
      // come to the same.
      if (browser !== undefined && ofBrowser.hasTries(browser)) {
        return takeAll([[ofBrowser, browser]]);
      }
      return takeAll([
        // The address first: one that has no tries left cannot touch the counts of an account.
        [ofAddress, address],
        [ofAccountAndAddress, `${address} ${account}`],
        [ofAccount, account],
      ]);
    },
  };
}

function takeAll(counts: readonly (readonly [Throttle, string])[]): () => void {
  const taken: (readonly [Throttle, string])[] = [];
  const giveBack = (): void => {
    for (const [throttle, name] of taken) throttle.giveBack(name);
  };
  try {
    for (const [throttle, name] of counts) {
      throttle.take(name);
      taken.push([throttle, name]);
    }
  } catch (error) {
    giveBack();
    throw error;
  }
  return giveBack;
}
