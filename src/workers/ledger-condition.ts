/** Whether the ledger can be written, as its last write showed. The log tells when that changes. */
import { detailsOf, VerbatimError } from '../errors.ts';
import type { Log } from '../log.ts';

export interface LedgerCondition {
  /** Why the ledger cannot be written; undefined while it can. */
  fault(): string | undefined;
  /** After a write that failed. Logs the cause where it is a new one. */
  failed(error: unknown): void;
  /** After a write that proves that the fault is over. Logs it, with what was made up for. */
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
      // What nobody foresaw is a defect, and needs its details.
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
