/** One server process among those that share the accounts: its start, its state, and its end. */

import type { LedgerCounts } from '../ledger-thread/ledger-writer.ts';
import type { StoredTotals } from '../sqlite/ledger/stored-answers.ts';

/** What this node has written, and has to write. */
export type NodeCounts = Omit<LedgerCounts, 'pool'>;

export interface NodeStore {
  /**
   * Makes this process a node. Must resolve before the first hold, and may be repeated before it. From
   * then on the holds of dead nodes are released. With SQLite there is one node: a lock on the file keeps
   * others out, so every open hold is of a dead one and is released at once. Nodes that share a database
   * have leases: a hold is released when the lease of its node is over, by a node that has held its own
   * for two lengths without a gap. Resolves to the number of holds that were released at once.
   */
  joinAsNode(): Promise<{ released: number }>;
  /** Resolves when everything so far is written, or kept to be written later. */
  flush(): Promise<void>;
  /** Why this node cannot write the accounts; undefined if it can. From memory. */
  fault(): string | undefined;
  /** From memory. */
  counts(): NodeCounts;
  /** Reads how many answers are stored for repeats, of all customers. */
  readAnswerTotals(): Promise<StoredTotals>;
  /** Deletes answers that have expired, the oldest first. Resolves to how many, at most `limit`. */
  deleteExpiredAnswers(input: { now: number; limit: number }): Promise<number>;
  /** Deletes measures of days before `before`. Resolves to how many rows, at most `limit`. */
  deleteOldMeasures(input: { before: string; limit: number }): Promise<number>;
  /**
   * Writes what is queued, and retries what failed for at most `waitMs`. Holds that are still open after
   * it are released by the next node that joins. Nothing may be called after it.
   */
  close(waitMs: number): Promise<void>;
}
