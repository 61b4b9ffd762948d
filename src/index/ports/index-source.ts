/**
 * The port through which searches, look-ups, and verification read an index. Each thread has a source
 * of its own. The rest of the program knows promises and no database.
 *
 * These rules hold for every method:
 *
 * - Reading changes nothing, so every call may be repeated.
 * - Results are values. They stay valid after the view, except where a comment says otherwise.
 * - Lists of results are in the order of the arguments.
 * - A method rejects with `database_unusable` or `degraded` if the index cannot be read, and with an
 *   Error if the index contradicts itself, such as a posting without a forward index entry.
 * - A document whose stored content differs from its hash, cannot be decoded, or is missing, is
 *   undefined in results, and `onDamage` of the source hears of it each time.
 */
import type { MergedDocument } from '../../identity/merge-records.ts';
import type { Term } from '../../text/terms.ts';
import type { DocumentNumber, Embedding, ModelIdentity, Ranking } from '../../types.ts';
import type { LookedUpScores } from '../../vectors/scan-module.ts';
import type { DocumentReferences } from '../citations/document-references.ts';
import type { Page, Placed } from '../citations/newest-first.ts';
import type { DenseLimits } from '../dense/dense-retrieval.ts';
import type { StoredDocument } from '../documents/stored-document.ts';
import type { WithheldDocuments } from '../documents/withheld-documents.ts';
import type { AllowedDocuments, FacetFilter } from '../facets/allowed-documents.ts';
import type { IndexSummary } from '../facets/index-summary.ts';
import type { ForwardEntry } from '../forward-index.ts';
import type { IndexTotals } from '../index-facts.ts';
import type { LexicalLimits, WeightedWord, WordMatches } from '../lexical/lexical-retrieval.ts';
import type { TermStatistics } from '../lexical/term-statistics.ts';
import type { StoredBuild } from '../records/builds.ts';
import type { ChangesPage, Sequence } from '../records/paper-changes.ts';
import type { StoredSource } from '../sources/list-sources.ts';

/** The limits of what a search reads. */
export interface SourceLimits extends DenseLimits, LexicalLimits {
  /** Vectors that a search of the HNSW index keeps in mind. More find better and take longer. */
  hnswSearched: number;
}

export interface IndexSource {
  /**
   * Runs `work` with a view of one state of the index, whatever is written meanwhile, and returns its
   * result. Views may run one after the other, in the order of the calls. So `work` must await nothing
   * but the view's own methods, and must not open another view.
   */
  view<Result>(work: (view: IndexView) => Promise<Result>): Promise<Result>;
  /** Returns the model of the index, undefined while nothing has been added. */
  model(): Promise<ModelIdentity | undefined>;
  /**
   * Takes over a newer copy of the index if there is one, after the views that were opened before.
   * Resolves to the reason why a newer copy cannot be used. Views then go on with the one before.
   */
  refresh(): Promise<string | undefined>;
  /** The copy that is read; undefined if the index is no copy. */
  copy(): string | undefined;
  /** Counts the files that were taken over. */
  switches(): number;
  figures: IndexFigures;
  /** Waits for the views that were opened before, and closes the source. */
  close(): Promise<void>;
}

/**
 * What the main thread of a server reads, without a view. Rejects with `degraded` or `database_unusable` if
 * the index cannot be read.
 */
export interface IndexFigures {
  /** Rejects also if any part of the index cannot be read. */
  totals(): Promise<IndexTotals>;
  /** Costs less than the totals. */
  countDocuments(): Promise<number>;
  /** As in a view. */
  state(): Promise<string>;
  /** Returns a title at a share of the index, from 0 to 1; undefined if it is empty. */
  titleAt(share: number): Promise<string | undefined>;
  /**
   * Returns when the last build ended, or began if it has not ended, in milliseconds since 1970; undefined
   * if there was none.
   */
  lastBuildAt(): Promise<number | undefined>;
  /** Returns the last builds, the latest first. The caller knows what is in their reports. */
  builds<Report>(most: number): Promise<StoredBuild<Report>[]>;
  /** Returns what is fetched into the index. The caller knows what is in their settings and states. */
  sources<Source extends StoredSource>(): Promise<Source[]>;
}

/** One state of an index. It can be read only while the work that got it runs. */
export interface IndexView {
  /** Names the state among all that the source has shown. What was read of another one is stale. */
  revision(): Promise<string>;
  /** Names the state among those of all indexes. It takes longer to read than the revision. */
  state(): Promise<string>;
  totals(): Promise<IndexTotals>;
  /** Counts what the index contains. It reads the facets of all documents. */
  summary(): Promise<IndexSummary>;
  /** Returns at most `most` papers whose last change came after one, in the order of these changes. */
  changes(after: Sequence, most: number): Promise<ChangesPage>;

  /**
   * Returns the statistics, with the document frequencies of these terms. Nothing can be said of other
   * terms. Repeated terms do no harm.
   */
  statistics(terms: Iterable<Term>): Promise<TermStatistics>;
  /** Finds documents with the rarest of the words, among the allowed documents if they are given. */
  matchWords(words: readonly WeightedWord[], allowed?: AllowedDocuments): Promise<WordMatches>;
  /** Finds the documents whose own vectors are nearest to the query's. */
  nearest(query: DenseQuery): Promise<DenseMatches>;
  /** Returns the documents that a filter allows. */
  allowed(filter: FacetFilter): Promise<AllowedDocuments>;
  /** Returns the documents that are retracted or withdrawn. */
  withheld(): Promise<WithheldDocuments>;

  /** Returns the forward index entries of documents. */
  forwardEntries(documents: readonly DocumentNumber[]): Promise<ForwardEntry[]>;
  /** Returns what is cited of documents; undefined for one that is damaged. */
  documents(documents: readonly DocumentNumber[]): Promise<(StoredDocument | undefined)[]>;
  /** Returns documents with all that their records say; undefined for one that is damaged. */
  merged(documents: readonly DocumentNumber[]): Promise<(MergedDocument | undefined)[]>;
  /**
   * Returns the titles of documents and those that their records have instead; none for one that is
   * missing. It takes a fraction of the time of the others, and compares no hash.
   */
  titles(documents: readonly DocumentNumber[]): Promise<string[][]>;
  /** Returns the documents with exactly these ids, undefined where there is none. */
  withIds(ids: readonly string[]): Promise<(DocumentNumber | undefined)[]>;
  /**
   * Returns for each list of keys the documents with one of them, compared without case, each document
   * once, in the order of the keys. `record-keys.ts` makes the keys. Damaged records have no keys.
   */
  withKeys(keys: readonly (readonly string[])[]): Promise<DocumentNumber[][]>;
  /** Returns what the records of documents cite. */
  references(documents: readonly DocumentNumber[]): Promise<DocumentReferences[]>;
  /** Returns for each list of keys of a work the documents that cite it, each once, ascending. */
  citing(keys: readonly (readonly string[])[]): Promise<Uint32Array[]>;
  /** Returns a page of the documents, those of the latest years first. */
  newestFirst(documents: ArrayLike<DocumentNumber>, page: Page): Promise<Placed[]>;
  /** Returns at most `most` documents whose titles resemble a title, the most similar first. */
  withTitle(title: string, most: number): Promise<DocumentNumber[]>;
}

export interface DenseQuery {
  vector: Embedding;
  /** The number of nearest documents wanted. */
  most: number;
  /** What was found by words, to be scored as well. Ascending. */
  documents: Uint32Array;
  /** The documents to which the search is limited. Absent: all. */
  allowed?: AllowedDocuments | undefined;
}

export interface DenseMatches {
  /** The nearest documents, the best first. The score approximates the cosine. */
  nearest: Ranking;
  /**
   * The same score of the documents of the query, in their order. Those that would cost more to score
   * are `unknown`, and have a guess. The caller may change the scores.
   */
  scores: LookedUpScores;
  /** Returns the same score of any documents. Valid in the view until its next `nearest`. */
  scoresIn(documents: readonly DocumentNumber[]): Promise<Float32Array>;
}
