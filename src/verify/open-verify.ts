/** Opens an index for verification. It needs no model. */
import { schemeKeysOf } from '../identity/record-keys.ts';
import type { IndexPlace } from '../index/open/index-place.ts';
import { openIndex } from '../index/open/open-index.ts';
import { findNamed } from '../index/ports/find-named.ts';
import type { SourceOptions } from '../index/ports/index.ts';
import type { IndexView } from '../index/ports/index-source.ts';
import { findDocumentsWithWords } from './quotes/find-quote.ts';
import {
  type QuoteDeps,
  type QuoteItem,
  type QuoteResult,
  verifyQuote,
} from './quotes/verify-quote.ts';
import type { ReferenceDeps } from './references/judge-readings.ts';
import { type LookedUpReference, withRecords, withSource } from './references/outside.ts';
import {
  type PreparedReference,
  prepareReference,
  type ReferenceItem,
  type ReferenceResult,
  verifyReference,
} from './references/verify-reference.ts';

export type VerifyItem = QuoteItem | ReferenceItem;
export type VerifyResult = QuoteResult | ReferenceResult;

export interface VerifyRequest {
  items: VerifyItem[];
  /** The lanes that may be asked about references that the index does not have; absent: none. */
  lanes?: string;
}

export interface VerifyTask extends VerifyRequest {
  /** What lanes said about some of the references; absent: none was asked yet. */
  lookedUp?: readonly LookedUpReference[];
}

export interface VerifyOptions extends Pick<SourceOptions, 'limits'> {
  store: IndexPlace;
}

export interface OpenVerify {
  /**
   * Verifies items in one view of the index, with what lanes said about some references. The results
   * are in their order.
   */
  verify(
    items: readonly VerifyItem[],
    lookedUp?: readonly LookedUpReference[],
  ): Promise<VerifyResult[]>;
  /** As in `IndexSource`. */
  refresh(): Promise<unknown>;
  close(): Promise<void>;
}

/** Documents with similar titles that are compared with a reference. */
const TITLES_MAX = 12;

/** Rejects with `database_unusable` or `migration_needed`. */
export async function openVerify(
  { store, limits }: VerifyOptions,
  onDamage?: SourceOptions['onDamage'],
): Promise<OpenVerify> {
  const source = await (await openIndex(store)).source({ limits, onDamage });
  return {
    refresh: source.refresh,
    async verify(items, lookedUp = []) {
      const tasks: ((view: IndexView) => Promise<VerifyResult>)[] = [];
      for (const [at, item] of items.entries()) {
        if ('quote' in item) tasks.push((view) => verifyQuote(item, quotesIn(view)));
        else {
          const prepared = await prepareReference(item);
          const outside = lookedUp.find((one) => one.at === at);
          tasks.push((view) => verifyInAndOutside(prepared, referencesIn(view), outside));
        }
      }
      return source.view(async (view) => {
        const results: VerifyResult[] = [];
        for (const task of tasks) results.push(await task(view));
        return results.map((result, at) => ({ ...result, ...placeOf(items[at]) }));
      });
    },
    close: source.close,
  };
}

function placeOf(item: VerifyItem | undefined): ReferenceItem['place'] {
  return item !== undefined && 'place' in item ? item.place : undefined;
}

async function verifyInAndOutside(
  prepared: PreparedReference,
  deps: ReferenceDeps,
  outside: LookedUpReference | undefined,
): Promise<ReferenceResult> {
  if (outside === undefined) return await verifyReference(prepared, deps);
  return withSource(await verifyReference(prepared, withRecords(deps, outside)), outside);
}

/** Damaged documents are no evidence. */
function present<Value>(values: readonly (Value | undefined)[]): Value[] {
  return values.filter((value) => value !== undefined);
}

function quotesIn(view: IndexView): QuoteDeps {
  return {
    read: async (documents) => present(await view.documents(documents)),
    find: (text) => findNamed(view, text),
    search: (quote) => findDocumentsWithWords(quote, view),
    isEmpty: async () => (await view.totals()).documents === 0,
  };
}

function referencesIn(view: IndexView): ReferenceDeps {
  return {
    ofDocuments: async (numbers) => present(await view.merged(numbers)),
    byTitle: (title) => view.withTitle(title, TITLES_MAX),
    byWords: (text) => findDocumentsWithWords(text, view),
    async byIdentifiers(identifiers) {
      const [found = []] = await view.withKeys([schemeKeysOf(identifiers)]);
      return found;
    },
  };
}
