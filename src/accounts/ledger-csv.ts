/** The ledger as CSV (RFC 4180), newest first, read in pieces between which others have a turn. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  type LedgerFilter,
  type LedgerPageEntry,
  readLedgerPage,
} from '../store/accounts/ledger-pages.ts';
import type { AccountDeps } from './account-deps.ts';

const columns: readonly [name: string, value: (entry: LedgerPageEntry) => string | number][] = [
  ['entry', ({ id }) => id],
  ['time', ({ createdAt }) => timeText(createdAt)],
  ['kind', ({ kind }) => kind],
  ['credits', ({ credits }) => credits],
  ['balance', ({ balance }) => balance],
  ['key', ({ keyPrefix }) => keyPrefix ?? ''],
  ['key_name', ({ keyName }) => keyName ?? ''],
  ['request_id', ({ requestId }) => requestId ?? ''],
  ['refunded', ({ refundedAt }) => (refundedAt === null ? '' : timeText(refundedAt))],
  ['payment', ({ reference }) => reference ?? ''],
  ['note', ({ note }) => note ?? ''],
];

/** The file in pieces, the first with the heading. Entries that come meanwhile are not in it. */
export async function* ledgerCsv(
  { db, settings }: AccountDeps,
  request: LedgerFilter & { customerId: number; before?: number },
): AsyncGenerator<string> {
  yield lineOf(columns.map(([name]) => name));
  const entriesMax = settings.csvEntriesPerRead;
  let before = request.before;
  do {
    const after = before === undefined ? {} : { before };
    const page = readLedgerPage(db, { ...request, ...after, entriesMax });
    yield page.entries.map((entry) => lineOf(columns.map(([, value]) => value(entry)))).join('');
    before = page.next;
    await nextTurn();
  } while (before !== undefined);
}

function lineOf(cells: readonly (string | number)[]): string {
  return `${cells.map(cellOf).join(',')}\r\n`;
}

/**
 * Texts that a spreadsheet would take for a formula get an apostrophe, which it shows as text.
 * Numbers are ours and stay numbers.
 */
function cellOf(value: string | number): string {
  if (typeof value === 'number') return String(value);
  const text = /^[=+\-@\t\r\n]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function timeText(time: number): string {
  return new Date(time).toISOString();
}
