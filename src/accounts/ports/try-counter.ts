/** Counts tries in the memory of the one process that serves. A restart forgives. */
import type { Tries, TryStore } from './try-store.ts';

interface Kept {
  left: number;
  updatedMs: number;
}

/** Remembers at most `namesMax` names of each count, and evicts the least recently seen. */
export function createTryCounter(namesMax: number): TryStore {
  const counts = new Map<string, Map<string, Kept>>();
  const namesOf = (count: string): Map<string, Kept> => {
    const known = counts.get(count) ?? new Map<string, Kept>();
    counts.set(count, known);
    return known;
  };
  const leftOf = ({ count, name, triesMax, windowMs, now }: Tries): number => {
    const known = namesOf(count).get(name) ?? { left: triesMax, updatedMs: now };
    const gained = (Math.max(0, now - known.updatedMs) * triesMax) / windowMs;
    return Math.min(triesMax, known.left + gained);
  };
  const keep = ({ count, name, triesMax, now }: Tries, left: number): void => {
    // A Map iterates in insertion order, so the first name is the least recently seen.
    const names = namesOf(count);
    names.delete(name);
    if (left < triesMax) names.set(name, { left, updatedMs: now });
    const [oldest] = names.keys();
    if (names.size > namesMax && oldest !== undefined) names.delete(oldest);
  };
  return {
    async takeTry(tries) {
      const before = leftOf(tries);
      const isAllowed = before >= 1;
      const left = isAllowed ? before - 1 : before;
      keep(tries, left);
      return { isAllowed, left };
    },
    hasTry: async (tries) => leftOf(tries) >= 1,
    async giveBackTry(tries) {
      keep(tries, Math.min(tries.triesMax, leftOf(tries) + 1));
    },
  };
}
