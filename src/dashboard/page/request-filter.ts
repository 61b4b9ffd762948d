/** The filter of the page Requests, parsed from the query. Pure. */
import type { RequestFilter } from '../../accounts/sql/request-pages.ts';
import { type ErrorKind, errorTable } from '../../errors.ts';
import { apiPaths, TRY_PATH } from '../../http/api-paths.ts';
import {
  checkDayOrder,
  type DayRange,
  dayReaders,
  type FilterFields,
  keyReader,
  type NamedKey,
  pageReader,
  readFilterFields,
  wordReader,
} from './filter-fields.ts';

type FieldName = 'status' | 'path' | 'key' | 'from' | 'to' | 'before';

type Filter = RequestFilter & DayRange & { before?: number };

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
    ...pageReader,
  });
  checkDayOrder(read as FilterFields<'from' | 'to', DayRange>);
  return read;
}
