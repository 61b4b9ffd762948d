/** The filter of the page Activity, parsed from the query. Pure. */
import { activityKindLabels, outcomeLabels } from '../../accounts/activity-labels.ts';
import type {
  ActivityFilter,
  ActivityKind,
  CallOutcome,
  PageStart,
} from '../../accounts/sql/activity-rows.ts';
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

type FieldName = 'kind' | 'outcome' | 'key' | 'from' | 'to' | 'before' | 'after';

type Filter = ActivityFilter & DayRange & { before?: number; after?: number };

export type ReadActivityFilter = FilterFields<FieldName, Filter>;

/** Parses a query. */
export function readActivityFilter(
  query: URLSearchParams,
  keys: readonly NamedKey[],
): ReadActivityFilter {
  const read: ReadActivityFilter = readFilterFields<FieldName, Filter>(query, {
    kind: wordReader(activityKindLabels, (kind: ActivityKind) => ({ kind })),
    outcome: wordReader(outcomeLabels, (outcome: CallOutcome) => ({ outcome })),
    key: keyReader(keys, ({ id: keyId }) => ({ keyId })),
    ...dayReaders,
    before: (text) => readLine(text, (before) => ({ before })),
    after: (text) => readLine(text, (after) => ({ after })),
  });
  checkDayOrder(read as FilterFields<'from' | 'to', DayRange>);
  if (read.filter.before !== undefined && read.filter.after !== undefined) {
    read.errors.after ??= 'Enter either “before” or “after”.';
  }
  return read;
}

/** Returns where the page begins. */
export function pageStartOf({ before, after }: Filter): PageStart {
  if (before !== undefined) return { before };
  return after === undefined ? undefined : { after };
}

function readLine(text: string, toFilter: (id: number) => Filter): ReadField<Filter> {
  return /^(0|[1-9]\d{0,14})$/.test(text)
    ? { filter: toFilter(Number(text)) }
    : { error: 'Enter the number of a line.' };
}
