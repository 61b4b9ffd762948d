/**
 * Limits tries, such as wrong passwords: `triesMax` are allowed at once and return evenly within the
 * window. All nodes share the counts. A crash of the store may forget them.
 */

/** Whose tries are counted, and how many are allowed. */
export interface Tries {
  /** What is counted, such as `sign-ins by address`. Each has names of its own. */
  count: string;
  /** Whose tries, such as an address. Stores keep no name in a readable form. */
  name: string;
  triesMax: number;
  windowMs: number;
  now: number;
}

export interface TryStore {
  /**
   * Uses a try if one is left. Of several at once, no more succeed than are left. Resolves to the tries
   * left, with fractions.
   */
  takeTry(tries: Tries): Promise<{ isAllowed: boolean; left: number }>;
  /** Whether a try is left. */
  hasTry(tries: Tries): Promise<boolean>;
  /** Returns a try, after a successful one. */
  giveBackTry(tries: Tries): Promise<void>;
}
