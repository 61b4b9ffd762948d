/**
 * The ledger as CSV (RFC 4180), newest first. It is read in pieces so that other requests run in
 * between.
 */
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

/** Yields the file in pieces, the heading first. Entries added in the meantime are not included. */
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

function lineOf(fields: readonly (string | number)[]): string {
  return `${fields.map(fieldOf).join(',')}\r\n`;
}

/**
 * Prefixes text that a spreadsheet would run as a formula with an apostrophe. Numbers are ours and
 * stay numbers.
 */
function fieldOf(value: string | number): string {
  if (typeof value === 'number') return String(value);
  const text = /^[=+\-@\t\r\n]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function timeText(time: number): string {
  return new Date(time).toISOString();
}
