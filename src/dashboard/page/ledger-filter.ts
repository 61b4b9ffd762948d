/** What of the ledger is shown, as a form's fields say it. Pure. */
import type { EntryKind } from '../../store/accounts/ledger.ts';
import type { LedgerFilter } from '../../store/accounts/ledger-pages.ts';

/** What each kind of entry is called. */
const kindLabels: Readonly<Record<Exclude<EntryKind, 'adjust'>, string>> = {
  topup: 'Top-up',
  hold: 'Search held',
  settle: 'Search charged',
  release: 'Search given back',
  refund: 'Refund',
};

/** What an entry is called. */
export function entryLabel({ kind, credits }: { kind: EntryKind; credits: number }): string {
  if (kind !== 'adjust') return kindLabels[kind];
  return credits < 0 ? 'Payment taken back' : 'Payment counted again';
}

/** What the form offers: groups that a customer thinks in. */
export const kindGroups = {
  payments: { label: 'Payments', kinds: ['topup', 'adjust'] },
  searches: { label: 'Searches', kinds: ['hold', 'settle', 'release'] },
  returned: { label: 'Credit given back', kinds: ['release', 'refund'] },
} as const satisfies Record<string, { label: string; kinds: readonly EntryKind[] }>;

const FIELDS = ['kind', 'key', 'from', 'until', 'before'] as const;
type FieldName = (typeof FIELDS)[number];

export interface ReadFilter {
  /** What was understood. */
  filter: LedgerFilter & { before?: number };
  /** What was typed, right or wrong, to fill the form with and to build links; nothing empty. */
  fields: Readonly<Partial<Record<FieldName, string>>>;
  /** What is wrong with a field, as a sentence; no entry where it is right. */
  wrong: Readonly<Partial<Record<FieldName, string>>>;
}

const DAY_MS = 86_400_000;
const DAY_ADVICE = 'Enter a real day, such as 2026-03-14.';

/** What a field means, or a sentence about what is wrong with it. */
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
    // The last day is shown too.
    return day === undefined ? { wrong: DAY_ADVICE } : { filter: { until: day + DAY_MS } };
  },
  before: (text) =>
    /^[1-9]\d{0,14}$/.test(text)
      ? { filter: { before: Number(text) } }
      : { wrong: 'Expected the number of an entry.' },
};

/** Reads a query. An empty field is the same as none; any other is understood or wrong. */
export function readFilter(query: URLSearchParams, ownPrefixes: readonly string[]): ReadFilter {
  const fields: Partial<Record<FieldName, string>> = {};
  const wrong: Partial<Record<FieldName, string>> = {};
  const filter: ReadFilter['filter'] = {};
  for (const name of FIELDS) {
    const [text = '', ...others] = query.getAll(name);
    if (others.length > 0) wrong[name] = 'Give it once.';
    if (text === '') continue;
    fields[name] = text;
    const read = readers[name](text, ownPrefixes);
    if ('wrong' in read) wrong[name] ??= read.wrong;
    else Object.assign(filter, read.filter);
  }
  if (filter.from !== undefined && filter.until !== undefined && filter.from >= filter.until) {
    wrong.until ??= 'Enter a day that is not before the first one.';
  }
  return { filter, fields, wrong };
}

/** What is wrong with a filter in one line, with the fields by name; undefined for nothing. */
export function describeWrong({ wrong }: ReadFilter): string | undefined {
  const all = FIELDS.filter((name) => wrong[name] !== undefined);
  if (all.length === 0) return undefined;
  return all.map((name) => `“${name}”: ${wrong[name]}`).join(' ');
}

/** The start of a day in UTC; undefined for what is none. */
function parseDay(text: string): number | undefined {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return undefined;
  const time = Date.parse(`${text}T00:00:00Z`);
  const isReal = !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
  return isReal ? time : undefined;
}
