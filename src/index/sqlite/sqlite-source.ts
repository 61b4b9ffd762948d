/**
 * An index in an SQLite file, or in the newest of its copies. What a view reads is there at once: its
 * promises spare no thread the work, and cost it a few microseconds a search.
 *
 * A connection has one transaction, so views take turns. None waits for anything but SQLite, so a turn
 * is as short as the work of one search, and no transaction outlasts it.
 */
import type { Connection } from '../../database/sqlite/connection.ts';
import { prepareReadTransaction } from '../../database/sqlite/read-transaction.ts';
import { readOnSqlite, runOnSqlite } from '../../database/sqlite/run-on-sqlite.ts';
import type { ModelIdentity } from '../../types.ts';
import { newestFirst } from '../citations/newest-first.ts';
import { createCitationsReader } from '../citations/stored-citations.ts';
import { createDenseRetriever, type DenseRetriever } from '../dense/dense-retrieval.ts';
import { createDocumentReader, createTitleReader } from '../documents/documents.ts';
import { createTitleLookup } from '../documents/title-index.ts';
import { createWithheldReader } from '../documents/withheld-documents.ts';
import {
  type AllowedDocuments,
  createFacetReader,
  type FlaggedDocuments,
} from '../facets/allowed-documents.ts';
import { createFacetsOfAll, yearIn } from '../facets/facets-of-all.ts';
import { createIndexSummarizer } from '../facets/index-summary.ts';
import {
  prepareAssertModel,
  prepareCountDocuments,
  prepareReadIndexState,
  readFact,
  readModel,
  readRevision,
  readTotals,
} from '../index-facts.ts';
import { createLexicalRetriever } from '../lexical/lexical-retrieval.ts';
import { createStatisticsReader } from '../lexical/term-statistics.ts';
import type { IndexFigures, IndexSource, IndexView, SourceLimits } from '../ports/index-source.ts';
import {
  damagedDocument,
  type OnDamage,
  reportingDamaged,
  warnOfDamage,
} from '../ports/report-damaged.ts';
import { createLastBuildReader, readBuilds } from '../records/builds.ts';
import { readChanges } from '../records/read-changes.ts';
import { listSources } from '../sources/list-sources.ts';
import type { IndexFile } from './index-file.ts';

/**
 * The readers are made again for each copy that is taken over. Views reject with `model_mismatch` once the
 * index has a model that `model` does not fit. `close` closes the index.
 */
export function createSqliteSource(
  index: IndexFile,
  limits: SourceLimits,
  onDamage: OnDamage = warnOfDamage,
  model?: ModelIdentity,
): IndexSource {
  let last: Promise<unknown> = Promise.resolve();
  /** Runs work after all that came before, whatever became of that. */
  const inTurn = <Result>(work: () => Promise<Result>): Promise<Result> => {
    const result = last.then(work);
    last = result.catch(() => {});
    return result;
  };
  let opened = 0;
  const readersNow = index.reading((db) => {
    opened += 1;
    return {
      transaction: prepareReadTransaction(db),
      assertModel: model && prepareAssertModel(db, model),
      view: createView(db, { limits, opened, onDamage }),
    };
  });
  return {
    view: (work) =>
      inTurn(async () => {
        const { transaction, assertModel, view } = readersNow();
        transaction.begin();
        try {
          assertModel?.();
          return await work(view);
        } finally {
          transaction.end();
        }
      }),
    model: () => inTurn(async () => readModel(index.db())),
    refresh: () => inTurn(async () => index.refresh()),
    copy: index.copy,
    switches: index.switches,
    figures: createFigures(index),
    close: () => inTurn(async () => index.close()),
  };
}

/** A few look-ups by an index, which answer at once. */
function createFigures({ db, reading }: IndexFile): IndexFigures {
  const count = reading(prepareCountDocuments);
  const state = reading(prepareReadIndexState);
  const title = reading(createTitleReader);
  const lastBuild = reading(createLastBuildReader);
  return {
    totals: async () => readTotals(db()),
    countDocuments: async () => count()(),
    state: async () => state()(),
    titleAt: async (share) => title()(share),
    lastBuildAt: async () => lastBuild()(),
    builds: async (most) => readBuilds(db(), most),
    sources: async () => readOnSqlite(db(), listSources(Date.now())),
  };
}

interface ViewOptions {
  limits: SourceLimits;
  /** Tells this file from those that were read before: their revisions may be the same. */
  opened: number;
  onDamage: OnDamage;
}

function createView(db: Connection, { limits, opened, onDamage }: ViewOptions): IndexView {
  const revisionNow = readRevision(db);
  const state = once(() => prepareReadIndexState(db));
  const statistics = once(() => createStatisticsReader(db));
  const withheld = once(() => createWithheldReader(db));
  const onDamagedRecord = (): void => onDamage(damagedDocument());
  const documents = once(() => createDocumentReader(db, onDamagedRecord));
  const summarize = once(() => createIndexSummarizer(db));
  const lexical = once(() => createLexicalRetriever(db, limits));
  const facets = once(() => createFacetsOfAll(db));
  const allowed = once(() => createFacetReader(db, facets()));
  const citations = once(() => createCitationsReader(db));
  const withTitle = once(() => createTitleLookup(db));
  let dense: DenseRetriever | undefined;
  return {
    revision: async () => `${opened}-${revisionNow()}`,
    state: async () => state()(),
    totals: async () => readTotals(db),
    summary: async () => summarize()(),
    async changes(after, most) {
      return { index: String(readFact(db, 'id')), ...runOnSqlite(db, readChanges(after, most)) };
    },
    // The frequencies are looked up when they are needed: most of a paper's terms never are.
    statistics: async () => statistics()(),
    matchWords: async (words, among) => lexical().retrieve(words, flagged(among)),
    async nearest({ vector, most, documents: found, allowed: among }) {
      dense ??= createDenseRetriever(db, vector.length, limits);
      const matches = dense.retrieve(vector, most, flagged(among));
      return {
        nearest: matches.nearest,
        scores: matches.scoresOf(found),
        scoresIn: async (wanted) => matches.scoresIn(wanted),
      };
    },
    allowed: async (filter) => allowed()(filter),
    withheld: async () => withheld()(),
    forwardEntries: async (numbers) => documents().readForwardEntries(numbers),
    documents: async (numbers) =>
      reportingDamaged(numbers, numbers.map(documents().read), onDamage),
    merged: async (numbers) => reportingDamaged(numbers, numbers.map(documents().merged), onDamage),
    titles: async (numbers) => numbers.map(documents().titles),
    withIds: async (ids) => ids.map(documents().withId),
    withKeys: async (keys) => keys.map(documents().withKeys),
    references: async (numbers) => numbers.map(citations().references),
    citing: async (keys) => keys.map(citations().citing),
    async newestFirst(numbers, page) {
      const all = facets()();
      return newestFirst(numbers, (number) => yearIn(all, number), page);
    },
    withTitle: async (title, most) => withTitle()(title, most),
  };
}

/** What `allowed` returned. */
function flagged(allowed: AllowedDocuments | undefined): FlaggedDocuments | undefined {
  return allowed as FlaggedDocuments | undefined;
}

/** Makes something on the first call: no thread needs the statements of all methods. */
function once<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
