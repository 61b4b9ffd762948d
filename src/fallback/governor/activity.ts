/** What /health tells of a provider: how often it was asked, what came of it, how fast it was. */
import type { LaneActivity, LaneReport } from '../lanes/lane.ts';

export interface Activity {
  count(report: Pick<LaneReport, 'outcome' | 'reason'>): void;
  countAnswer(milliseconds: number): void;
  read(): LaneActivity;
}

/** Answers whose times are remembered. */
const LATENCIES_MAX = 200;

export function createActivity(): Activity {
  const plain = { answered: 0, cached: 0, late: 0 };
  const byReason = { skipped: new Map<string, number>(), failed: new Map<string, number>() };
  const latencies: number[] = [];
  let asks = 0;
  return {
    count({ outcome, reason }) {
      asks++;
      if (outcome === 'skipped' || outcome === 'failed') {
        byReason[outcome].set(reason, (byReason[outcome].get(reason) ?? 0) + 1);
      } else plain[outcome]++;
    },
    countAnswer(milliseconds) {
      latencies.push(milliseconds);
      if (latencies.length > LATENCIES_MAX) latencies.shift();
    },
    read: () => ({
      asks,
      ...plain,
      latency: latencyOf(latencies),
      skipped: Object.fromEntries(byReason.skipped),
      failed: Object.fromEntries(byReason.failed),
    }),
  };
}

function latencyOf(latencies: readonly number[]): LaneActivity['latency'] {
  const sorted = [...latencies].sort((a, b) => a - b);
  const [first] = sorted;
  if (first === undefined) return undefined;
  const quantile = (share: number): number =>
    Math.round(sorted[Math.ceil(share * sorted.length) - 1] ?? first);
  return { p50Ms: quantile(0.5), p95Ms: quantile(0.95) };
}
