/**
 * Settlements and releases that could not be written yet, in memory. They are written as soon as
 * the ledger is writable. If the process ends first, the next start releases all open holds, so an
 * answered but unsettled search is free. That is better than charging for a search without an
 * answer.
 */
import { setTimeout as wait } from 'node:timers/promises';
import type { LedgerCondition } from './ledger-condition.ts';
import type { LedgerOperation, LedgerResult } from './ledger-worker.ts';

export type PendingOperation = Extract<LedgerOperation, { kind: 'settle' | 'release' }>;

export interface PendingOperations {
  /** Adds operations, and retries until the ledger can be written. */
  add(operations: readonly PendingOperation[]): void;
  /** Whether the outcome of this request is not written yet. */
  has(requestId: string): boolean;
  /** The number of operations that are not written yet. */
  size(): number;
  /** Retries for at most `waitMs`. Resolves to the number of operations left. */
  close(waitMs: number): Promise<number>;
}

export interface PendingOptions {
  /** Writes operations in one transaction. */
  write: (operations: LedgerOperation[]) => Promise<LedgerResult[]>;
  condition: LedgerCondition;
  /** Called for each operation that the ledger rejects. */
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

  /**
   * Writes everything, in batches. A release may change nothing, so the probe makes each batch a
   * real write.
   */
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
      // Let an idle process exit.
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
    has: (requestId) => pending.some((operation) => operation.requestId === requestId),
    size: () => pending.length,
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
