/** Counts of a provider for `/health`: questions, outcomes, and latency. */
import type { LaneMetrics, LaneReport } from '../lane/lane.ts';

export interface MetricsRecorder {
  count(report: Pick<LaneReport, 'outcome' | 'reason'>): void;
  recordLatency(milliseconds: number): void;
  read(): LaneMetrics;
}

/** The latest responses whose latency is kept. */
const LATENCIES_MAX = 200;

export function createMetricsRecorder(): MetricsRecorder {
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
    recordLatency(milliseconds) {
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

function latencyOf(latencies: readonly number[]): LaneMetrics['latency'] {
  const sorted = [...latencies].sort((a, b) => a - b);
  const [first] = sorted;
  if (first === undefined) return undefined;
  const quantile = (share: number): number =>
    Math.round(sorted[Math.ceil(share * sorted.length) - 1] ?? first);
  return { p50Ms: quantile(0.5), p95Ms: quantile(0.95) };
}
