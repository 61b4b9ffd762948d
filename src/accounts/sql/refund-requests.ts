/** Refunds of many requests at once: those that a filter of the page Requests finds. */
import { lockCustomer, query, type Sql, type Value } from '../../database/sql/sql.ts';
import { entriesOfRequest, refundSearch } from './credit-entries.ts';
import { idRangeOf } from './entry-ids.ts';
import { conditionOf, type RequestsOf } from './request-pages.ts';

/** Lists the oldest requests that were charged and not refunded. */
export function* findRefundable(
  filter: RequestsOf & { requestsMax: number },
): Sql<{ requestId: string; credits: number }[]> {
  const { from, until, idFrom, idUntil } = yield* idRangeOf('requests', filter);
  const values: Value[] = [filter.customerId, idFrom, idUntil, from, until, filter.requestsMax];
  return yield* query(
    `SELECT r.request_id AS "requestId", r.credits FROM requests r
     WHERE ${conditionOf(filter, values)} AND r.id >= $2 AND r.id < $3
       AND r.created_at >= $4 AND r.created_at < $5 AND r.credits > 0 AND NOT EXISTS (
         SELECT 1 FROM ledger_entries e WHERE e.request_id = r.request_id AND e.kind = 'refund')
     ORDER BY r.id LIMIT $6`,
    values,
  );
}

/**
 * Refunds requests of a customer with all their parts, each once however often this is repeated. Throws
 * `unknown_request` for one of another customer, and `usage` for a deleted one.
 */
export function* refundRequests({
  customerId,
  requestIds,
  note,
  now,
}: {
  customerId: number;
  requestIds: readonly string[];
  /** How they were found, for the trail. */
  filter: string;
  note?: string | undefined;
  now: number;
}): Sql<{ customerId: number; requests: number; credits: number }> {
  yield* lockCustomer(customerId);
  const done = { customerId, requests: 0, credits: 0 };
  for (const whole of requestIds) {
    const before = done.credits;
    const charged = new Set<string>();
    for (const { kind, requestId } of yield* entriesOfRequest(whole)) {
      if (requestId === null) continue;
      if (kind === 'settle') charged.add(requestId);
      if (kind === 'refund') charged.delete(requestId);
    }
    for (const requestId of charged) {
      done.credits += (yield* refundSearch({ requestId, customerId, note, now })).credits;
    }
    if (done.credits > before) done.requests++;
  }
  return done;
}
