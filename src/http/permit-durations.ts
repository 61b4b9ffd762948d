/** Records how long permits are held, and estimates how long a held one will remain so. */

export interface PermitDurations {
  /** Records a released permit. */
  add(milliseconds: number): void;
  /** Estimates how much longer a permit of this age will be held. */
  residualMs(ageMs: number): number;
}

/** Enough to reflect the current load; more would reflect the past. */
const SAMPLES_MAX = 64;

/** `permitMsMax` is the longest that a permit is held. */
export function createPermitDurations(permitMsMax: number): PermitDurations {
  const recent: number[] = [];
  // Sorted when it is first needed. Under overload, many callers are refused between two releases.
  let sorted: number[] | undefined;
  return {
    add(milliseconds) {
      recent.push(milliseconds);
      if (recent.length > SAMPLES_MAX) recent.shift();
      sorted = undefined;
    },
    residualMs(ageMs) {
      sorted ??= [...recent].sort((a, b) => a - b);
      const longer = sorted.findIndex((permit) => permit > ageMs);
      const median = longer === -1 ? undefined : sorted[Math.floor((longer + sorted.length) / 2)];
      // A permit older than all samples is expected to last as long again.
      const expected = median === undefined ? ageMs : median - ageMs;
      return Math.max(0, Math.min(expected, permitMsMax - ageMs));
    },
  };
}
