/** The filter of the page Requests, parsed from the query. Pure. */
import type { PageStart, RequestFilter, RequestsOf } from '../../accounts/sql/request-pages.ts';
import { type ErrorKind, errorTable } from '../../errors.ts';
import { apiPaths, TRY_PATH } from '../../http/api-paths.ts';
import {
  checkDayOrder,
  type DayRange,
  dayReaders,
  type FilterFields,
  keyReader,
  type NamedKey,
  type ReadField,
  readFilterFields,
  wordReader,
} from './filter-fields.ts';

type FieldName = 'status' | 'path' | 'key' | 'from' | 'to' | 'before' | 'after';

type Filter = RequestFilter & DayRange & { before?: number; after?: number };

export type ReadRequestFilter = FilterFields<FieldName, Filter>;

const errorStatuses = new Set(
  Object.values<ErrorKind>(errorTable).flatMap(({ status }) => status ?? []),
);

/** The label of each status that can be chosen. */
export const statusLabels: Readonly<Record<string, string>> = {
  200: '200 answered',
  failed: 'Failed',
  ...Object.fromEntries([...errorStatuses].map((status) => [status, String(status)])),
};

/** The label of each path. */
export const pathLabels: Readonly<Record<string, string>> = {
  ...Object.fromEntries(apiPaths.map((path) => [path, path])),
  [TRY_PATH]: 'Try it',
};

/** Parses a query. */
export function readRequestFilter(
  query: URLSearchParams,
  keys: readonly NamedKey[],
): ReadRequestFilter {
  const read = readFilterFields<FieldName, Filter>(query, {
    status: wordReader(statusLabels, (word) => ({
      status: word === 'failed' ? word : Number(word),
    })),
    path: wordReader(pathLabels, (path) => ({ path })),
    key: keyReader(keys, ({ id: keyId }) => ({ keyId })),
    ...dayReaders,
    before: (text) => readRow(text, (before) => ({ before })),
    after: (text) => readRow(text, (after) => ({ after })),
  });
  checkDayOrder(read as FilterFields<'from' | 'to', DayRange>);
  if (read.filter.before !== undefined && read.filter.after !== undefined) {
    read.errors.after ??= 'Enter either “before” or “after”.';
  }
  return read;
}

/** Returns what the filter selects, without the place of a page in it. */
export function selectedBy({ filter }: ReadRequestFilter, customerId: number): RequestsOf {
  const { before: _before, after: _after, ...selected } = filter;
  return { ...selected, customerId };
}

/** Returns where the page begins. */
export function pageStartOf({ before, after }: Filter): PageStart {
  if (before !== undefined) return { before };
  return after === undefined ? undefined : { after };
}

function readRow(text: string, toFilter: (id: number) => Filter): ReadField<Filter> {
  return /^(0|[1-9]\d{0,14})$/.test(text)
    ? { filter: toFilter(Number(text)) }
    : { error: 'Enter the number of a request.' };
}
