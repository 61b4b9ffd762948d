/** How long places are taken, and from that, when one that is taken is likely to be left. */

export interface StayTimes {
  /** Notes that a place was left after so long. */
  add(milliseconds: number): void;
  /** How much longer one is likely to be taken that has been taken for so long. */
  residualMs(ageMs: number): number;
}

/** As many tell how things are now; more would tell how they were. */
const REMEMBERED_MAX = 64;

/** `stayMsMax` is when a stay ends at the latest. */
export function createStayTimes(stayMsMax: number): StayTimes {
  const recent: number[] = [];
  return {
    add(milliseconds) {
      recent.push(milliseconds);
      if (recent.length > REMEMBERED_MAX) recent.shift();
    },
    residualMs(ageMs) {
      const longer = recent.filter((stay) => stay > ageMs).sort((a, b) => a - b);
      const median = longer[Math.floor(longer.length / 2)];
      // One that lasts longer than all others is best expected to last as long again.
      const expected = median === undefined ? ageMs : median - ageMs;
      return Math.max(0, Math.min(expected, stayMsMax - ageMs));
    },
  };
}
