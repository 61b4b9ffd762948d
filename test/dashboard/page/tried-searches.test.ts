/** A search of the page Try it is charged when it was shown, and released when it was not. */
import { describe, expect, it, vi } from 'vitest';
import { evicted } from '../../../src/dashboard/page/evict.ts';
import { createExpiringStore } from '../../../src/dashboard/page/expiring-store.ts';
import { createSubmitOnce } from '../../../src/dashboard/page/submit-once.ts';
import {
  createTriedSearches,
  type TriedSearch,
} from '../../../src/dashboard/page/tried-searches.ts';

const OWNER = 1;

function search(): { search: TriedSearch; sent: boolean[] } {
  const sent: boolean[] = [];
  const answer = {
    status: 200,
    headers: {},
    body: '{}',
    onSent: (left: boolean) => sent.push(left),
  };
  return {
    search: {
      entered: { query: 'sleep', limit: '3' },
      keyName: 'Lab',
      keyPrefix: '0123456789',
      requestId: 'r',
      response: { ...answer, onSent: (left) => void answer.onSent(left) },
    },
    sent,
  };
}

const options = {
  triedSearchesMax: 4,
  triedSearchesPerCustomerMax: 2,
  triedSearchesShownMs: 60_000,
  triedSearchFetchMs: 60_000,
};

describe('a search that was tried', () => {
  it('is charged once, by the first page that was sent', () => {
    const tried = createTriedSearches(options);
    const { search: one, sent } = search();
    const name = tried.put(OWNER, one);
    tried.get(OWNER, name)?.onShown(false);
    expect(sent).toEqual([]);
    tried.get(OWNER, name)?.onShown(true);
    tried.get(OWNER, name)?.onShown(true);
    tried.close();
    expect(sent).toEqual([true]);
  });

  it('is released and no longer shown if nobody fetches it in time', () => {
    vi.useFakeTimers();
    const tried = createTriedSearches({ ...options, triedSearchFetchMs: 1_000 });
    const { search: one, sent } = search();
    const name = tried.put(OWNER, one);
    vi.advanceTimersByTime(999);
    expect(sent).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(sent).toEqual([false]);
    expect(tried.get(OWNER, name)).toBeUndefined();
    vi.useRealTimers();
  });

  it('is released when the service stops and when too many searches wait', () => {
    const tried = createTriedSearches(options);
    const all = [search(), search(), search()];
    for (const { search: one } of all) tried.put(OWNER, one);
    expect(all.map(({ sent }) => sent)).toEqual([[false], [], []]);
    tried.close();
    expect(all.map(({ sent }) => sent)).toEqual([[false], [false], [false]]);
  });

  it('is not released when another customer tries many searches', () => {
    const tried = createTriedSearches(options);
    const mine = search();
    const name = tried.put(OWNER, mine.search);
    for (let i = 0; i < 20; i++) tried.put(2, search().search);
    expect(tried.get(OWNER, name)).toMatchObject({ entered: { query: 'sleep' } });
    expect(mine.sent).toEqual([]);
    tried.close();
    expect(mine.sent).toEqual([false]);
  });

  it('belongs to its customer only', () => {
    const tried = createTriedSearches(options);
    const name = tried.put(OWNER, search().search);
    expect(tried.get(2, name)).toBeUndefined();
    expect(tried.get(OWNER, 'made-up')).toBeUndefined();
    expect(tried.get(OWNER, name)).toMatchObject({ entered: { query: 'sleep' } });
    tried.close();
  });
});

describe('createExpiringStore', () => {
  it('returns a value once, to its owner', () => {
    const store = createExpiringStore<string>({
      valuesMax: 5,
      valuesPerOwnerMax: 5,
      lifetimeMs: 60_000,
    });
    const name = store.put(OWNER, 'secret');
    expect(store.take(2, name)).toBeUndefined();
    expect(store.take(OWNER, name)).toBe('secret');
    expect(store.take(OWNER, name)).toBeUndefined();
  });

  it('forgets a value after its lifetime', () => {
    vi.useFakeTimers();
    const store = createExpiringStore<string>({
      valuesMax: 5,
      valuesPerOwnerMax: 5,
      lifetimeMs: 1_000,
    });
    const name = store.put(OWNER, 'secret');
    vi.advanceTimersByTime(1_000);
    expect(store.take(OWNER, name)).toBeUndefined();
    vi.useRealTimers();
  });
});

describe('the value that is evicted', () => {
  const bounds = { valuesMax: 5, valuesPerOwnerMax: 3 };
  /** Values named by their place, of these owners, the oldest first. */
  const values = (owners: readonly number[]) =>
    new Map(owners.map((owner, place) => [String(place), { owner }]));

  const rows: [what: string, owners: number[], newOwner: number, place: string | undefined][] = [
    ['is none if there is room', [1, 2, 2], 1, undefined],
    ['is the owner’s oldest if the owner is at the limit', [2, 1, 1, 1], 1, '1'],
    ['is the oldest of the owner with the most', [1, 2, 2, 2, 3], 1, '1'],
    ['is the owner’s own if nobody has more', [2, 2, 1, 1, 3], 1, '2'],
    ['is the oldest of all for a new owner if everybody has one', [2, 3, 4, 5, 6], 1, '0'],
    ['is that of the owner with two, for a new owner', [2, 3, 3, 5, 6], 1, '1'],
  ];
  it.each(rows)('%s', (_what, owners, newOwner, place) => {
    expect(evicted(values(owners), newOwner, bounds)).toBe(place);
  });
});

describe('a form that was submitted once', () => {
  it('is remembered, however many forms another customer sends', async () => {
    const once = createSubmitOnce<string>({ formsMax: 3, formsPerOwnerMax: 2, lifetimeMs: 60_000 });
    expect(await once.run(OWNER, 'copy', async () => 'first')).toBe('first');
    for (let i = 0; i < 10; i++) await once.run(2, `copy ${i}`, async () => 'theirs');
    expect(await once.run(OWNER, 'copy', async () => 'again')).toBe('first');
  });
});
