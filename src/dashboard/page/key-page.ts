/** Which keys the page Keys shows: in use or ended, found by name or prefix, sorted, by pages. Pure. */
import { isRevoked } from '../../accounts/sql/api-keys.ts';
import type { OwnKey } from '../../accounts/sql/own-keys.ts';

/** The orders of keys, with their labels. */
export const keySorts = {
  created: 'Oldest first',
  name: 'Name',
  used: 'Last used',
  usage: 'Searches this month',
};

const orders = new Map<string, (a: OwnKey, b: OwnKey) => number>([
  ['name', (a, b) => a.name.localeCompare(b.name, 'en')],
  ['used', (a, b) => (b.lastUsedAt ?? 0) - (a.lastUsedAt ?? 0)],
  ['usage', (a, b) => b.thisMonth.requests - a.thisMonth.requests],
]);

export interface KeyPage {
  /** The keys of this page. */
  keys: readonly OwnKey[];
  /** From 1. */
  page: number;
  pagesCount: number;
  /** Revoked and expired keys instead of those in use. */
  showsEnded: boolean;
  inUseCount: number;
  endedCount: number;
  /** What the form and links to other pages repeat; without empty fields. */
  fields: Readonly<Partial<Record<'q' | 'sort' | 'state', string>>>;
}

/** Returns the page that a query asks for; the nearest one if there is none of that number. */
export function readKeyPage(
  all: readonly OwnKey[],
  query: URLSearchParams,
  { now, keysPerPage }: { now: number; keysPerPage: number },
): KeyPage {
  const text = (query.get('q') ?? '').trim();
  const sort = query.get('sort') ?? '';
  const showsEnded = query.get('state') === 'ended';
  const ended = all.filter((key) => isRevoked(key, now));
  const inUse = all.filter((key) => !isRevoked(key, now));
  const sought = text.toLowerCase();
  const found = (showsEnded ? ended : inUse).filter(
    ({ name, prefix }) => name.toLowerCase().includes(sought) || prefix.includes(sought),
  );
  const order = orders.get(sort);
  if (order !== undefined) found.sort(order);
  const pagesCount = Math.max(1, Math.ceil(found.length / keysPerPage));
  const asked = Math.trunc(Number(query.get('page'))) || 1;
  const page = Math.min(Math.max(asked, 1), pagesCount);
  return {
    keys: found.slice((page - 1) * keysPerPage, page * keysPerPage),
    page,
    pagesCount,
    showsEnded,
    inUseCount: inUse.length,
    endedCount: ended.length,
    fields: {
      ...(text === '' ? {} : { q: text }),
      ...(order === undefined ? {} : { sort }),
      ...(showsEnded ? { state: 'ended' } : {}),
    },
  };
}
