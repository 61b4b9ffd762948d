/** The accounting view as CSV, newest first. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { AccountDeps } from './account-deps.ts';
import { entryLabel } from './credit-moves.ts';
import type { LedgerFilter, LedgerPageEntry } from './sql/ledger-pages.ts';
import { type CsvColumn, csvHead, csvLines, csvTime } from './write-csv.ts';

const columns: readonly CsvColumn<LedgerPageEntry>[] = [
  ['Entry', ({ id }) => id],
  ['Time (UTC)', ({ createdAt }) => csvTime(createdAt)],
  ['What happened', entryLabel],
  ['Change in credits', ({ credits }) => credits],
  ['Balance', ({ balance }) => balance],
  ['Key', ({ keyName }) => keyName ?? ''],
  ['Hash prefix of the key', ({ keyPrefix }) => keyPrefix ?? ''],
  ['Request id', ({ requestId }) => requestId ?? ''],
  ['Refunded (UTC)', ({ refundedAt }) => (refundedAt === null ? '' : csvTime(refundedAt))],
  ['Payment', ({ reference }) => reference ?? ''],
  ['Note', ({ note }) => note ?? ''],
];

/**
 * Yields the file in pieces, the headings first. It is read in pieces so that other requests run in
 * between. Entries added in the meantime are not included.
 */
export async function* ledgerCsv(
  { store, settings }: AccountDeps,
  request: LedgerFilter & { customerId: number; before?: number },
): AsyncGenerator<string> {
  yield csvHead(columns);
  const entriesMax = settings.csvEntriesPerRead;
  let before = request.before;
  do {
    const after = before === undefined ? {} : { before };
    const page = await store.readLedgerPage({ ...request, ...after, entriesMax });
    yield csvLines(columns, page.entries);
    before = page.next;
    await nextTurn();
  } while (before !== undefined);
}
