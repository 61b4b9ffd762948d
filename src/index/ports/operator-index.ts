/**
 * The port through which commands look at an index and change it, beside searches and builds.
 *
 * A method that rejects has changed nothing. A `VerbatimError` tells what the operator can do.
 */

import type { KeptRecord } from '../../identity/kept-record.ts';
import type { DocumentId, ModelIdentity, SourceRecord } from '../../types.ts';
import type { FoundDocument } from '../documents/sources-of-documents.ts';
import type { IndexSummary } from '../facets/index-summary.ts';
import type { StoredBuild } from '../records/builds.ts';
import type { RecordLists } from '../records/record-lists.ts';
import type { VerifyReport } from '../verify/create-index-check.ts';

export interface IndexStats
  extends Pick<IndexSummary, 'documents' | 'sentences' | 'languages' | 'fields'> {
  /** Records that are left of removed papers, and keep them out. */
  removed: number;
  /** Null while nothing has been added. */
  model: ModelIdentity | null;
  /** Of the file, or of the database on PostgreSQL. */
  bytes: number;
  /** Where the index is, for people. */
  place: string;
}

export interface VerifyOptions {
  problemsMax: number;
  /** Gets the number of verified documents. */
  onProgress: (done: number) => void;
}

export interface OperatorIndex extends RecordLists {
  stats(): Promise<IndexStats>;
  /** Resolves to the last builds, the latest first. */
  builds<Report>(most: number): Promise<StoredBuild<Report>[]>;
  /**
   * Resolves to the documents with each of these identifiers in any form. A number may belong to several.
   * Rejects with `verify_failed` if one is damaged.
   */
  find(names: readonly string[]): Promise<FoundDocument[][]>;
  /**
   * Removes documents, all of them in one transaction, and keeps them out: of their records stays what
   * recognizes the papers. Unknown ids do no harm.
   */
  remove(ids: readonly DocumentId[]): Promise<void>;
  /** Resolves to what is left of the removed papers with this identifier in any form. */
  findRemoved(name: string): Promise<KeptRecord[]>;
  /**
   * Lets removed papers with these identifiers come back, all of them in one transaction. Resolves to how
   * many records were left of each name.
   */
  restore(names: readonly string[]): Promise<number[]>;
  /**
   * Yields each document as one record that makes the same document again: one state of the index,
   * whatever is written meanwhile. Leaves out documents that are damaged, and returns how many.
   */
  records(): AsyncGenerator<SourceRecord, number>;
  /** Checks one state of the whole index. */
  verify(options: VerifyOptions): Promise<VerifyReport>;
  close(): Promise<void>;
}
