/** What customers see of their activity: lines in pages, totals, and a CSV file. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { AccountDeps } from './account-deps.ts';
import { activityLabel, outcomeLabels } from './activity-labels.ts';
import type { ActivityLine, ActivityRequest, PageStart } from './sql/activity-rows.ts';
import type { ActivityView } from './sql/customer-reports.ts';
import { type CsvColumn, csvHead, csvLines, csvTime } from './write-csv.ts';

/**
 * Reads a page of lines, newest first, and counts all lines of its filter by outcome. Its times are the
 * starts of days.
 */
export function readActivity(
  { store, settings }: AccountDeps,
  request: ActivityRequest & { start: PageStart },
): Promise<ActivityView> {
  return store.readActivity({ ...request, linesMax: settings.activityPageLinesMax });
}

const columns: readonly CsvColumn<ActivityLine>[] = [
  ['Time (UTC)', ({ createdAt }) => csvTime(createdAt)],
  ['What', activityLabel],
  ['Outcome', ({ outcome }) => (outcome === 'payment' ? '' : outcomeLabels[outcome])],
  ['Change in credits', ({ credits }) => credits],
  ['Key', ({ keyName }) => keyName ?? ''],
  ['Hash prefix of the key', ({ keyPrefix }) => keyPrefix ?? ''],
  ['Request id', ({ requestId }) => requestId ?? ''],
  ['Payment', ({ reference }) => reference ?? ''],
  ['Note', ({ note }) => note ?? ''],
];

/**
 * Yields the lines of a filter as CSV in pieces, newest first, the headings before them. Other
 * requests run in between.
 */
export async function* activityCsv(
  { store, settings }: AccountDeps,
  request: ActivityRequest,
): AsyncGenerator<string> {
  yield csvHead(columns);
  let start: PageStart;
  let hasOlder = true;
  while (hasOlder) {
    const linesMax = settings.csvEntriesPerRead;
    const page = await store.readActivityPage({ ...request, start, linesMax });
    yield csvLines(columns, page.lines);
    const last = page.lines.at(-1);
    hasOlder = page.hasOlder && last !== undefined;
    start = { before: last?.id ?? 0 };
    await nextTurn();
  }
}
