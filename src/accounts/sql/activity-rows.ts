/**
 * A customer's activity: one line for each paid call and each payment, newest first, in pages. A page
 * continues before or after a line's id, so every page costs the same and new lines shift nothing.
 * Triggers of the database keep the lines and their counts by day; see schema/accounts.sql.
 */
import { query, type Sql, type Value } from '../../database/sql/sql.ts';
import { dayOf } from './calendar-month.ts';
import type { CallKind } from './credit-entries.ts';
import { entryRangeOf, type TimeRange } from './entry-ids.ts';

export type ActivityKind = CallKind | 'topup' | 'adjust';
export type CallOutcome = 'open' | 'charged' | 'free' | 'refunded';
export type ActivityOutcome = CallOutcome | 'payment';

export interface ActivityFilter extends TimeRange {
  kind?: ActivityKind;
  outcome?: ActivityOutcome;
  keyId?: number;
}

export interface ActivityLine {
  id: number;
  kind: ActivityKind;
  outcome: ActivityOutcome;
  /** What the call or the payment adds to the balance. */
  credits: number;
  createdAt: number;
  keyName: string | null;
  keyPrefix: string | null;
  requestId: string | null;
  /** Names the payment. */
  reference: string | null;
  note: string | null;
}

/** Where a page begins: before a line, after one, or with the newest. */
export type PageStart = { before: number } | { after: number } | undefined;

export interface ActivityPage {
  lines: ActivityLine[];
  /** Whether there are lines above and below. */
  hasNewer: boolean;
  hasOlder: boolean;
}

export interface ActivityRequest extends ActivityFilter {
  customerId: number;
}

const MAX_ID = Number.MAX_SAFE_INTEGER;

/** Reads a page of lines, newest first. */
export function* readActivityPage(
  request: ActivityRequest & { start: PageStart; linesMax: number },
): Sql<ActivityPage> {
  const { start, linesMax } = request;
  const isForward = start !== undefined && 'after' in start;
  const above = isForward ? start.after : -1;
  const below = start !== undefined && 'before' in start ? start.before : MAX_ID;
  const { from, until, idFrom, idUntil } = yield* entryRangeOf(request);
  const ids = [Math.max(above + 1, idFrom), Math.min(below, idUntil)];
  const values: Value[] = [request.customerId, ...ids, from, until, linesMax + 1];
  const rows = yield* query<ActivityLine>(
    `SELECT a.id, a.kind, a.outcome, a.credits, a.created_at AS "createdAt",
       api_keys.name AS "keyName", api_keys.prefix AS "keyPrefix", e.request_id AS "requestId",
       e.reference, e.note
     FROM activity a LEFT JOIN ledger_entries e ON e.id = a.id
     LEFT JOIN api_keys ON api_keys.id = a.key_id
     WHERE ${conditionOf(request, values)} AND a.id >= $2 AND a.id < $3
       AND a.created_at >= $4 AND a.created_at < $5
     ORDER BY a.id ${isForward ? 'ASC' : 'DESC'} LIMIT $6`,
    values,
  );
  const lines = rows.slice(0, linesMax);
  const hasMore = rows.length > linesMax;
  if (isForward) lines.reverse();
  return {
    lines,
    hasNewer: isForward ? hasMore : start !== undefined,
    hasOlder: isForward || hasMore,
  };
}

/**
 * Picks the index that has the lines in order and reads the fewest others: rare lines have one by customer,
 * other lines of a key have that of the key. An index does not fit a sum.
 */
function conditionOf(filter: ActivityFilter, values: Value[]): string {
  const { kind = 'search', outcome = 'charged', keyId } = filter;
  if (keyId === undefined) return `a.customer_id = $1 ${filterOf(filter, values)}`;
  const isRare = kind !== 'search' || outcome !== 'charged';
  const [customer, key] = isRare ? ['customer_id', 'key_id + 0'] : ['customer_id + 0', 'key_id'];
  return `a.${customer} = $1 AND a.${key} = $${values.push(keyId)} ${filterOf(filter, values)}`;
}

/** The partial indexes need their condition in the text. */
function filterOf({ kind, outcome }: ActivityFilter, values: Value[]): string {
  return `${kind === undefined ? '' : `AND a.kind = $${values.push(kind)}`}
    ${kind === undefined || kind === 'search' ? '' : "AND a.kind <> 'search'"}
    ${outcome === undefined ? '' : `AND a.outcome = $${values.push(outcome)}`}
    ${outcome === undefined || outcome === 'charged' ? '' : "AND a.outcome <> 'charged'"}`;
}

/** Lines of one outcome, and what they add to the balance. */
export interface ActivityTotal {
  outcome: ActivityOutcome;
  lines: number;
  credits: number;
}

const DAY_MS = 86_400_000;

/**
 * Counts all lines of a filter whose times are the starts of days. It reads a few rows a day, however
 * many lines there are.
 */
export function* countActivity(request: ActivityRequest): Sql<ActivityTotal[]> {
  const { customerId, keyId, from, until } = request;
  const first = from === undefined ? '' : dayOf(from);
  const last = until === undefined ? '9999' : dayOf(until - DAY_MS);
  const values: Value[] = [customerId, first, last];
  return yield* query<ActivityTotal>(
    `SELECT outcome, CAST(sum(lines) AS bigint) AS lines, CAST(sum(credits) AS bigint) AS credits
     FROM activity_days a WHERE customer_id = $1 AND day >= $2 AND day <= $3
       ${keyId === undefined ? '' : `AND key_id = $${values.push(keyId)}`} ${filterOf(request, values)}
     GROUP BY outcome HAVING sum(lines) > 0`,
    values,
  );
}
