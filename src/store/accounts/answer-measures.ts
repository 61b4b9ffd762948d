/**
 * Latency and lanes of answered calls, counted by key and day. They are written with the settlement
 * of a call, in one transaction, and deleted after some time.
 */
import type { LaneName } from '../../lane-choice.ts';
import type { Provenance } from '../../types.ts';
import type { Connection } from '../database/connection.ts';

/** What is known of an answered call besides its charge. */
export interface AnswerMeasures {
  milliseconds: number;
  /** The lanes whose documents were ranked with the local ones. */
  lanes: readonly LaneName[];
}

/** Upper bounds of the buckets. */
export const latencyBoundsMs = [
  ...[5, 10, 15, 20, 30, 40, 60, 80, 120, 160, 240, 320, 500, 700],
  ...[1_000, 1_500, 2_000, 3_000, 5_000, 7_500, 10_000],
];
/** The bound of the bucket beyond all others. */
export const NO_BOUND_MS = 2 ** 31 - 1;

/** Returns the upper bound of the bucket of a latency. */
export function boundOf(milliseconds: number): number {
  return latencyBoundsMs.find((candidate) => milliseconds <= candidate) ?? NO_BOUND_MS;
}

/** Returns where an answer came from, each source once. */
export function sourcesOf(lanes: readonly LaneName[]): Provenance[] {
  return [...new Set<Provenance>(lanes.length === 0 ? ['corpus'] : lanes)];
}

/** Returns a step that counts an answered call of a key. The caller runs it in a transaction. */
export function prepareAddMeasures(
  db: Connection,
): (keyId: number, day: string, measures: AnswerMeasures) => void {
  const add = (table: string) =>
    db.prepare(
      `INSERT INTO ${table} VALUES (?, ?, ?, 1) ON CONFLICT DO UPDATE SET calls = calls + 1`,
    );
  const addLatency = add('latency_days');
  const addLane = add('lane_days');
  return (keyId, day, { milliseconds, lanes }) => {
    addLatency.run(keyId, day, boundOf(milliseconds));
    for (const source of sourcesOf(lanes)) addLane.run(keyId, day, source);
  };
}

/** Deletes measures of days before `before`. Returns how many rows, `atMost` that. */
export function deleteOldMeasures(
  db: Connection,
  { before, atMost }: { before: string; atMost: number },
): number {
  const latencies = db
    .prepare(
      `DELETE FROM latency_days WHERE (key_id, day, bound_ms) IN (
         SELECT key_id, day, bound_ms FROM latency_days WHERE day < ? ORDER BY day LIMIT ?)`,
    )
    .run(before, atMost).changes;
  const lanes = db
    .prepare(
      `DELETE FROM lane_days WHERE (key_id, day, lane) IN (
         SELECT key_id, day, lane FROM lane_days WHERE day < ? ORDER BY day LIMIT ?)`,
    )
    .run(before, atMost - latencies).changes;
  return latencies + lanes;
}
