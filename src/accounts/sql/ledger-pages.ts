/**
 * A customer's ledger in pages, newest first. A page continues after an entry's id, so every page
 * costs the same and new entries shift nothing.
 */

import { query, queryFirst, type Sql, type Value } from '../../database/sql/sql.ts';
import type { EntryKind, LedgerEntry } from './credit-entries.ts';
import { idRangeOf, type TimeRange } from './entry-ids.ts';
import { type Page, pageOf } from './row-pages.ts';

export interface LedgerFilter extends TimeRange {
  /** Only these kinds; all if absent. */
  kinds?: readonly EntryKind[];
  /** Whether the entry must name a payment, or must not. */
  hasReference?: boolean;
  /** The full prefix of a key's hash. */
  keyPrefix?: string;
}

export interface LedgerPageRequest extends LedgerFilter {
  customerId: number;
  entriesMax: number;
  /** The last id of the previous page. */
  before?: number | undefined;
}

export interface LedgerPageEntry extends Omit<LedgerEntry, 'customerId' | 'keyId'> {
  keyPrefix: string | null;
  keyName: string | null;
  /** When the entry's search was refunded; null: it was not. */
  refundedAt: number | null;
}

/** Rare kinds have a partial index of their own. */
const isRare = (kind: EntryKind): boolean => kind !== 'hold' && kind !== 'settle';

/** Reads a page of ledger entries. */
export function* readLedgerPage(request: LedgerPageRequest): Sql<Page<LedgerPageEntry>> {
  const { customerId, keyPrefix, kinds, hasReference, entriesMax, before } = request;
  const { from, until, idFrom, idUntil } = yield* idRangeOf('ledger_entries', request);
  const values: Value[] = [customerId, idFrom, Math.min(before ?? idUntil, idUntil), from, until];
  const place = (value: Value): string => `$${values.push(value)}`;
  // The index of rare entries has all columns that find them, so it is the one that is read. The sign keeps
  // that of keys away.
  const [found, tables, keyId] = kinds?.every(isRare)
    ? ['rare', 'ledger_entries rare JOIN ledger_entries e ON e.id = rare.id', '+e.key_id']
    : ['e', 'ledger_entries e', 'e.key_id'];
  const conditions = [
    `${found}.customer_id = $1 AND ${found}.id >= $2 AND ${found}.id < $3`,
    'e.created_at >= $4 AND e.created_at < $5',
  ];
  if (keyPrefix !== undefined) {
    conditions.push(`${keyId} = (SELECT id FROM api_keys WHERE prefix = ${place(keyPrefix)})`);
  }
  if (kinds !== undefined) {
    conditions.push(`${found}.kind IN (${kinds.map(place).join(', ') || 'NULL'})`);
  }
  if (hasReference !== undefined) {
    conditions.push(`e.reference IS ${hasReference ? 'NOT NULL' : 'NULL'}`);
  }
  if (found === 'rare') conditions.push("rare.kind NOT IN ('hold', 'settle')");
  const entries = yield* query<LedgerPageEntry>(
    `SELECT e.id, e.kind, e.credits, e.balance, e.request_id AS "requestId", e.reference, e.note,
       e.created_at AS "createdAt", api_keys.prefix AS "keyPrefix", api_keys.name AS "keyName",
       (SELECT created_at FROM ledger_entries r
        WHERE r.request_id = e.request_id AND r.kind = 'refund') AS "refundedAt"
     FROM ${tables} LEFT JOIN api_keys ON api_keys.id = e.key_id
     WHERE ${conditions.join(' AND ')} ORDER BY ${found}.id DESC LIMIT ${place(entriesMax + 1)}`,
    values,
  );
  return pageOf(entries, entriesMax);
}

/** How many entries show whether the clock was ahead lately: a few minutes of a busy server. */
const NEWEST_ENTRIES = 10_000;

/**
 * Returns the latest time of the newest entries, in milliseconds since 1970; null without entries. The
 * last entry alone would hide a clock that was ahead for a while.
 */
export function* readNewestEntryTime(): Sql<number | null> {
  const newest = `SELECT created_at FROM ledger_entries ORDER BY id DESC LIMIT ${NEWEST_ENTRIES}`;
  const found = yield* queryFirst<{ time: number | null }>(
    `SELECT max(created_at) AS time FROM (${newest}) AS newest`,
  );
  return found?.time ?? null;
}
