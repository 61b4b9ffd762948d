/** Failover: several providers of one lane, in order of preference. */
import type { LaneReport } from '../lane/lane.ts';
import type { LaneResponse, ResilientLane } from './resilient-lane.ts';

/** The reasons to turn to the next provider. One failure is not among them. */
const unavailableReasons: ReadonlySet<string> = new Set([
  ...['circuit_open', 'rate_limited', 'exhausted', 'capped', 'refused', 'no_look_up'],
]);

/**
 * A lane that asks the first provider that is available or has the response in its cache. If none
 * is available, the lane reports the reason of the first provider.
 */
export function createFailoverLane(lanes: readonly ResilientLane[]): ResilientLane {
  const [first, ...others] = lanes as [ResilientLane, ...ResilientLane[]];
  const inTurn = async (
    ask: (lane: ResilientLane) => Promise<LaneResponse>,
  ): Promise<LaneResponse> => {
    const preferred = await ask(first);
    let latest: LaneResponse = preferred;
    for (const other of others) {
      if (!isUnavailable(latest.report)) return latest;
      latest = await ask(other);
    }
    return isUnavailable(latest.report) ? preferred : latest;
  };
  return {
    name: first.name,
    ask: (query, deadline) => inTurn((lane) => lane.ask(query, deadline)),
    lookUp: (inquire, deadline) => inTurn((lane) => lane.lookUp(inquire, deadline)),
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
