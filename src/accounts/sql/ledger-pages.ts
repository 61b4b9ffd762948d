/**
 * A customer's ledger in pages, newest first. A page continues after an entry's id, so every page
 * costs the same and new entries shift nothing.
 */

import type { Connection } from '../../database/sqlite/connection.ts';
import { entryRangeOf, type TimeRange } from './entry-ids.ts';
import type { EntryKind, LedgerEntry } from './ledger.ts';

export interface LedgerFilter extends TimeRange {
  /** Only these kinds; all if absent. */
  kinds?: readonly EntryKind[];
  /** The full prefix of a key's hash. */
  keyPrefix?: string;
}

export interface LedgerPageRequest extends LedgerFilter {
  customerId: number;
  entriesMax: number;
  /** The last id of the previous page. */
  before?: number;
}

export interface LedgerPageEntry extends Omit<LedgerEntry, 'customerId' | 'keyId'> {
  keyPrefix: string | null;
  keyName: string | null;
  /** When the entry's search was refunded; null: it was not. */
  refundedAt: number | null;
}

export interface LedgerPage {
  entries: LedgerPageEntry[];
  /** The `before` of the next page; undefined on the last page. */
  next: number | undefined;
}

/** Rare kinds have a partial index of their own. */
const isRare = (kind: EntryKind): boolean => kind !== 'hold' && kind !== 'settle';

export function readLedgerPage(db: Connection, request: LedgerPageRequest): LedgerPage {
  const { customerId, keyPrefix, kinds, entriesMax, before } = request;
  const { from, until, idFrom, idUntil: rangeEnd } = entryRangeOf(db, request);
  const idUntil = Math.min(before ?? rangeEnd, rangeEnd);
  const entries = db
    .prepare(
      `SELECT e.id, e.kind, e.credits, e.balance, e.request_id AS requestId, e.reference, e.note,
         e.created_at AS createdAt, api_keys.prefix AS keyPrefix, api_keys.name AS keyName,
         (SELECT created_at FROM ledger_entries r
          WHERE r.request_id = e.request_id AND r.kind = 'refund') AS refundedAt
       FROM ledger_entries e ${indexFor(request)}
       LEFT JOIN api_keys ON api_keys.id = e.key_id
       WHERE e.customer_id = :customerId AND e.id >= :idFrom AND e.id < :idUntil
         AND e.created_at >= :from AND e.created_at < :until
         ${keyPrefix === undefined ? '' : 'AND e.key_id = (SELECT id FROM api_keys WHERE prefix = :keyPrefix)'}
         ${kinds === undefined ? '' : 'AND e.kind IN (SELECT value FROM json_each(:kinds))'}
         ${kinds?.every(isRare) ? "AND e.kind NOT IN ('hold', 'settle')" : ''}
       ORDER BY e.id DESC LIMIT :rows`,
    )
    .all({
      customerId,
      idFrom,
      idUntil,
      from,
      until,
      rows: entriesMax + 1,
      ...(keyPrefix === undefined ? {} : { keyPrefix }),
      ...(kinds === undefined ? {} : { kinds: JSON.stringify(kinds) }),
    }) as LedgerPageEntry[];
  const next = entries.length > entriesMax ? entries[entriesMax - 1]?.id : undefined;
  return { entries: entries.slice(0, entriesMax), next };
}

/** Picks the index that returns entries in order and reads the fewest others. */
function indexFor({ kinds, keyPrefix }: LedgerFilter): string {
  if (kinds?.every(isRare)) return 'INDEXED BY ledger_entries_rare';
  if (keyPrefix !== undefined) return 'INDEXED BY ledger_entries_by_key';
  return 'INDEXED BY ledger_entries_by_customer';
}

/** How many entries show whether the clock was ahead lately: a few minutes of a busy server. */
export const NEWEST_ENTRIES = 10_000;

/**
 * Returns the latest time of the newest entries, in milliseconds since 1970; null without entries. The
 * last entry alone would hide a clock that was ahead for a while.
 */
export function readNewestEntryTime(db: Connection): number | null {
  const newest = `SELECT created_at FROM ledger_entries ORDER BY id DESC LIMIT ${NEWEST_ENTRIES}`;
  return db.prepare(`SELECT max(created_at) FROM (${newest})`).pluck().get() as number | null;
}
