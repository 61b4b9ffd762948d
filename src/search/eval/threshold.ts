/**
 * Finds the confidence threshold that separates the questions an index can answer (in-domain) from
 * questions of other fields (out-of-domain). Pure.
 *
 * A threshold has two kinds of errors. In-domain questions below it are sent to the lanes, which costs
 * time. Out-of-domain questions at or above it are not, which costs the answer. The best threshold
 * minimizes the mean of the two error rates (Youden, "Index for rating diagnostic tests", 1950).
 */

/** The distribution of the confidences of one kind of question. */
export interface Distribution {
  questions: number;
  mean: number;
  /** The confidence at each percentile. */
  percentiles: Readonly<Record<string, number>>;
}

export interface ThresholdErrors {
  threshold: number;
  /** The share of the in-domain questions below the threshold. */
  inDomainBelow: number;
  /** The share of the out-of-domain questions at or above the threshold. */
  outOfDomainAbove: number;
}

export interface DomainSeparation {
  inDomain: Distribution;
  outOfDomain: Distribution;
  /**
   * The area under the ROC curve: the probability that an in-domain question has a higher confidence
   * than an out-of-domain one. Ties count half.
   */
  areaUnderCurve: number;
  best: ThresholdErrors;
  /** The error rates of thresholds in steps of 0.05, for a choice by hand. */
  others: ThresholdErrors[];
}

const PERCENTILES = [1, 5, 25, 50, 75, 95, 99];
const STEP = 0.05;

/** Bounds of a threshold. */
export interface Interval {
  low: number;
  high: number;
}

const RESAMPLES = 1000;
const SHARE_BELOW = 0.025;

/**
 * Returns where the middle 95 % of the best thresholds lie when the questions are drawn anew from those
 * that were asked (Efron, "Bootstrap methods: another look at the jackknife", 1979). The same
 * confidences give the same interval. Neither list may be empty.
 */
export function thresholdInterval(
  inDomain: readonly number[],
  outOfDomain: readonly number[],
): Interval {
  let state = 1;
  const drawFrom = (values: readonly number[]): number[] =>
    values.map(() => {
      // A linear congruential generator, whose high bits are random enough.
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return values[Math.floor((state / 2 ** 32) * values.length)] as number;
    });
  const thresholds = Array.from({ length: RESAMPLES }, () =>
    bestThreshold(drawFrom(inDomain), drawFrom(outOfDomain)),
  ).sort((a, b) => a - b);
  const at = (share: number): number => round(percentile(thresholds, 100 * share));
  return { low: at(SHARE_BELOW), high: at(1 - SHARE_BELOW) };
}

/** Separates in-domain from out-of-domain confidences. Neither list may be empty. */
export function separateDomains(
  inDomain: readonly number[],
  outOfDomain: readonly number[],
): DomainSeparation {
  const errorsAt = (threshold: number): ThresholdErrors => ({
    threshold: round(threshold),
    inDomainBelow: share(inDomain, (confidence) => confidence < threshold),
    outOfDomainAbove: share(outOfDomain, (confidence) => confidence >= threshold),
  });
  return {
    inDomain: describe(inDomain),
    outOfDomain: describe(outOfDomain),
    areaUnderCurve: areaUnderCurve(inDomain, outOfDomain),
    best: errorsAt(bestThreshold(inDomain, outOfDomain)),
    others: Array.from({ length: 1 / STEP - 1 }, (_, i) => errorsAt((i + 1) * STEP)),
  };
}

/** The middle of the widest gap with the fewest errors, so that chance has little influence. */
function bestThreshold(inDomain: readonly number[], outOfDomain: readonly number[]): number {
  const values = [...new Set([0, ...inDomain, ...outOfDomain])]
    // No threshold is above 1.
    .filter((value) => value < 1)
    .sort((a, b) => a - b);
  let best = { errors: Number.POSITIVE_INFINITY, gap: 0, threshold: 0 };
  for (const [at, value] of values.entries()) {
    // All thresholds between this value and the next have the same errors.
    const next = values[at + 1] ?? 1;
    const errors =
      share(inDomain, (confidence) => confidence <= value) +
      share(outOfDomain, (confidence) => confidence > value);
    const gap = next - value;
    if (errors > best.errors || (errors === best.errors && gap <= best.gap)) continue;
    best = { errors, gap, threshold: (value + next) / 2 };
  }
  return best.threshold;
}

function describe(confidences: readonly number[]): Distribution {
  const sorted = [...confidences].sort((a, b) => a - b);
  return {
    questions: sorted.length,
    mean: sorted.reduce((sum, confidence) => sum + confidence, 0) / sorted.length,
    percentiles: Object.fromEntries(
      PERCENTILES.map((percent) => [percent, percentile(sorted, percent)]),
    ),
  };
}

/** Interpolates linearly between the two nearest sorted values. */
function percentile(sorted: readonly number[], percent: number): number {
  const at = ((sorted.length - 1) * percent) / 100;
  const [below, above] = [sorted[Math.floor(at)] as number, sorted[Math.ceil(at)] as number];
  return below + (above - below) * (at - Math.floor(at));
}

function areaUnderCurve(inDomain: readonly number[], outOfDomain: readonly number[]): number {
  let wins = 0;
  for (const a of inDomain) {
    for (const b of outOfDomain) wins += a > b ? 1 : a === b ? 0.5 : 0;
  }
  return wins / (inDomain.length * outOfDomain.length);
}

function share(values: readonly number[], is: (value: number) => boolean): number {
  return values.filter(is).length / values.length;
}

/** Rounds to 4 decimals. Confidences have 3, and the middle between two of them has one more. */
function round(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}
