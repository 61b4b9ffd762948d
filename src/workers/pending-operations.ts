/**
 * What searches came to while the ledger could not be written, pending until it can be. It lives as
 * long as the process. What is left when that ends, the next start makes up for: it releases all
 * open holds, so that a search that was answered but not settled is given away. Better that than a
 * search that is paid for without an answer.
 */
import { setTimeout as wait } from 'node:timers/promises';
import type { LedgerCondition } from './ledger-condition.ts';
import type { LedgerOperation, LedgerResult } from './ledger-worker.ts';

export type PendingOperation = Extract<LedgerOperation, { kind: 'settle' | 'release' }>;

export interface PendingOperations {
  /** Keeps operations, and tries again and again until the ledger can be written. */
  add(operations: readonly PendingOperation[]): void;
  /** Tries for so long at most; resolves to the operations that are left. */
  close(waitMs: number): Promise<number>;
}

export interface PendingOptions {
  /** Writes operations in one transaction. */
  write: (operations: LedgerOperation[]) => Promise<LedgerResult[]>;
  condition: LedgerCondition;
  /** Of an operation that the ledger refuses. */
  onRejected: (operation: LedgerOperation, result: LedgerResult | undefined) => void;
  batchMax: number;
  retryMs: number;
}

export function createPendingOperations(options: PendingOptions): PendingOperations {
  const { condition } = options;
  const pending: PendingOperation[] = [];
  const stopping = new AbortController();
  let trying: Promise<void> | undefined;
  let written = 0;

  /** All that is pending, in batches. The probe makes each a real write: a release may change nothing. */
  const writePending = async (): Promise<void> => {
    do {
      const batch = pending.slice(0, options.batchMax);
      const results = await options.write([...batch, { kind: 'probe' }]);
      for (const [index, operation] of [...batch, { kind: 'probe' as const }].entries()) {
        const result = results[index];
        if (result === undefined || 'failure' in result) options.onRejected(operation, result);
      }
      pending.splice(0, batch.length);
      written += batch.length;
    } while (pending.length > 0);
    condition.recovered(written);
    written = 0;
  };
  const tryUntilWritten = async (): Promise<void> => {
    while (condition.fault() !== undefined && !stopping.signal.aborted) {
      // A server that has nothing else to do may end all the same.
      const pause = { signal: stopping.signal, ref: false };
      await wait(options.retryMs, undefined, pause).catch(() => {});
      if (stopping.signal.aborted) break;
      await writePending().catch(condition.failed);
    }
    trying = undefined;
  };

  return {
    add(operations) {
      pending.push(...operations);
      if (condition.fault() !== undefined) trying ??= tryUntilWritten();
    },
    async close(waitMs) {
      if (trying !== undefined && pending.length > 0) {
        const timeUp = wait(waitMs, undefined, { signal: stopping.signal }).catch(() => {});
        await Promise.race([trying, timeUp]);
      }
      stopping.abort();
      await trying;
      return pending.length;
    },
  };
}
