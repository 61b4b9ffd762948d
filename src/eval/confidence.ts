/**
 * Which confidence tells questions that an index answers from those that it does not. Pure.
 *
 * A threshold errs in two ways: it sends an answered question to the lanes, which costs a customer
 * time, or keeps a foreign one from them, which costs the answer. The best threshold makes the mean
 * of the two error rates least (Youden, "Index for rating diagnostic tests", 1950).
 */

/** How the confidences of one kind of question lie. */
export interface Distribution {
  questions: number;
  mean: number;
  /** The confidences below which these percentages of the questions are. */
  percentiles: Readonly<Record<string, number>>;
}

export interface ThresholdErrors {
  threshold: number;
  /** The share of the answered questions that lie below it. */
  answeredAsked: number;
  /** The share of the foreign questions that do not. */
  foreignKept: number;
}

export interface Separation {
  answered: Distribution;
  foreign: Distribution;
  /** How often an answered question is more confident than a foreign one; ties count half. */
  areaUnderCurve: number;
  best: ThresholdErrors;
  /** Error rates of thresholds on either side, for a choice by hand. */
  others: ThresholdErrors[];
}

const PERCENTILES = [1, 5, 25, 50, 75, 95, 99];
const STEP = 0.05;

/** Separates confidences of answered from those of foreign questions; neither may be empty. */
export function separate(answered: readonly number[], foreign: readonly number[]): Separation {
  const errorsAt = (threshold: number): ThresholdErrors => ({
    threshold: round(threshold),
    answeredAsked: share(answered, (confidence) => confidence < threshold),
    foreignKept: share(foreign, (confidence) => confidence >= threshold),
  });
  return {
    answered: describe(answered),
    foreign: describe(foreign),
    areaUnderCurve: areaUnderCurve(answered, foreign),
    best: errorsAt(bestThreshold(answered, foreign)),
    others: Array.from({ length: 1 / STEP - 1 }, (_, i) => errorsAt((i + 1) * STEP)),
  };
}

/** In the middle of the widest gap where the errors are least, so that chance decides little. */
function bestThreshold(answered: readonly number[], foreign: readonly number[]): number {
  const values = [...new Set([0, ...answered, ...foreign])].sort((a, b) => a - b);
  let best = { errors: Number.POSITIVE_INFINITY, gap: 0, threshold: 0 };
  for (const [at, value] of values.entries()) {
    // Between this value and the next one every threshold errs as often.
    const next = values[at + 1] ?? 1;
    const errors =
      share(answered, (confidence) => confidence <= value) +
      share(foreign, (confidence) => confidence > value);
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

/** By linear interpolation between the two nearest of the sorted values. */
function percentile(sorted: readonly number[], percent: number): number {
  const at = ((sorted.length - 1) * percent) / 100;
  const [below, above] = [sorted[Math.floor(at)] as number, sorted[Math.ceil(at)] as number];
  return below + (above - below) * (at - Math.floor(at));
}

function areaUnderCurve(answered: readonly number[], foreign: readonly number[]): number {
  let won = 0;
  for (const a of answered) {
    for (const f of foreign) won += a > f ? 1 : a === f ? 0.5 : 0;
  }
  return won / (answered.length * foreign.length);
}

function share(values: readonly number[], is: (value: number) => boolean): number {
  return values.filter(is).length / values.length;
}

/** Confidences have 3 decimals; half of the last one may stand between two of them. */
function round(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}
