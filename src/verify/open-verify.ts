/** Opens an index for verification. It needs no model. */
import { schemeKeysOf } from '../identity/record-keys.ts';
import type { IndexPlace } from '../index/open/index-place.ts';
import { openIndex } from '../index/open/open-index.ts';
import { findNamed } from '../index/ports/find-named.ts';
import type { SourceOptions } from '../index/ports/index.ts';
import type { IndexView } from '../index/ports/index-source.ts';
import { findDocumentsWithWords } from './quotes/find-quote.ts';
import { prepareQuoted } from './quotes/quoted-documents.ts';
import {
  type QuoteDeps,
  type QuoteItem,
  type QuoteResult,
  verifyQuote,
} from './quotes/verify-quote.ts';
import { readOnce } from './read-once.ts';
import { assessReferences } from './references/assess-references.ts';
import type { CompleteSet } from './references/coverage.ts';
import type { ReferenceDeps } from './references/judge-readings.ts';
import { type LookedUpReference, withRecords, withSource } from './references/outside.ts';
import { newTexBudget } from './references/read-bibtex.ts';
import {
  type PreparedReference,
  prepareReference,
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
  /** The lanes that may be asked about references that the index does not have; absent: none. */
  lanes?: string;
}

export interface VerifyTask extends VerifyRequest {
  /** What lanes said about some of the references; absent: none was asked yet. */
  lookedUp?: readonly LookedUpReference[];
}

export interface VerifyOptions extends Pick<SourceOptions, 'limits'> {
  store: IndexPlace;
  /** What the index has completely; nothing by default. */
  complete?: readonly CompleteSet[];
}

export interface OpenVerify {
  /**
   * Verifies items in one view of the index, with what lanes said about some references. The results
   * are in their order.
   */
  verify(
    items: readonly VerifyItem[],
    options?: Pick<VerifyTask, 'include' | 'lookedUp'>,
  ): Promise<VerifyResult[]>;
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
    async verify(items, { include = [], lookedUp = [] } = {}) {
      const tasks: ((
        view: IndexView,
        quotes: QuoteDeps,
      ) => Promise<QuoteResult | VerifiedReference>)[] = [];
      const tex = newTexBudget();
      for (const [at, item] of items.entries()) {
        if ('quote' in item) tasks.push((_view, quotes) => verifyQuote(item, quotes));
        else {
          const prepared = await prepareReference(item, tex);
          const outside = lookedUp.find((one) => one.at === at);
          tasks.push((view) => verifyInAndOutside(prepared, referencesIn(view, complete), outside));
        }
      }
      const outcomes = await source.view(async (view) => {
        const done: (QuoteResult | VerifiedReference)[] = [];
        const quotes = quotesIn(view);
        for (const task of tasks) done.push(await task(view, quotes));
        return done;
      });
      const references = outcomes.filter((one) => 'result' in one);
      if (include.includes('assessment')) addAssessments(references, complete);
      return outcomes.map((one, at) => ({
        ...('result' in one ? one.result : one),
        ...placeOf(items[at]),
      }));
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
): Promise<VerifiedReference> {
  if (outside === undefined) return await verifyReference(prepared, deps);
  const { result, ...rest } = await verifyReference(prepared, withRecords(deps, outside));
  return { result: withSource(result, outside), ...rest };
}

/**
 * They depend on all references of the request that the index has or lacks. Of one that a lane has,
 * nothing follows for what the index lacks.
 */
function addAssessments(
  references: readonly VerifiedReference[],
  complete: readonly CompleteSet[],
): void {
  const ofIndex = references.filter(({ result }) => result.src === undefined);
  const ofLanes = references.filter(({ result }) => result.src !== undefined);
  for (const group of [ofIndex, ...ofLanes.map((one) => [one])]) {
    const assessments = assessReferences(
      group.map(({ judged }) => judged),
      complete,
    );
    for (const [at, { result }] of group.entries()) {
      Object.assign(result, { assessment: assessments[at] });
    }
  }
}

function quotesIn(view: IndexView): QuoteDeps {
  return {
    read: readOnce({
      read: (numbers) => view.documents(numbers),
      prepare: prepareQuoted,
      charactersOf: ({ title, abstract }) => title.length + abstract.length,
    }),
    find: (text) => findNamed(view, text),
    search: (quote) => findDocumentsWithWords(quote, view),
    isEmpty: async () => (await view.totals()).documents === 0,
  };
}

function referencesIn(view: IndexView, complete: readonly CompleteSet[]): ReferenceDeps {
  return {
    complete,
    ofDocuments: readOnce({
      read: (numbers) => view.merged(numbers),
      prepare: (merged) => merged,
      charactersOf: ({ records }) =>
        records.reduce(
          (sum, { authors, abstract }) => sum + abstract.length + authors.join().length,
          0,
        ),
    }),
    titlesOf: readOnce({
      async read(numbers) {
        const titles = await view.titles(numbers);
        return numbers.map((number, at) => ({ number, titles: titles[at] ?? [] }));
      },
      prepare: (titled) => titled,
      charactersOf: ({ titles }) => titles.join().length,
    }),
    byTitle: (title) => view.withTitle(title, TITLES_MAX),
    byWords: (text) => findDocumentsWithWords(text, view),
    async byIdentifiers(identifiers) {
      const [found = []] = await view.withKeys([schemeKeysOf(identifiers)]);
      return found;
    },
  };
}
