/** Refunds of many requests at once: those of a customer in a range of times, of a key, of a kind of call. */
import { lockCustomer, query, queryFirst, type Sql, type Value } from '../../database/sql/sql.ts';
import { dayOf, periodOf } from './calendar-month.ts';
import { addToBalance, type CallKind } from './credit-entries.ts';
import { assertTakesCredit, customerOf, findCustomer, readBalance } from './customers.ts';
import { idRangeOf } from './entry-ids.ts';

/** Which requests. */
export interface RequestFilter {
  /** When they started: the earliest time, inclusive, and the latest, exclusive. */
  from: number;
  until: number;
  /** The whole prefix of a key's hash; all keys if absent. */
  keyPrefix?: string | undefined;
  /** All kinds if absent. */
  call?: CallKind | undefined;
}

export interface RequestSum {
  requests: number;
  credits: number;
}

/** What was charged and not refunded. */
export interface RefundableRequests extends RequestSum {
  /** The oldest of them. */
  requestIds: string[];
}

/**
 * Counts what can be refunded, and names the oldest `limit` requests. It may read all entries of the range,
 * so it is no work for the ledger's thread. Throws `unknown_customer`.
 */
export function* findRefundable({
  email,
  keyPrefix,
  call,
  limit,
  ...range
}: RequestFilter & { email: string; limit: number }): Sql<RefundableRequests> {
  const { id: customerId } = yield* findCustomer(email);
  const { from, until, idFrom, idUntil } = yield* idRangeOf('ledger_entries', range);
  const values: Value[] = [customerId, idFrom, idUntil, from, until];
  const conditions = [
    "h.customer_id = $1 AND h.kind = 'hold' AND h.id >= $2 AND h.id < $3",
    'h.created_at >= $4 AND h.created_at < $5',
    refundable,
  ];
  if (keyPrefix !== undefined) {
    conditions.push(
      `h.key_id = (SELECT id FROM api_keys WHERE prefix = $${values.push(keyPrefix)})`,
    );
  }
  if (call !== undefined) conditions.push(`coalesce(h.call, 'search') = $${values.push(call)}`);
  const found = `FROM ledger_entries h WHERE ${conditions.join(' AND ')}`;
  const sum = yield* queryFirst<RequestSum>(
    `SELECT count(*) AS requests, CAST(coalesce(sum(-h.credits), 0) AS bigint) AS credits ${found}`,
    values,
  );
  const oldest = yield* query<{ requestId: string }>(
    `SELECT h.request_id AS "requestId" ${found} ORDER BY h.id LIMIT $${values.push(limit)}`,
    values,
  );
  const requestIds = oldest.map(({ requestId }) => requestId);
  return { requests: sum?.requests ?? 0, credits: sum?.credits ?? 0, requestIds };
}

/** Selects the holds `h` that were charged and not refunded. */
const refundable = `EXISTS (SELECT 1 FROM ledger_entries s
    WHERE s.request_id = h.request_id AND s.kind = 'settle')
  AND NOT EXISTS (SELECT 1 FROM ledger_entries r
    WHERE r.request_id = h.request_id AND r.kind = 'refund')`;

export interface RefundOfMany {
  email: string;
  /** As `findRefundable` names them. */
  requestIds: readonly string[];
  /** How they were found, for the trail. */
  filter: RequestFilter;
  note?: string | undefined;
  now: number;
}

export interface RefundedMany extends RequestSum {
  customerId: number;
  balance: number;
}

/** How many requests a statement names. A fixed number, so that there is one statement to prepare. */
const NAMED = 100;
const names = Array.from({ length: NAMED }, (_, index) => `$${index + 5}`).join(', ');

const insertRefunds = `
  WITH charged AS (
    SELECT h.id, h.request_id, h.key_id, -h.credits AS credits FROM ledger_entries h
    WHERE h.request_id IN (${names}) AND h.customer_id = $1 AND h.kind = 'hold' AND ${refundable})
  INSERT INTO ledger_entries
    (customer_id, key_id, kind, credits, balance, request_id, note, created_at)
  SELECT $1, key_id, 'refund', credits,
    CAST($2 AS bigint) + CAST(sum(credits) OVER (ORDER BY id) AS bigint),
    request_id, CAST($3 AS text), CAST($4 AS bigint)
  FROM charged ORDER BY id RETURNING id, credits`;

/**
 * Refunds requests of a customer, each once however often this is repeated. Returns what was refunded.
 * Throws `unknown_customer`, and `usage` for a deleted one.
 */
export function* refundRequests(input: RefundOfMany): Sql<RefundedMany> {
  const { email, requestIds, note = null, now } = input;
  const { id: customerId } = yield* findCustomer(email);
  yield* lockCustomer(customerId);
  assertTakesCredit(yield* customerOf(customerId));
  const done = { customerId, requests: 0, credits: 0, balance: yield* readBalance(customerId) };
  for (let first = 0; first < requestIds.length; first += NAMED) {
    const some = Array.from({ length: NAMED }, (_, index) => requestIds[first + index] ?? null);
    const values = [customerId, done.balance, note, now, ...some];
    const refunded = yield* query<{ id: number; credits: number }>(insertRefunds, values);
    if (refunded.length === 0) continue;
    const credits = refunded.reduce((sum, entry) => sum + entry.credits, 0);
    const ids = refunded.map(({ id }) => id);
    yield* takeFromUsage(customerId, Math.min(...ids), Math.max(...ids));
    done.balance = yield* addToBalance(customerId, credits);
    done.requests += refunded.length;
    done.credits += credits;
  }
  return done;
}

const usageTables = [
  ['usage', 'period', periodOf],
  ['usage_days', 'day', dayOf],
] as const;

/** The searches count as served in the month and day of their charge, whose credits shrink. */
function* takeFromUsage(customerId: number, first: number, last: number): Sql<void> {
  const charges = yield* query<{ keyId: number; credits: number; chargedAt: number }>(
    `SELECT s.key_id AS "keyId", r.credits, s.created_at AS "chargedAt" FROM ledger_entries r
     JOIN ledger_entries s ON s.request_id = r.request_id AND s.kind = 'settle'
     WHERE r.customer_id = $1 AND r.id >= $2 AND r.id <= $3 AND r.kind = 'refund'`,
    [customerId, first, last],
  );
  for (const [table, column, spanOf] of usageTables) {
    const sums = new Map<string, { keyId: number; span: string; credits: number }>();
    for (const { keyId, credits, chargedAt } of charges) {
      const span = spanOf(chargedAt);
      const before = sums.get(`${keyId} ${span}`)?.credits ?? 0;
      sums.set(`${keyId} ${span}`, { keyId, span, credits: before + credits });
    }
    for (const { keyId, span, credits } of sums.values()) {
      yield* query(
        `UPDATE ${table} SET credits = credits - $1 WHERE key_id = $2 AND ${column} = $3`,
        [credits, keyId, span],
      );
    }
  }
}
