/** What of the ledger is shown, as a form's fields say it. Pure. */
import type { EntryKind } from '../store/ledger.ts';
import type { LedgerFilter } from '../store/ledger-pages.ts';

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

export interface ReadFilter {
  filter: LedgerFilter;
  /** The fields that were understood, to fill the form with and to build links. */
  fields: Readonly<Record<string, string>>;
  /** What was not, in words. */
  wrong?: string;
}

const DAY_MS = 86_400_000;

/** Reads `kind`, `key`, `from` and `until`; a day that is none is passed over and named. */
export function readFilter(query: URLSearchParams): ReadFilter {
  const fields: Record<string, string> = {};
  const filter: LedgerFilter = {};
  const group = query.get('kind') ?? '';
  if (Object.hasOwn(kindGroups, group)) {
    fields['kind'] = group;
    filter.kinds = kindGroups[group as keyof typeof kindGroups].kinds;
  }
  const key = query.get('key') ?? '';
  if (/^[0-9a-f]{10}$/.test(key)) {
    fields['key'] = key;
    filter.keyPrefix = key;
  }
  const wrong: string[] = [];
  for (const name of ['from', 'until'] as const) {
    const text = query.get(name) ?? '';
    if (text === '') continue;
    const day = parseDay(text);
    if (day === undefined) {
      wrong.push(`“${name}” must be a day as 2026-03-14`);
      continue;
    }
    fields[name] = text;
    // The last day is shown too.
    filter[name] = name === 'from' ? day : day + DAY_MS;
  }
  return { filter, fields, ...(wrong.length > 0 ? { wrong: `${wrong.join(', ')}.` } : {}) };
}

/** The start of a day in UTC; undefined for what is none. */
function parseDay(text: string): number | undefined {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return undefined;
  const time = Date.parse(`${text}T00:00:00Z`);
  const isReal = !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
  return isReal ? time : undefined;
}
