/** Tracks whether the ledger is writable, judging by the last write. Logs each change. */
import { detailsOf, VerbatimError } from '../../errors.ts';
import type { Log } from '../../log.ts';

export interface LedgerCondition {
  /** Why the ledger cannot be written; undefined if it can. */
  fault(): string | undefined;
  /** Records a failed write. Logs the cause if it is new. */
  failed(error: unknown): void;
  /**
   * Records a write that proves that the fault is over. Logs it with the number of operations
   * caught up.
   */
  recovered(operations: number): void;
}

export function createLedgerCondition(log: Log): LedgerCondition {
  let fault: string | undefined;
  let since = 0;
  return {
    fault: () => fault,
    failed(error) {
      const isExpected = error instanceof VerbatimError && error.code === 'degraded';
      const cause = isExpected ? error.message : 'the ledger cannot be written';
      if (cause === fault) return;
      if (fault === undefined) since = performance.now();
      fault = cause;
      // An unexpected error is a defect and needs its details.
      log.error('degraded', {
        reason: cause,
        ...(isExpected ? {} : { details: detailsOf(error) }),
      });
    },
    recovered(operations) {
      if (fault === undefined) return;
      const seconds = Math.round((performance.now() - since) / 100) / 10;
      log.info('recovered', { reason: fault, seconds, operations });
      fault = undefined;
    },
  };
}
