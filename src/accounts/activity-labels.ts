/** What customers read for kinds of activity, outcomes, and ledger entries. Pure. */
import type { ActivityKind, ActivityOutcome } from './sql/activity-rows.ts';
import type { EntryKind } from './sql/credit-entries.ts';

/** The label of each kind of entry. */
const entryLabels: Readonly<Record<Exclude<EntryKind, 'adjust'>, string>> = {
  topup: 'Top-up',
  hold: 'Search held',
  settle: 'Search charged',
  release: 'Search released',
  refund: 'Refund',
};

/** Returns the label of a ledger entry. */
export function entryLabel({ kind, credits }: { kind: EntryKind; credits: number }): string {
  return kind === 'adjust' ? adjustLabel(credits) : entryLabels[kind];
}

/** The label of each kind of activity. */
export const activityKindLabels: Readonly<Record<ActivityKind, string>> = {
  search: 'Search',
  paper: 'Paper look-up',
  similar: 'Similar papers',
  verify: 'Verification',
  topup: 'Top-up',
  adjust: 'Payment adjusted',
};

/** Returns the label of a line. */
export function activityLabel({ kind, credits }: { kind: ActivityKind; credits: number }): string {
  return kind === 'adjust' ? adjustLabel(credits) : activityKindLabels[kind];
}

function adjustLabel(credits: number): string {
  return credits < 0 ? 'Payment reversed' : 'Payment restored';
}

/** The label of each outcome. A payment has none. */
export const outcomeLabels: Readonly<Record<Exclude<ActivityOutcome, 'payment'>, string>> = {
  charged: 'Charged',
  free: 'Free',
  refunded: 'Refunded',
  open: 'Still open',
};
