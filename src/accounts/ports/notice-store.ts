/** Mail about billing that waits to be sent. */
import type { BillingNotice, ClaimedNotice } from '../sql/billing-notice-rows.ts';

/**
 * A notice is stored in the transaction that gives the reason, so that no crash loses it, and claimed by
 * one node just before its mail is handed over.
 */
export interface NoticeStore {
  /** Lists notices that wait and whose time has come, the oldest first. */
  listDueNotices(input: { now: number; limit: number }): Promise<BillingNotice[]>;
  /**
   * Claims a notice. Resolves to undefined if somebody else has, or if its reason is gone: then nobody
   * needs to be told. Not repeatable: what was claimed is not given out again.
   */
  claimNotice(input: BillingNotice & { now: number }): Promise<ClaimedNotice | undefined>;
  /** Lets a claimed notice wait again, unless it was claimed `attemptsMax` times. May be repeated. */
  returnNotice(input: BillingNotice & { retryAt: number; attemptsMax: number }): Promise<void>;
}
