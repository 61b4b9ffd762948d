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
import { assessReferences } from './references/assess-references.ts';
import type { CompleteSet } from './references/coverage.ts';
import {
  prepareReference,
  type ReferenceDeps,
  type ReferenceItem,
  type ReferenceResult,
  type VerifiedReference,
  verifyReference,
} from './references/verify-reference.ts';

export type VerifyItem = QuoteItem | ReferenceItem;
export type VerifyResult = QuoteResult | ReferenceResult;

/** What is added to results on request. */
export const verifyExtras = ['assessment'] as const;
export type VerifyExtra = (typeof verifyExtras)[number];

export interface VerifyRequest {
  items: VerifyItem[];
  include?: readonly VerifyExtra[];
}

export interface VerifyOptions extends Pick<SourceOptions, 'limits'> {
  store: IndexPlace;
  /** What the index has completely; nothing by default. */
  complete?: readonly CompleteSet[];
}

export interface OpenVerify {
  /** Verifies items in one view of the index. The results are in their order. */
  verify(items: readonly VerifyItem[], include?: readonly VerifyExtra[]): Promise<VerifyResult[]>;
  /** As in `IndexSource`. */
  refresh(): Promise<unknown>;
  close(): Promise<void>;
}

/** Documents with similar titles that are compared with a reference. */
const TITLES_MAX = 12;

/** Rejects with `database_unusable` or `migration_needed`. */
export async function openVerify(
  { store, limits, complete = [] }: VerifyOptions,
  onDamage?: SourceOptions['onDamage'],
): Promise<OpenVerify> {
  const source = await (await openIndex(store)).source({ limits, onDamage });
  return {
    refresh: source.refresh,
    async verify(items, include = []) {
      const tasks: ((view: IndexView) => Promise<QuoteResult | VerifiedReference>)[] = [];
      for (const item of items) {
        if ('quote' in item) tasks.push((view) => verifyQuote(item, quotesIn(view)));
        else {
          const prepared = await prepareReference(item);
          tasks.push((view) => verifyReference(prepared, referencesIn(view, complete)));
        }
      }
      const outcomes = await source.view(async (view) => {
        const done: (QuoteResult | VerifiedReference)[] = [];
        for (const task of tasks) done.push(await task(view));
        return done;
      });
      const references = outcomes.filter((one) => 'result' in one);
      if (include.includes('assessment')) addAssessments(references, complete);
      return outcomes.map((one) => ('result' in one ? one.result : one));
    },
    close: source.close,
  };
}

/** They depend on all references of the request. */
function addAssessments(
  references: readonly VerifiedReference[],
  complete: readonly CompleteSet[],
): void {
  const judged = references.map((one) => one.judged);
  for (const [at, assessment] of assessReferences(judged, complete).entries()) {
    Object.assign((references[at] as VerifiedReference).result, { assessment });
  }
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

function referencesIn(view: IndexView, complete: readonly CompleteSet[]): ReferenceDeps {
  return {
    complete,
    ofDocuments: async (numbers) => present(await view.merged(numbers)),
    byTitle: (title) => view.withTitle(title, TITLES_MAX),
    async byIdentifiers(identifiers) {
      const [found = []] = await view.withKeys([schemeKeysOf(identifiers)]);
      return found;
    },
  };
}
