/**
 * The port of a build: what `index add` reads and writes of an index, whatever database it is in.
 *
 * These rules hold for every method. A promise that rejects has changed nothing, unless its comment
 * says otherwise. A `VerbatimError` tells what the operator can do; any other error is a defect.
 * Methods are called one after the other: the next one when the promise of the one before is settled.
 * Other builds of the same index may run at the same time, and take turns with this one by batches.
 */
import type { KeptRecord } from '../../identity/kept-record.ts';
import type { QuantizedUnit } from '../dense/embeddings.ts';
import type { IndexedChange, PlannedChange } from '../documents/make-change.ts';
import type { BuildOutcome } from '../records/builds.ts';
import type { Checkpoint } from '../records/checkpoints.ts';
import type { IncomingRecord, Plan } from '../records/plan-change.ts';
import type { RecordLists } from '../records/record-lists.ts';
import type { SourceFile } from '../records/source-files.ts';

/** The builder of an index that has a model. */
export interface IndexBuilder extends PlanReader, CheckpointStore, RecordLists {
  /**
   * Applies planned changes, and saves the checkpoints that `checkpointsOf` returns, in one
   * transaction: both are stored, or neither. No two of the changes may share a key. Resolves to the
   * stale ones, which were not applied because another build has changed their records: plan them
   * again. `checkpointsOf` gets them too. It may be called more than once, if the transaction is run
   * again, and must have no effect.
   *
   * Applies a batch once, even if the connection breaks while it is committed. Rejects with
   * `model_mismatch` if the index was moved to another model meanwhile.
   */
  apply(
    changes: readonly IndexedChange[],
    checkpointsOf: (stale: readonly IndexedChange[]) => readonly Checkpoint[],
  ): Promise<readonly IndexedChange[]>;
  /**
   * Records the start of a build, so that a killed one is in the history too. `report` is anything
   * that JSON can hold. Resolves to a function that records the end.
   */
  startBuild<Report>(
    report: Report,
  ): Promise<(outcome: BuildOutcome, report: Report) => Promise<void>>;
  /**
   * Makes the index fast to search after it has grown. Yields the finished share of each kind of work
   * after a short step, after which the index is consistent: the caller may stop at any of them, and
   * the next build finishes what is left.
   */
  finish(): AsyncIterable<FinishStep>;
  /** Ends the connection. Nothing else may be called afterwards. */
  close(): Promise<void>;
}

/** What a build reads. It sees everything that is committed. */
export interface PlanReader {
  /** Resolves to whether exactly this record is stored; `key` is one of its keys. */
  isKept(key: string, hash: Buffer): Promise<boolean>;
  /** Resolves to the record that this one would replace, undefined if there is none. */
  replacedBy(record: KeptRecord): Promise<KeptRecord | undefined>;
  /** Resolves to what an incoming record would change now. */
  plan(incoming: IncomingRecord): Promise<PlannedChange>;
  /** Resolves to the stored vectors of all documents that a plan has read, by their texts. */
  unitsOf(plan: Plan): Promise<Map<string, QuantizedUnit>>;
}

/** How far builds have come. Every method may be repeated. */
export interface CheckpointStore {
  /** Resolves to the checkpoints that are valid: nothing else has changed the index since. */
  readCheckpoints(): Promise<Checkpoint[]>;
  /** Saves checkpoints without changes of documents. */
  saveCheckpoints(checkpoints: readonly Checkpoint[]): Promise<void>;
  /** Deletes the checkpoints of all other files. */
  keepCheckpoints(files: readonly SourceFile[]): Promise<void>;
}

export interface FinishStep {
  what: string;
  /** From 0 to 1. */
  share: number;
}
