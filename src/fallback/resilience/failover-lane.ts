/** Several providers of one lane, in order of preference. */

import type { LaneReport } from '../lane/lane.ts';
import type { LaneResponse, ResilientLane } from './resilient-lane.ts';

/** Why a provider is being left alone. */
const unavailableReasons: ReadonlySet<string> = new Set([
  ...['circuit_open', 'rate_limited', 'exhausted', 'capped', 'refused'],
]);

/**
 * A lane that asks the first of these that is not being left alone, or has the answer in the cache.
 * Where all are left alone, it reports why the first is.
 */
export function createFailoverLane(lanes: readonly ResilientLane[]): ResilientLane {
  const [first, ...others] = lanes as [ResilientLane, ...ResilientLane[]];
  return {
    name: first.name,
    async ask(query, patience) {
      const answer = await first.ask(query, patience);
      let latest: LaneResponse = answer;
      for (const other of others) {
        if (!isUnavailable(latest.report)) return latest;
        latest = await other.ask(query, patience);
      }
      return isUnavailable(latest.report) ? answer : latest;
    },
    dropTooLate() {
      for (const lane of lanes) lane.dropTooLate();
    },
    states: () => lanes.flatMap((lane) => lane.states()),
    async close() {
      await Promise.all(lanes.map((lane) => lane.close()));
    },
  };
}

function isUnavailable({ outcome, reason }: LaneReport): boolean {
  return outcome === 'skipped' && unavailableReasons.has(reason);
}
