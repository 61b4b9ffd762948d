/** When a request may be repeated, and after which wait. Pure. */

/** Statuses of the server after which nothing was charged and the same request may succeed. */
const UNCHARGED: ReadonlySet<number> = new Set([429, 500, 503]);

/**
 * Statuses that leave open whether the request was answered and charged: 0 stands for no response,
 * 409 for a repetition that came before the answer to the first request, and 502 comes from a proxy.
 * 504 is none: the search would take as long again.
 */
const UNCERTAIN: ReadonlySet<number> = new Set([0, 409, 502]);
const FIRST_WAIT_MS = 500;

export interface FailedAttempt {
  status: number;
  /** The wait that the server asks for; undefined if it does not. */
  retryAfterMs: number | undefined;
  /** Whether a repetition costs nothing even if the attempt was answered and the answer was lost. */
  isFreeToRepeat: boolean;
}

/**
 * Returns the milliseconds to wait after attempt `attempt`, counted from 0; undefined if a repetition
 * is of no use or could be charged a second time. Without a wish of the server the wait doubles each
 * time, less a random part of up to a half.
 */
export function waitMs(
  attempt: number,
  { status, retryAfterMs, isFreeToRepeat }: FailedAttempt,
  random: () => number = Math.random,
): number | undefined {
  const mayRepeat = UNCHARGED.has(status) || (isFreeToRepeat && UNCERTAIN.has(status));
  if (!mayRepeat) return undefined;
  return retryAfterMs ?? FIRST_WAIT_MS * 2 ** attempt * (1 - random() / 2);
}

/** Returns the milliseconds in `Retry-After`: seconds, or a date. */
export function parseRetryAfterMs(value: string | null, now = Date.now()): number | undefined {
  if (value === null) return undefined;
  if (/^\d+$/.test(value)) return Number(value) * 1000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
