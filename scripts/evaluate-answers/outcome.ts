/** What came of a question, and shares with their confidence intervals. Pure. */

export interface Outcome {
  question: string;
  form: string;
  corpus: string;
  /** The place of the right paper among the results, from 1, or 0 if it is not there. */
  rank: number;
  /** Its quote. Empty if it is not there. */
  quote: string;
  /** The sentences that answer. */
  marked: string[];
  /** The first result, whatever its paper. */
  first?: { title: string; quote: string } | undefined;
  /** Whether the quote is one of them. */
  answers: boolean;
}

/** The quantile of the normal distribution for an interval of 95 %. */
const Z = 1.96;

/** Returns the share of `hits`, its Wilson score interval (Wilson 1927), and the count, as text. */
export function shareWithInterval(hits: number, count: number): string[] {
  const share = hits / count;
  const scale = 1 + Z ** 2 / count;
  const middle = (share + Z ** 2 / (2 * count)) / scale;
  const spread = (Z / scale) * Math.sqrt((share * (1 - share)) / count + (Z / (2 * count)) ** 2);
  const shown = (value: number): string => value.toFixed(2);
  return [shown(share), `${shown(middle - spread)} to ${shown(middle + spread)}`, String(count)];
}
