/** The filter of the ledger page, parsed from the query. Pure. */
import type { EntryKind } from '../../store/accounts/ledger.ts';
import type { LedgerFilter } from '../../store/accounts/ledger-pages.ts';

/** The label of each kind of entry. */
const kindLabels: Readonly<Record<Exclude<EntryKind, 'adjust'>, string>> = {
  topup: 'Top-up',
  hold: 'Search held',
  settle: 'Search charged',
  release: 'Search released',
  refund: 'Refund',
};

/** Returns the label of an entry. */
export function entryLabel({ kind, credits }: { kind: EntryKind; credits: number }): string {
  if (kind !== 'adjust') return kindLabels[kind];
  return credits < 0 ? 'Payment reversed' : 'Payment restored';
}

/** The groups of kinds that the form offers. */
export const kindGroups = {
  payments: { label: 'Payments', kinds: ['topup', 'adjust'] },
  searches: { label: 'Searches', kinds: ['hold', 'settle', 'release'] },
  returned: { label: 'Returned credit', kinds: ['release', 'refund'] },
} as const satisfies Record<string, { label: string; kinds: readonly EntryKind[] }>;

const FIELDS = ['kind', 'key', 'from', 'until', 'before'] as const;
type FieldName = (typeof FIELDS)[number];

export interface ReadFilter {
  /** The valid part of the filter. */
  filter: LedgerFilter & { before?: number };
  /** The input, valid or not, to fill the form and build links; without empty fields. */
  fields: Readonly<Partial<Record<FieldName, string>>>;
  /** The error of each invalid field, as a sentence. */
  wrong: Readonly<Partial<Record<FieldName, string>>>;
}

const DAY_MS = 86_400_000;
const DAY_ADVICE = 'Enter a valid date, such as 2026-03-14.';

/** Parses a field into a filter or an error message. */
type Reader = (
  text: string,
  ownPrefixes: readonly string[],
) => { filter: ReadFilter['filter'] } | { wrong: string };

const readers: Readonly<Record<FieldName, Reader>> = {
  kind: (text) =>
    Object.hasOwn(kindGroups, text)
      ? { filter: { kinds: kindGroups[text as keyof typeof kindGroups].kinds } }
      : { wrong: `Choose one of: ${Object.keys(kindGroups).join(', ')}.` },
  key: (text, ownPrefixes) =>
    ownPrefixes.includes(text)
      ? { filter: { keyPrefix: text } }
      : { wrong: 'You have no key with this hash prefix.' },
  from(text) {
    const day = parseDay(text);
    return day === undefined ? { wrong: DAY_ADVICE } : { filter: { from: day } };
  },
  until(text) {
    const day = parseDay(text);
    // Include the last day.
    return day === undefined ? { wrong: DAY_ADVICE } : { filter: { until: day + DAY_MS } };
  },
  before: (text) =>
    /^[1-9]\d{0,14}$/.test(text)
      ? { filter: { before: Number(text) } }
      : { wrong: 'Enter the number of an entry.' },
};

/** Parses a query. An empty field counts as absent. */
export function readFilter(query: URLSearchParams, ownPrefixes: readonly string[]): ReadFilter {
  const fields: Partial<Record<FieldName, string>> = {};
  const wrong: Partial<Record<FieldName, string>> = {};
  const filter: ReadFilter['filter'] = {};
  for (const name of FIELDS) {
    const [text = '', ...others] = query.getAll(name);
    if (others.length > 0) wrong[name] = 'Enter this field only once.';
    if (text === '') continue;
    fields[name] = text;
    const read = readers[name](text, ownPrefixes);
    if ('wrong' in read) wrong[name] ??= read.wrong;
    else Object.assign(filter, read.filter);
  }
  if (filter.from !== undefined && filter.until !== undefined && filter.from >= filter.until) {
    wrong.until ??= 'Enter a day on or after the first one.';
  }
  return { filter, fields, wrong };
}

/** Describes all errors of a filter in one line; undefined if there are none. */
export function describeWrong({ wrong }: ReadFilter): string | undefined {
  const all = FIELDS.filter((name) => wrong[name] !== undefined);
  if (all.length === 0) return undefined;
  return all.map((name) => `“${name}”: ${wrong[name]}`).join(' ');
}

/** Returns the start of a day in UTC; undefined for an invalid date. */
function parseDay(text: string): number | undefined {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return undefined;
  const time = Date.parse(`${text}T00:00:00Z`);
  const isReal = !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
  return isReal ? time : undefined;
}
