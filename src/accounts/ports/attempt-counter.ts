/** Counts attempts in the memory of the one process that serves. A restart forgives. */
import type { AttemptStore, Attempts } from './attempt-store.ts';

interface Kept {
  left: number;
  updatedMs: number;
}

/** Remembers at most `namesMax` names of each count, and evicts the least recently seen. */
export function createAttemptCounter(namesMax: number): AttemptStore {
  const counts = new Map<string, Map<string, Kept>>();
  const namesOf = (count: string): Map<string, Kept> => {
    const known = counts.get(count) ?? new Map<string, Kept>();
    counts.set(count, known);
    return known;
  };
  const leftOf = ({ count, name, attemptsMax, windowMs, now }: Attempts): number => {
    const known = namesOf(count).get(name) ?? { left: attemptsMax, updatedMs: now };
    const gained = (Math.max(0, now - known.updatedMs) * attemptsMax) / windowMs;
    return Math.min(attemptsMax, known.left + gained);
  };
  const keep = ({ count, name, attemptsMax, now }: Attempts, left: number): void => {
    // A Map iterates in insertion order, so the first name is the least recently seen.
    const names = namesOf(count);
    names.delete(name);
    if (left < attemptsMax) names.set(name, { left, updatedMs: now });
    const [oldest] = names.keys();
    if (names.size > namesMax && oldest !== undefined) names.delete(oldest);
  };
  return {
    async takeAttempt(attempts) {
      const before = leftOf(attempts);
      const isAllowed = before >= 1;
      const left = isAllowed ? before - 1 : before;
      keep(attempts, left);
      return { isAllowed, left };
    },
    hasAttempt: async (attempts) => leftOf(attempts) >= 1,
    async releaseAttempt(attempts) {
      keep(attempts, Math.min(attempts.attemptsMax, leftOf(attempts) + 1));
    },
  };
}
