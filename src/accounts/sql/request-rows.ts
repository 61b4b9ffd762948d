/**
 * Requests of customers: one row for each, and their counts by day. They are written up to a second late
 * and deleted after some days. What was charged stands in the ledger.
 */
import { query, type Sql, type Value } from '../../database/sql/sql.ts';

/** A request that was answered, by whichever of the customer's keys, also one that has ended. */
export interface NewRequest {
  customerId: number;
  keyId: number;
  requestId: string;
  /** The route: nothing that the caller wrote. */
  path: string;
  /** Of HTTP. */
  status: number;
  /** Of the error; null: it was answered. */
  code: string | null;
  /** What was charged. A refund changes it. */
  credits: number;
  milliseconds: number;
  /** The lanes that contributed, separated by commas; null: none. */
  lanes: string | null;
  /** A `RequestDetails` as JSON. */
  details: string;
  /** The body or the query. It is stored only if the customer keeps what was asked. */
  asked: string | null;
  /** When it arrived. */
  createdAt: number;
}

/** What a page of one request shows besides its row. */
export interface RequestDetails {
  /** Milliseconds of each step. */
  stages?: Readonly<Record<string, number>>;
  /** The body of an error as it was sent. */
  error?: string;
  /** Whether the client was gone. */
  isLost?: boolean;
  /** What the log has of it. */
  notes?: Readonly<Record<string, unknown>>;
}

/** Equal requests of a day. Those that are only counted are among them. */
export interface RequestCount {
  /** 0, as the key: of nobody that is known. */
  customerId: number;
  keyId: number;
  /** In UTC, YYYY-MM-DD. */
  day: string;
  path: string;
  status: number;
  /** Empty: it was answered. */
  code: string;
  calls: number;
  /** When the last one arrived. */
  lastAt: number;
}

const DAY_MS = 86_400_000;
/** One statement for several rows saves PostgreSQL round trips. Each number is a text of its own. */
const ROWS_PER_STATEMENT = 16;
/** The columns that are written, with their types. */
const columns = {
  customerId: 'bigint',
  keyId: 'bigint',
  requestId: 'text',
  path: 'text',
  status: 'bigint',
  code: 'text',
  credits: 'bigint',
  milliseconds: 'bigint',
  lanes: 'text',
  details: 'text',
  createdAt: 'bigint',
  asked: 'text',
} as const satisfies Record<keyof NewRequest, string>;

/** Writes requests and adds to the counts of their days. Not repeatable. */
export function* recordRequests({
  requests,
  counts,
}: {
  requests: readonly NewRequest[];
  counts: readonly RequestCount[];
}): Sql<void> {
  for (let start = 0; start < requests.length; start += ROWS_PER_STATEMENT) {
    yield* insertRequests(requests.slice(start, start + ROWS_PER_STATEMENT));
  }
  for (const count of counts) {
    const { customerId, keyId, day, path, status, code, calls, lastAt } = count;
    yield* query(
      `INSERT INTO request_days AS d VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
       ON CONFLICT (customer_id, day, key_id, path, status, code) DO UPDATE
         SET calls = d.calls + excluded.calls, last_at = excluded.last_at`,
      [customerId, day, keyId, path, status, code, calls, lastAt],
    );
  }
}

function* insertRequests(requests: readonly NewRequest[]): Sql<void> {
  const values: Value[] = [];
  const rows = requests.map((request) => {
    const cells = Object.entries(columns).map(
      ([name, type]) => `CAST($${values.push(request[name as keyof NewRequest])} AS ${type})`,
    );
    return `(${cells.join(', ')})`;
  });
  yield* query(
    `WITH added (customer, key_id, request_id, path, status, code, credits, milliseconds, lanes,
       details, created_at, asked) AS (VALUES ${rows.join(', ')})
     INSERT INTO requests (customer_id, key_id, request_id, path, status, code, credits,
       milliseconds, lanes, details, created_at, asked, asked_until)
     SELECT added.customer, added.key_id, added.request_id, added.path, added.status, added.code,
       added.credits, added.milliseconds, added.lanes, added.details, added.created_at,
       CASE WHEN asked_days > 0 THEN added.asked END,
       CASE WHEN asked_days > 0 AND added.asked IS NOT NULL
         THEN added.created_at + asked_days * ${DAY_MS} END
     FROM added LEFT JOIN customers ON customers.id = added.customer`,
    values,
  );
}

/**
 * Deletes the oldest requests: those before a time, and those beyond a number. Returns how many, at most
 * `limit`.
 */
export function* deleteOldRequests({
  before,
  requestsMax,
  limit,
}: {
  before: number;
  requestsMax: number;
  limit: number;
}): Sql<number> {
  const deleted = yield* query(
    `DELETE FROM requests WHERE id IN (SELECT id FROM requests WHERE id > 0 ORDER BY id LIMIT $3)
       AND (created_at < $1 OR id <= (SELECT max(id) FROM requests) - $2) RETURNING 1`,
    [before, requestsMax, limit],
  );
  return deleted.length;
}

/** Deletes requests of a customer. Returns how many: fewer than `limit` when none is left. */
export function* deleteRequestsOf({
  customerId,
  limit,
}: {
  customerId: number;
  limit: number;
}): Sql<number> {
  const deleted = yield* query(
    `DELETE FROM requests WHERE id IN
       (SELECT id FROM requests WHERE customer_id = $1 ORDER BY id LIMIT $2) RETURNING 1`,
    [customerId, limit],
  );
  return deleted.length;
}

/** Sets for how many days what was asked is kept; 0: not at all. */
export function* setAskedDays({
  customerId,
  days,
}: {
  customerId: number;
  days: number;
}): Sql<void> {
  yield* query('UPDATE customers SET asked_days = $2 WHERE id = $1', [customerId, days]);
}

/**
 * Forgets what was asked in requests that keep it no longer, or in all of a customer. Returns how many, at
 * most `limit`.
 */
export function* forgetAsked(
  input: ({ now: number } | { customerId: number }) & { limit: number },
): Sql<number> {
  const [condition, value] =
    'now' in input ? ['asked_until <= $1', input.now] : ['customer_id = $1', input.customerId];
  const forgotten = yield* query(
    `UPDATE requests SET asked = NULL, asked_until = NULL WHERE id IN
       (SELECT id FROM requests WHERE asked_until IS NOT NULL AND ${condition} LIMIT $2) RETURNING 1`,
    [value as number, input.limit],
  );
  return forgotten.length;
}
