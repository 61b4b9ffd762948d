/**
 * A customer's activity: one line for each paid call and each payment, newest first, in pages. A page
 * continues before or after a line's id, so every page costs the same and new lines shift nothing.
 * Triggers of the database keep the lines and their counts by day; see schema/accounts.sql.
 */
import type { Connection } from '../../database/sqlite/connection.ts';
import { entryRangeOf, type TimeRange } from './entry-ids.ts';
import { type CallKind, dayOf } from './ledger.ts';

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
export function readActivityPage(
  db: Connection,
  request: ActivityRequest & { start: PageStart; linesMax: number },
): ActivityPage {
  const { start, linesMax } = request;
  const isForward = start !== undefined && 'after' in start;
  const above = isForward ? start.after : -1;
  const below = start !== undefined && 'before' in start ? start.before : MAX_ID;
  const read = db.prepare(
    // The cross join keeps the order: first the lines, then their entries.
    `SELECT a.id, a.kind, a.outcome, a.credits, a.created_at AS createdAt,
       api_keys.name AS keyName, api_keys.prefix AS keyPrefix, e.request_id AS requestId,
       e.reference, e.note
     FROM activity a ${indexFor(request)} CROSS JOIN ledger_entries e ON e.id = a.id
     LEFT JOIN api_keys ON api_keys.id = a.key_id
     ${conditionOf(request)} ORDER BY a.id ${isForward ? 'ASC' : 'DESC'} LIMIT :rows`,
  );
  const rows = read.all({
    ...parametersOf(db, request),
    above,
    below,
    rows: linesMax + 1,
  }) as ActivityLine[];
  const lines = rows.slice(0, linesMax);
  const hasMore = rows.length > linesMax;
  if (isForward) lines.reverse();
  return {
    lines,
    hasNewer: isForward ? hasMore : start !== undefined,
    hasOlder: isForward || hasMore,
  };
}

/** Picks the index that has the lines in order and reads the fewest others. */
function indexFor({ kind, outcome, keyId }: ActivityFilter): string {
  if (outcome !== undefined && outcome !== 'charged') return 'INDEXED BY activity_by_outcome';
  if (kind !== undefined && kind !== 'search') return 'INDEXED BY activity_by_kind';
  if (keyId !== undefined) return 'INDEXED BY activity_by_key';
  return 'INDEXED BY activity_by_customer';
}

/** The partial indexes need their condition in the text. */
function conditionOf({ kind, outcome, keyId }: ActivityFilter): string {
  return `WHERE a.customer_id = :customerId AND a.id > :above AND a.id < :below
    AND a.id >= :idFrom AND a.id < :idUntil AND a.created_at >= :from AND a.created_at < :until
    ${keyId === undefined ? '' : 'AND a.key_id = :keyId'}
    ${kind === undefined ? '' : 'AND a.kind = :kind'}
    ${kind === undefined || kind === 'search' ? '' : "AND a.kind <> 'search'"}
    ${outcome === undefined ? '' : 'AND a.outcome = :outcome'}
    ${outcome === undefined || outcome === 'charged' ? '' : "AND a.outcome <> 'charged'"}`;
}

function parametersOf(
  db: Connection,
  { customerId, kind, outcome, keyId, from, until }: ActivityRequest,
): Record<string, number | string> {
  return {
    ...entryRangeOf(db, { from, until }),
    customerId,
    ...(keyId === undefined ? {} : { keyId }),
    ...(kind === undefined ? {} : { kind }),
    ...(outcome === undefined ? {} : { outcome }),
  };
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
export function countActivity(
  db: Connection,
  { customerId, kind, outcome, keyId, from, until }: ActivityRequest,
): ActivityTotal[] {
  return db
    .prepare(
      `SELECT outcome, sum(lines) AS lines, sum(credits) AS credits FROM activity_days
       WHERE customer_id = :customerId AND day >= :first AND day <= :last
         ${keyId === undefined ? '' : 'AND key_id = :keyId'}
         ${kind === undefined ? '' : 'AND kind = :kind'}
         ${outcome === undefined ? '' : 'AND outcome = :outcome'}
       GROUP BY outcome HAVING sum(lines) > 0`,
    )
    .all({
      customerId,
      first: from === undefined ? '' : dayOf(from),
      last: until === undefined ? '9999' : dayOf(until - DAY_MS),
      ...(keyId === undefined ? {} : { keyId }),
      ...(kind === undefined ? {} : { kind }),
      ...(outcome === undefined ? {} : { outcome }),
    }) as ActivityTotal[];
}
