/**
 * Searches and checked texts of the page Try it, between the form that runs them and the page that
 * shows them. The credit stays held. It is charged when the result page was sent, and released if
 * nobody fetches it.
 */
import type { TextResponse } from '../../http/responses.ts';
import type { UnreadLanguage } from '../../search/question-language.ts';
import type { PastedReference } from '../../verify/manuscript/read-pasted.ts';
import { createExpiringStore } from './expiring-store.ts';
import type { Entered } from './try-fields.ts';

/** What each has. */
export interface TriedCall {
  keyName: string;
  keyPrefix: string;
  requestId: string;
  response: TextResponse;
}

export interface TriedSearch extends TriedCall {
  entered: Entered;
  /** Absent if the model reads the language of the question. */
  unread?: UnreadLanguage | undefined;
}

/** A text whose references were verified. */
export interface TriedText extends TriedCall {
  text: string;
  references: readonly PastedReference[];
}

type Tried = TriedSearch | TriedText;

export interface TriedSearches {
  /** Stores a search for a customer. Returns the name to fetch it by. */
  put(customerId: number, tried: Tried): string;
  /**
   * Returns the search; undefined for another customer's search, and after it expired or was
   * released.
   */
  get(customerId: number, name: string): Shown | undefined;
  /** Releases every search that was not shown. */
  close(): void;
}

type Shown = Tried & {
  /** Call this when the page was sent. The first call charges the credit. */
  onShown(left: boolean): void;
};

export interface TriedSearchesOptions {
  triedSearchesMax: number;
  triedSearchesPerCustomerMax: number;
  triedSearchesShownMs: number;
  triedSearchFetchMs: number;
}

type Kept = Tried & {
  state: 'waiting' | 'shown' | 'released';
  timer: NodeJS.Timeout;
};

export function createTriedSearches(options: TriedSearchesOptions): TriedSearches {
  const store = createExpiringStore<Kept>({
    valuesMax: options.triedSearchesMax,
    valuesPerOwnerMax: options.triedSearchesPerCustomerMax,
    lifetimeMs: options.triedSearchesShownMs,
    onDropped: release,
  });
  return {
    put(customerId, tried) {
      const timer = setTimeout(() => release(kept), options.triedSearchFetchMs).unref();
      const kept: Kept = { ...tried, state: 'waiting', timer };
      return store.put(customerId, kept);
    },
    get(customerId, name) {
      const kept = store.get(customerId, name);
      if (kept === undefined || kept.state === 'released') return undefined;
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

function release(kept: Kept): void {
  end(kept, 'released');
}

/** Ends a waiting search once, as sent or not sent. */
function end(kept: Kept, state: 'shown' | 'released'): void {
  if (kept.state !== 'waiting') return;
  kept.state = state;
  clearTimeout(kept.timer);
  kept.response.onSent?.(state === 'shown');
}
