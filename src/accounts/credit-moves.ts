/** How credit moves, in the words of a bookkeeper. Pure. */
import type { LedgerEntry } from './sql/credit-entries.ts';
import type { CreditMove } from './sql/statement-sums.ts';

interface MoveWords {
  /** One of them, as an entry. */
  one: string;
  /** The sum of them. */
  sum: string;
}

/** In the order of a statement. */
export const moveWords: Readonly<Record<CreditMove, MoveWords>> = {
  purchase: { one: 'Purchase', sum: 'Purchases' },
  gift: { one: 'Gift', sum: 'Gifts' },
  call: { one: 'Call', sum: 'Calls' },
  refund: { one: 'Call refund', sum: 'Call refunds' },
  reversal: { one: 'Reversal', sum: 'Reversals' },
  dispute: { one: 'Dispute', sum: 'Disputes' },
  restored: { one: 'Restored', sum: 'Restored' },
  forfeited: { one: 'Given up', sum: 'Given up' },
};

export const creditMoves = Object.keys(moveWords) as CreditMove[];

type Entry = Pick<LedgerEntry, 'kind' | 'credits' | 'reference'>;

/** Returns how an entry moves credit, by the rule of the trigger `ledger_days_counted`. */
function moveOf({ kind, credits, reference }: Entry): CreditMove {
  if (kind === 'topup') return reference === null ? 'gift' : 'purchase';
  if (kind === 'refund') return 'refund';
  if (kind !== 'adjust') return 'call';
  // Taken back because it was given by mistake.
  if (reference?.startsWith('gift:')) return 'gift';
  if (reference?.startsWith('deleted:')) return 'forfeited';
  if (credits > 0) return 'restored';
  return reference?.endsWith(':dispute') ? 'dispute' : 'reversal';
}

const stepsOfCalls: Readonly<Partial<Record<LedgerEntry['kind'], string>>> = {
  hold: 'Call held',
  settle: 'Call charged',
  release: 'Call released',
};

/** Returns what a customer reads of an entry. */
export function entryLabel(entry: Entry): string {
  if (entry.kind === 'adjust' && moveOf(entry) === 'gift') return 'Gift taken back';
  return stepsOfCalls[entry.kind] ?? moveWords[moveOf(entry)].one;
}
