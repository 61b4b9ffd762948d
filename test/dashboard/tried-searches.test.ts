/** A search of the page Try it is charged when it was shown, and given back when it was not. */
import { describe, expect, it, vi } from 'vitest';
import { createShelf } from '../../src/dashboard/shelf.ts';
import { createTriedSearches, type TriedSearch } from '../../src/dashboard/tried-searches.ts';

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
      ...{ query: 'sleep', limit: 3, keyName: 'Lab', keyPrefix: '0123456789', requestId: 'r' },
      answer: { ...answer, onSent: (left) => void answer.onSent(left) },
    },
    sent,
  };
}

const options = { triedSearchesMax: 2, triedSearchesShownMs: 60_000, triedSearchFetchMs: 60_000 };

describe('a search that was tried', () => {
  it('is charged once, by the first page that has left', () => {
    const tried = createTriedSearches(options);
    const { search: one, sent } = search();
    const name = tried.put(OWNER, one);
    tried.look(OWNER, name)?.onShown(false);
    expect(sent).toEqual([]);
    tried.look(OWNER, name)?.onShown(true);
    tried.look(OWNER, name)?.onShown(true);
    tried.close();
    expect(sent).toEqual([true]);
  });

  it('is given back, and not shown any more, where nobody fetches it in time', () => {
    vi.useFakeTimers();
    const tried = createTriedSearches({ ...options, triedSearchFetchMs: 1_000 });
    const { search: one, sent } = search();
    const name = tried.put(OWNER, one);
    vi.advanceTimersByTime(999);
    expect(sent).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(sent).toEqual([false]);
    expect(tried.look(OWNER, name)).toBeUndefined();
    vi.useRealTimers();
  });

  it('is given back when the service stops, and when too many wait', () => {
    const tried = createTriedSearches(options);
    const all = [search(), search(), search()];
    for (const { search: one } of all) tried.put(OWNER, one);
    expect(all.map(({ sent }) => sent)).toEqual([[false], [], []]);
    tried.close();
    expect(all.map(({ sent }) => sent)).toEqual([[false], [false], [false]]);
  });

  it('is nobody else’s', () => {
    const tried = createTriedSearches(options);
    const name = tried.put(OWNER, search().search);
    expect(tried.look(2, name)).toBeUndefined();
    expect(tried.look(OWNER, 'made-up')).toBeUndefined();
    expect(tried.look(OWNER, name)?.query).toBe('sleep');
    tried.close();
  });
});

describe('a shelf', () => {
  it('hands a value out once, to its owner', () => {
    const shelf = createShelf<string>({ valuesMax: 5, lifetimeMs: 60_000 });
    const name = shelf.put(OWNER, 'secret');
    expect(shelf.take(2, name)).toBeUndefined();
    expect(shelf.take(OWNER, name)).toBe('secret');
    expect(shelf.take(OWNER, name)).toBeUndefined();
  });

  it('forgets a value after its time', () => {
    vi.useFakeTimers();
    const shelf = createShelf<string>({ valuesMax: 5, lifetimeMs: 1_000 });
    const name = shelf.put(OWNER, 'secret');
    vi.advanceTimersByTime(1_000);
    expect(shelf.take(OWNER, name)).toBeUndefined();
    vi.useRealTimers();
  });
});
