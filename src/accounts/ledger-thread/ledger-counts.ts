/** Counts what was written to the ledger, for metrics. */

import type { Pool } from '../../workers/pool.ts';
import type { EventResult } from '../sql/payment-decisions.ts';
import type { LedgerOperation, LedgerResult, LedgerTask } from './ledger-worker.ts';

/** What this process has written since it started. */
export interface WrittenCounts {
  /** Holds, by what was written. */
  holds: { held: number; settled: number; released: number };
  /** Credits of settled and released searches, and of payments. */
  credits: { settled: number; released: number; bought: number };
  /** Holds that are neither settled nor released. */
  openHolds: number;
}

export interface WriteCounter {
  /** Counts the operations of one transaction by their results. */
  count(operations: readonly LedgerOperation[], results: readonly LedgerResult[]): void;
  read(): WrittenCounts;
}

/** Operations that changed nothing, such as the release of a hold that is not open, do not count. */
export function createWriteCounter(): WriteCounter {
  const holds = { held: 0, settled: 0, released: 0 };
  const credits = { settled: 0, released: 0, bought: 0 };
  // The credits of each open hold by its request. The writer limits the open holds.
  const open = new Map<string, number>();
  const end = (kind: 'settled' | 'released', requestId: string): void => {
    holds[kind]++;
    credits[kind] += open.get(requestId) ?? 0;
    open.delete(requestId);
  };
  const countOne = (operation: LedgerOperation, value: unknown): void => {
    switch (operation.kind) {
      case 'hold':
        holds.held++;
        open.set(operation.requestId, operation.credits);
        return;
      case 'settle':
        end('settled', operation.requestId);
        return;
      case 'release':
        end('released', operation.requestId);
        return;
      case 'answer':
        for (const requestId of operation.answer.charged) end('settled', requestId);
        for (const requestId of operation.answer.released) end('released', requestId);
        return;
      case 'account':
        if (operation.name !== 'recordPaymentEvent') return;
        // A refund takes credits back, and a counter never falls.
        credits.bought += Math.max(0, (value as EventResult).credits ?? 0);
    }
  };
  return {
    count(operations, results) {
      for (const [index, operation] of operations.entries()) {
        const result = results[index];
        if (result === undefined || 'failure' in result || result.value === undefined) continue;
        countOne(operation, result.value);
      }
    },
    read: () => ({ holds: { ...holds }, credits: { ...credits }, openHolds: open.size }),
  };
}

/** Returns a pool that counts what it writes. */
export function countWrites<LedgerPool extends Pool<LedgerTask, LedgerResult[]>>(
  pool: LedgerPool,
  { count }: WriteCounter,
): LedgerPool {
  return {
    ...pool,
    async run(task) {
      const results = await pool.run(task);
      if (Array.isArray(task)) count(task, results);
      return results;
    },
  };
}
