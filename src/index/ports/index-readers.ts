/** What the main thread of a server reads of an index: a few figures, without a search thread. */
import type { IndexTotals } from '../index-facts.ts';
import type { StoredBuild } from '../records/builds.ts';

export type IndexEngine = 'sqlite' | 'postgresql';

/** Methods reject with `degraded` or `database_unusable` if the index cannot be read. */
export interface IndexReaders {
  engine: IndexEngine;
  /** Rejects also if any part of the index cannot be read. */
  totals(): Promise<IndexTotals>;
  /** Resolves to the number of documents. It costs less than the totals. */
  countDocuments(): Promise<number>;
  /** Resolves to the name of the index's state. */
  indexVersion(): Promise<string>;
  /** Resolves to a title at a share of the index, from 0 to 1; undefined if it is empty. */
  titleAt(share: number): Promise<string | undefined>;
  /**
   * Resolves to when the last build ended, or began if it has not ended, in milliseconds since 1970;
   * undefined if there was none.
   */
  lastBuildAt(): Promise<number | undefined>;
  /** Returns the last builds, the latest first. The caller knows what is in their reports. */
  builds<Report>(most: number): Promise<StoredBuild<Report>[]>;
}
