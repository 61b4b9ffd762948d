/** What is read of requests: pages of a customer, one request, and counts. */
import { query, queryFirst, type Sql, type Value } from '../../database/sql/sql.ts';
import { dayOf } from './calendar-month.ts';
import { entriesOfRequest, type LedgerEntry } from './credit-entries.ts';
import { idRangeOf, type TimeRange } from './entry-ids.ts';
import type { NewRequest, RequestCount } from './request-rows.ts';
import { type Page, pageOf } from './row-pages.ts';

const DAY_MS = 86_400_000;
const OK = 200;
/** The path of most requests. */
const COMMON_PATH = '/v1/search';

export interface RequestFilter extends TimeRange {
  /** A status of HTTP, or `failed`: any error. */
  status?: number | 'failed';
  path?: string;
  keyId?: number;
}

export interface ListedRequest
  extends Omit<NewRequest, 'customerId' | 'keyId' | 'details' | 'asked'> {
  id: number;
  keyName: string;
  keyPrefix: string;
}

export interface RequestsOf extends RequestFilter {
  customerId: number;
}

const listedColumns = `r.id, r.request_id AS "requestId", r.path, r.status, r.code, r.credits,
  r.milliseconds, r.lanes, r.created_at AS "createdAt", k.name AS "keyName", k.prefix AS "keyPrefix"`;

/** Reads a page of requests. It costs the same wherever it is. */
export function* readRequestPage(
  filter: RequestsOf & { before?: number | undefined; requestsMax: number },
): Sql<Page<ListedRequest>> {
  const { before = Number.MAX_SAFE_INTEGER, customerId, requestsMax } = filter;
  const { from, until, idFrom, idUntil } = yield* idRangeOf('requests', filter);
  const below = Math.min(before, idUntil);
  const values: Value[] = [customerId, idFrom, below, from, until, requestsMax + 1];
  const found = yield* query<ListedRequest>(
    `SELECT ${listedColumns} FROM requests r JOIN api_keys k ON k.id = r.key_id
     WHERE ${conditionOf(filter, values)} AND r.id >= $2 AND r.id < $3
       AND r.created_at >= $4 AND r.created_at < $5
     ORDER BY r.id DESC LIMIT $6`,
    values,
  );
  return pageOf(found, requestsMax);
}

/**
 * Names the index that has the requests in order and reads the fewest others: failures and rare paths
 * have one of the customer, which is over a sum; other requests of a key have that of the key.
 */
export function conditionOf({ status, path, keyId }: RequestFilter, values: Value[]): string {
  const isFailure = status !== undefined && status !== OK;
  const isRarePath = !isFailure && path !== undefined && path !== COMMON_PATH;
  const isRare = isFailure || isRarePath;
  const conditions = [
    `r.customer_id ${isRare || keyId !== undefined ? '+ 0 ' : ''}= $1`,
    ...(isFailure ? ['r.code IS NOT NULL'] : []),
    ...(isRarePath ? [`r.path <> '${COMMON_PATH}'`] : []),
  ];
  if (keyId !== undefined)
    conditions.push(`r.key_id ${isRare ? '+ 0 ' : ''}= $${values.push(keyId)}`);
  if (typeof status === 'number') conditions.push(`r.status = $${values.push(status)}`);
  if (path !== undefined) conditions.push(`r.path = $${values.push(path)}`);
  return conditions.join(' AND ');
}

/** Requests of one path with one outcome, counted. */
export type RequestTotal = Pick<RequestCount, 'path' | 'status' | 'code' | 'calls'>;

/**
 * Counts all requests of a filter whose times are the starts of days, those that are only counted and
 * those that are deleted included. It reads a few rows a day, however many requests there are.
 */
export function* countRequests(filter: RequestsOf): Sql<RequestTotal[]> {
  const { customerId, keyId, path, status, from, until } = filter;
  const first = from === undefined ? '' : dayOf(from);
  const last = until === undefined ? '9999' : dayOf(until - DAY_MS);
  const values: Value[] = [customerId, first, last];
  return yield* query<RequestTotal>(
    `SELECT path, status, code, CAST(sum(calls) AS bigint) AS calls FROM request_days
     WHERE customer_id = $1 AND day >= $2 AND day <= $3
       ${keyId === undefined ? '' : `AND key_id = $${values.push(keyId)}`}
       ${path === undefined ? '' : `AND path = $${values.push(path)}`}
       ${typeof status === 'number' ? `AND status = $${values.push(status)}` : ''}
       ${status === 'failed' ? "AND code <> ''" : ''}
     GROUP BY path, status, code`,
    values,
  );
}

/** Requests of a key on a day, counted. */
export interface KeyDayTotal extends RequestTotal {
  keyName: string;
  keyPrefix: string;
}

/** Counts the requests of one day by key, path, and outcome. */
export function* countRequestsOfDay({
  customerId,
  keyId,
  day,
}: {
  customerId: number;
  keyId?: number | undefined;
  day: string;
}): Sql<KeyDayTotal[]> {
  return yield* query<KeyDayTotal>(
    `SELECT k.name AS "keyName", k.prefix AS "keyPrefix", d.path, d.status, d.code, d.calls
     FROM request_days d JOIN api_keys k ON k.id = d.key_id
     WHERE d.customer_id = $1 AND d.day = $2 ${keyId === undefined ? '' : 'AND d.key_id = $3'}
     ORDER BY d.key_id, d.path, d.status, d.code`,
    [customerId, day, ...(keyId === undefined ? [] : [keyId])],
  );
}

export interface RequestRecord extends ListedRequest {
  customerId: number;
  details: string;
  /** Null: it was not kept, or is kept no longer. */
  asked: string | null;
  /** What the ledger says of it, oldest first. */
  entries: LedgerEntry[];
}

/** Finds a request by its id; undefined if there is none, or it was deleted. */
export function* findRequest({
  customerId,
  requestId,
}: {
  /** Absent: of any customer. */
  customerId?: number | undefined;
  requestId: string;
}): Sql<RequestRecord | undefined> {
  const found = yield* queryFirst<Omit<RequestRecord, 'entries'>>(
    `SELECT ${listedColumns}, r.customer_id AS "customerId", r.details, r.asked
     FROM requests r JOIN api_keys k ON k.id = r.key_id WHERE r.request_id = $1`,
    [requestId],
  );
  if (found === undefined || (customerId ?? found.customerId) !== found.customerId)
    return undefined;
  return { ...found, entries: yield* entriesOfRequest(requestId) };
}

/** A failure that happened to the same key, or to nobody that is known, since a day. */
export interface FailureCount {
  /** Null: nobody's, because there was no key, or none that is known. */
  customerId: number | null;
  customer: string | null;
  keyName: string | null;
  keyPrefix: string | null;
  status: number;
  code: string;
  calls: number;
  lastAt: number;
}

/** Lists failures since a day (`YYYY-MM-DD`) by key and code, the latest first. Scans those days. */
export function* listFailures({
  firstDay,
  limit,
}: {
  firstDay: string;
  limit: number;
}): Sql<FailureCount[]> {
  return yield* query<FailureCount>(
    `SELECT c.id AS "customerId", c.email AS customer, k.name AS "keyName", k.prefix AS "keyPrefix",
       d.status, d.code, CAST(sum(d.calls) AS bigint) AS calls, max(d.last_at) AS "lastAt"
     FROM request_days d LEFT JOIN customers c ON c.id = d.customer_id
       LEFT JOIN api_keys k ON k.id = d.key_id
     WHERE d.day >= $1 AND d.code <> ''
     GROUP BY c.id, c.email, k.id, k.name, k.prefix, d.status, d.code
     ORDER BY max(d.last_at) DESC, c.id, k.id, d.status, d.code LIMIT $2`,
    [firstDay, limit],
  );
}
