/** How long limiter are taken, and from that, when one that is taken is likely to be left. */

export interface PermitDurations {
  /** Notes that a place was left after so long. */
  add(milliseconds: number): void;
  /** How much longer one is likely to be taken that has been taken for so long. */
  residualMs(ageMs: number): number;
}

/** As many tell how things are now; more would tell how they were. */
const REMEMBERED_MAX = 64;

/** `permitMsMax` is when a permit ends at the latest. */
export function createPermitDurations(permitMsMax: number): PermitDurations {
  const recent: number[] = [];
  return {
    add(milliseconds) {
      recent.push(milliseconds);
      if (recent.length > REMEMBERED_MAX) recent.shift();
    },
    residualMs(ageMs) {
      const longer = recent.filter((permit) => permit > ageMs).sort((a, b) => a - b);
      const median = longer[Math.floor(longer.length / 2)];
      // One that lasts longer than all others is best expected to last as long again.
      const expected = median === undefined ? ageMs : median - ageMs;
      return Math.max(0, Math.min(expected, permitMsMax - ageMs));
    },
  };
}
