/** Opens an index for verification. It needs no model. */
import { identifiersOf, schemes } from '../identity/identifiers.ts';
import { schemeKeysOf } from '../identity/record-keys.ts';
import type { Connection } from '../store/database/connection.ts';
import { createDocumentReader } from '../store/index/documents/documents.ts';
import { createTitleLookup } from '../store/index/documents/title-index.ts';
import { prepareCountDocuments } from '../store/index/index-facts.ts';
import { createLexicalRetriever } from '../store/index/lexical/lexical-retrieval.ts';
import { createStatisticsReader } from '../store/index/lexical/term-statistics.ts';
import { createSourcesReader } from '../store/index/records/sources-of-documents.ts';
import { type IndexOptions, openIndex } from '../store/open-index.ts';
import type { DocumentNumber } from '../types.ts';
import { findDocumentsWithWords } from './quotes/find-quote.ts';
import {
  type QuoteDeps,
  type QuoteItem,
  type QuoteResult,
  verifyQuote,
} from './quotes/verify-quote.ts';
import {
  prepareReference,
  type ReferenceDeps,
  type ReferenceItem,
  type ReferenceResult,
  verifyReference,
} from './references/verify-reference.ts';

export type VerifyItem = QuoteItem | ReferenceItem;
export type VerifyResult = QuoteResult | ReferenceResult;

export interface VerifyOptions {
  store: IndexOptions;
  limits: {
    /** Postings that the look-up of a quote reads. */
    postingsMax: number;
  };
}

export interface OpenVerify {
  /** Verifies items in one view of the index. The results are in their order. */
  verify(items: readonly VerifyItem[]): Promise<VerifyResult[]>;
  /** As in `OpenIndex`: call it only when nothing is verified. */
  refresh(): void;
  close(): void;
}

/** Documents with similar titles that are compared with a reference. */
const TITLES_MAX = 12;

/** Throws `database_unusable` or `migration_needed`. */
export function openVerify({ store, limits }: VerifyOptions): OpenVerify {
  const index = openIndex(store);
  const depsNow = index.reading((db) => ({
    ...createDeps(db, limits),
    inSnapshot: db.transaction((work: () => VerifyResult[]) => work()),
  }));
  return {
    refresh: index.refresh,
    async verify(items) {
      const { quotes, references, inSnapshot } = depsNow();
      const tasks: (() => VerifyResult)[] = [];
      for (const item of items) {
        if ('quote' in item) tasks.push(() => verifyQuote(item, quotes));
        else {
          const prepared = await prepareReference(item);
          tasks.push(() => verifyReference(prepared, references));
        }
      }
      return inSnapshot(() => tasks.map((task) => task()));
    },
    close: index.close,
  };
}

function createDeps(
  db: Connection,
  limits: VerifyOptions['limits'],
): { quotes: QuoteDeps; references: ReferenceDeps } {
  const documents = createDocumentReader(db);
  const sources = createSourcesReader(db);
  const statisticsNow = createStatisticsReader(db);
  const lexical = createLexicalRetriever(db, limits);
  const lookUpTitle = createTitleLookup(db);
  const countDocuments = prepareCountDocuments(db);
  return {
    quotes: {
      read: documents.read,
      find: (id) => {
        const forms = identifiersOf(Object.fromEntries(schemes.map((scheme) => [scheme, id])));
        return sources.numbersOf(id.trim(), schemeKeysOf(forms));
      },
      search: (quote) => findDocumentsWithWords(quote, { statisticsNow, lexical }),
      isEmpty: () => countDocuments() === 0,
    },
    references: {
      ofDocument: (number: DocumentNumber) => sources.ofDocument(number).merged,
      byTitle: (title) => lookUpTitle(title, TITLES_MAX),
      byIdentifiers: (identifiers) => documents.knownBy(identifiers),
    },
  };
}
