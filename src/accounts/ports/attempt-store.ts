/**
 * Limits attempts, such as wrong passwords: `attemptsMax` are allowed at once and return evenly within
 * the window. All nodes share the counts. A crash of the store may forget them.
 */

/** Whose attempts are counted, and how many are allowed. */
export interface Attempts {
  /** What is counted, such as `sign-ins by address`. Each has names of its own. */
  count: string;
  /** Whose attempts, such as an address. Stores keep no name in a readable form. */
  name: string;
  attemptsMax: number;
  windowMs: number;
  now: number;
}

export interface AttemptStore {
  /**
   * Takes an attempt if one is left. Of several at once, no more succeed than are left. Resolves to
   * the attempts left, with fractions.
   */
  takeAttempt(attempts: Attempts): Promise<{ isAllowed: boolean; left: number }>;
  /** Whether an attempt is left. */
  hasAttempt(attempts: Attempts): Promise<boolean>;
  /** Releases an attempt, after a successful one. */
  releaseAttempt(attempts: Attempts): Promise<void>;
}
