/**
 * Searches of the page Try it, between the form that ran them and the page that shows them. Their
 * credit is held: it is charged when the page has left, and given back where nobody fetches it.
 */
import type { TextResponse } from '../../http/responses.ts';
import { createExpiringStore } from './expiring-store.ts';

export interface TriedSearch {
  query: string;
  limit: number;
  keyName: string;
  keyPrefix: string;
  requestId: string;
  response: TextResponse;
}

export interface TriedSearches {
  /** Keeps a search for a customer; returns the name to fetch it by. */
  put(customerId: number, search: TriedSearch): string;
  /** The search; undefined for another customer's, when its time is over, or given back. */
  get(customerId: number, name: string): ShownSearch | undefined;
  /** Gives back what has not been shown. */
  close(): void;
}

export interface ShownSearch extends TriedSearch {
  /** To be called when the page was sent; the first time charges the credit. */
  onShown(left: boolean): void;
}

export interface TriedSearchesOptions {
  triedSearchesMax: number;
  triedSearchesPerCustomerMax: number;
  triedSearchesShownMs: number;
  triedSearchFetchMs: number;
}

interface Kept extends TriedSearch {
  state: 'waiting' | 'shown' | 'given back';
  timer: NodeJS.Timeout;
}

export function createTriedSearches(options: TriedSearchesOptions): TriedSearches {
  const store = createExpiringStore<Kept>({
    valuesMax: options.triedSearchesMax,
    valuesPerOwnerMax: options.triedSearchesPerCustomerMax,
    lifetimeMs: options.triedSearchesShownMs,
    onDropped: giveBack,
  });
  return {
    put(customerId, search) {
      const timer = setTimeout(() => giveBack(kept), options.triedSearchFetchMs).unref();
      const kept: Kept = { ...search, state: 'waiting', timer };
      return store.put(customerId, kept);
    },
    get(customerId, name) {
      const kept = store.get(customerId, name);
      if (kept === undefined || kept.state === 'given back') return undefined;
      return {
        ...kept,
        onShown: (left) => {
          if (left) end(kept, 'shown');
        },
      };
    },
    close: () => store.clear(),
  };
}

function giveBack(kept: Kept): void {
  end(kept, 'given back');
}

/** Once: the answer of a search is sent, or is not. */
function end(kept: Kept, state: 'shown' | 'given back'): void {
  if (kept.state !== 'waiting') return;
  kept.state = state;
  clearTimeout(kept.timer);
  kept.response.onSent?.(state === 'shown');
}
