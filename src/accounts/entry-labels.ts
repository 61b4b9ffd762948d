/** What customers read for ledger entries. Pure. */
import type { EntryKind } from './sql/credit-entries.ts';

/** The label of each kind of entry. */
const entryLabels: Readonly<Record<Exclude<EntryKind, 'adjust'>, string>> = {
  topup: 'Top-up',
  hold: 'Held',
  settle: 'Charged',
  release: 'Released',
  refund: 'Refund',
};

/** Returns the label of a ledger entry. */
export function entryLabel({ kind, credits }: { kind: EntryKind; credits: number }): string {
  if (kind !== 'adjust') return entryLabels[kind];
  return credits < 0 ? 'Payment reversed' : 'Payment restored';
}
