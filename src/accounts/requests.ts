/** What customers see of their requests: pages, counts, and files to download. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { AccountDeps } from './account-deps.ts';
import type { RequestView } from './sql/customer-reports.ts';
import type { ListedRequest, PageStart, RequestsOf } from './sql/request-pages.ts';
import { type CsvColumn, csvHead, csvLines, csvTime } from './write-csv.ts';

/**
 * Reads a page of requests, newest first, and counts all of the filter by path and outcome. Its times are
 * the starts of days.
 */
export function readRequests(
  { store, settings }: AccountDeps,
  filter: RequestsOf & { start: PageStart },
): Promise<RequestView> {
  return store.readRequests({ ...filter, requestsMax: settings.requestPageMax });
}

const columns: readonly CsvColumn<ListedRequest>[] = [
  ['Time (UTC)', ({ createdAt }) => csvTime(createdAt)],
  ['Status', ({ status }) => status],
  ['Error', ({ code }) => code ?? ''],
  ['Path', ({ path }) => path],
  ['Key', ({ keyName }) => keyName],
  ['Hash prefix of the key', ({ keyPrefix }) => keyPrefix],
  ['Milliseconds', ({ milliseconds }) => milliseconds],
  ['Credits', ({ credits }) => credits],
  ['Lanes', ({ lanes }) => lanes ?? ''],
  ['Request id', ({ requestId }) => requestId],
];

/** Yields the requests of a filter as CSV in pieces, newest first, the headings before them. */
export async function* requestsCsv(deps: AccountDeps, filter: RequestsOf): AsyncGenerator<string> {
  yield csvHead(columns);
  for await (const page of pagesOf(deps, filter)) yield csvLines(columns, page);
}

/** Yields them as a JSON array in pieces. */
export async function* requestsJson(deps: AccountDeps, filter: RequestsOf): AsyncGenerator<string> {
  let before = '[\n';
  for await (const page of pagesOf(deps, filter)) {
    for (const { id: _, createdAt, lanes, ...request } of page) {
      const time = new Date(createdAt).toISOString();
      yield before + JSON.stringify({ time, ...request, lanes: lanes?.split(',') ?? [] });
      before = ',\n';
    }
  }
  yield before === '[\n' ? '[]\n' : '\n]\n';
}

/** Yields all requests of a filter in pages. Others run in between. */
async function* pagesOf(
  { store, settings }: AccountDeps,
  filter: RequestsOf,
): AsyncGenerator<ListedRequest[]> {
  let start: PageStart;
  let hasOlder = true;
  while (hasOlder) {
    const requestsMax = settings.csvEntriesPerRead;
    const page = await store.readRequestPage({ ...filter, start, requestsMax });
    yield page.requests;
    const last = page.requests.at(-1);
    hasOlder = page.hasOlder && last !== undefined;
    start = { before: last?.id ?? 0 };
    await nextTurn();
  }
}

/** Keeps what is asked for so many days from now on, or, with 0, forgets what was kept. */
export async function keepAsked(
  { store, settings, background }: AccountDeps,
  { customerId, days }: { customerId: number; days: number },
): Promise<void> {
  await store.setAskedDays({ customerId, days });
  if (days > 0) return;
  const limit = settings.usageDetailsDeletedMax;
  background.run('forget what was asked', async () => {
    while ((await store.forgetAsked({ customerId, limit })) === limit);
  });
}
