/** Several providers of one lane, in order of preference. */
import type { GovernedLane, LaneResponse } from './governor/governed-lane.ts';
import type { LaneReport } from './lanes/lane.ts';

/** Why a provider is being left alone. */
const leftAlone: ReadonlySet<string> = new Set([
  ...['circuit_open', 'rate_limited', 'exhausted', 'capped', 'refused'],
]);

/**
 * A lane that asks the first of these that is not being left alone, or has the answer in the cache.
 * Where all are left alone, it reports why the first is.
 */
export function createPreferredLane(lanes: readonly GovernedLane[]): GovernedLane {
  const [first, ...others] = lanes as [GovernedLane, ...GovernedLane[]];
  return {
    name: first.name,
    async ask(query, patience) {
      const answer = await first.ask(query, patience);
      let latest: LaneResponse = answer;
      for (const other of others) {
        if (!isLeftAlone(latest.report)) return latest;
        latest = await other.ask(query, patience);
      }
      return isLeftAlone(latest.report) ? answer : latest;
    },
    dropLate() {
      for (const lane of lanes) lane.dropLate();
    },
    states: () => lanes.flatMap((lane) => lane.states()),
    async close() {
      await Promise.all(lanes.map((lane) => lane.close()));
    },
  };
}

function isLeftAlone({ outcome, reason }: LaneReport): boolean {
  return outcome === 'skipped' && leftAlone.has(reason);
}
