/**
 * Latency, lanes, and outcomes of answered calls, counted by key and day. They are written with the settlement
 * of a call, in one transaction, and deleted after some time.
 */

import type { Connection } from '../../../database/sqlite/connection.ts';
import type { LaneName } from '../../../settings/lane-choice.ts';
import type { Provenance } from '../../../types.ts';
import type { AnswerOutcome, QuestionToKeep } from '../../sql/answer-outcomes.ts';
import { boundOf } from '../../sql/latency-bounds.ts';
import { prepareAddOutcome } from './answer-outcomes.ts';

/** What is known of an answered call besides its charge. */
export interface AnswerMeasures {
  milliseconds: number;
  /** The lanes whose documents were ranked with the local ones. */
  lanes: readonly LaneName[];
  /** Of a search. */
  outcome?: AnswerOutcome | undefined;
  /** To be kept, if the index had nothing close to it and the operator wants it. */
  question?: QuestionToKeep | undefined;
}

/** Returns where an answer came from, each source once. */
export function sourcesOf(lanes: readonly LaneName[]): Provenance[] {
  return [...new Set<Provenance>(lanes.length === 0 ? ['corpus'] : lanes)];
}

/** A call that is charged. */
export interface MeasuredCall {
  customerId: number;
  keyId: number;
  /** Of the charge. */
  day: string;
  now: number;
}

/** Returns a step that counts an answered call of a key. The caller runs it in a transaction. */
export function prepareAddMeasures(
  db: Connection,
): (call: MeasuredCall, measures: AnswerMeasures) => void {
  const add = (table: string) =>
    db.prepare(
      `INSERT INTO ${table} VALUES (?, ?, ?, 1) ON CONFLICT DO UPDATE SET calls = calls + 1`,
    );
  const addLatency = add('latency_days');
  const addLane = add('lane_days');
  const addOutcome = prepareAddOutcome(db);
  return (call, { milliseconds, lanes, outcome, question }) => {
    const { keyId, day } = call;
    addLatency.run(keyId, day, boundOf(milliseconds));
    for (const source of sourcesOf(lanes)) addLane.run(keyId, day, source);
    if (outcome !== undefined) addOutcome({ ...call, outcome, question });
  };
}

/** The tables of measures by day, with their keys. */
const tables = {
  latency_days: 'key_id, day, bound_ms',
  lane_days: 'key_id, day, lane',
  outcome_days: 'key_id, day, outcome',
  request_days: 'customer_id, day, key_id, path, status, code',
};

/** Deletes measures of days before `before`. Returns how many rows, at most `limit`. */
export function deleteOldMeasures(
  db: Connection,
  { before, limit }: { before: string; limit: number },
): number {
  let left = limit;
  for (const [table, key] of Object.entries(tables)) {
    const deleted = db
      .prepare(
        `DELETE FROM ${table} WHERE (${key}) IN (
           SELECT ${key} FROM ${table} WHERE day < ? ORDER BY day LIMIT ?)`,
      )
      .run(before, left);
    left -= deleted.changes;
  }
  return limit - left;
}
