/** The filter of the page Usage, parsed from the query. Pure. */
import { dayOf } from '../../accounts/sql/calendar-month.ts';
import {
  checkDayOrder,
  DAY_MS,
  type DayRange,
  dayReaders,
  type FilterFields,
  keyReader,
  type NamedKey,
  readFilterFields,
} from './filter-fields.ts';

/** The ranges that the page offers, in days up to today. */
export const SPANS = [30, 90, 365] as const;

type FieldName = 'days' | 'key' | 'from' | 'to';

type Filter = DayRange & { days?: number; keyId?: number };

export interface ReadUsageFilter extends FilterFields<FieldName, Filter> {
  /** Both inclusive, YYYY-MM-DD. They mean nothing if a field is wrong. */
  firstDay: string;
  lastDay: string;
}

/** Parses a query. Without days it is the last 30. A range has at most `daysMax` days. */
export function readUsageFilter(
  query: URLSearchParams,
  keys: readonly NamedKey[],
  { now, daysMax }: { now: number; daysMax: number },
): ReadUsageFilter {
  const read = readFilterFields<FieldName, Filter>(query, {
    days(text) {
      const days = SPANS.find((span) => String(span) === text);
      return days === undefined
        ? { error: `“days” must be ${SPANS.slice(0, -1).join(', ')}, or ${SPANS.at(-1)}.` }
        : { filter: { days } };
    },
    key: keyReader(keys, ({ id: keyId }) => ({ keyId })),
    ...dayReaders,
  });
  const { from, until = now, days = SPANS[0] } = read.filter;
  const lastDay = dayOf(read.filter.until === undefined ? now : until - DAY_MS);
  const lastStart = Date.parse(`${lastDay}T00:00:00Z`);
  const firstDay = dayOf(from ?? lastStart - (days - 1) * DAY_MS);
  checkDayOrder(read as FilterFields<'from' | 'to', DayRange>);
  const length = (lastStart - Date.parse(`${firstDay}T00:00:00Z`)) / DAY_MS + 1;
  if (length > daysMax) {
    read.errors.from ??= `${firstDay} to ${lastDay} are ${length} days. Choose at most ${daysMax}.`;
  } else if (length < 1 && read.fields.to === undefined) {
    read.errors.from ??= `${firstDay} is after ${lastDay}. Enter that day or an earlier one.`;
  }
  return { ...read, firstDay, lastDay };
}
