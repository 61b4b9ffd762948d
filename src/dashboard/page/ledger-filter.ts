/** The filter of the accounting view, parsed from the query. Pure. */
import type { LedgerFilter } from '../../accounts/sql/ledger-pages.ts';
import {
  checkDayOrder,
  dayReaders,
  type FilterFields,
  keyReader,
  type NamedKey,
  pageReader,
  readFilterFields,
  wordReader,
} from './filter-fields.ts';

/** The groups of kinds that the form offers. */
export const kindGroups = {
  payments: { label: 'Everything but calls', filter: { kinds: ['topup', 'adjust'] } },
  purchases: { label: 'Purchases', filter: { kinds: ['topup'], hasReference: true } },
  gifts: { label: 'Gifts', filter: { kinds: ['topup'], hasReference: false } },
  reversals: { label: 'Reversals and disputes', filter: { kinds: ['adjust'] } },
  searches: { label: 'Calls', filter: { kinds: ['hold', 'settle', 'release'] } },
  returned: { label: 'Returned credit', filter: { kinds: ['release', 'refund'] } },
} as const satisfies Record<string, { label: string; filter: LedgerFilter }>;

type FieldName = 'kind' | 'key' | 'from' | 'to' | 'before';

export type ReadLedgerFilter = FilterFields<FieldName, LedgerFilter & { before?: number }>;

/** Parses a query. */
export function readLedgerFilter(
  query: URLSearchParams,
  keys: readonly NamedKey[],
): ReadLedgerFilter {
  const read: ReadLedgerFilter = readFilterFields<FieldName, ReadLedgerFilter['filter']>(query, {
    kind: wordReader(kindGroups, (group) => kindGroups[group].filter),
    key: keyReader(keys, ({ prefix: keyPrefix }) => ({ keyPrefix })),
    ...dayReaders,
    ...pageReader,
  });
  checkDayOrder(read as FilterFields<'from' | 'to', LedgerFilter>);
  return read;
}
