/** What the thread does that writes the ledger: each list of operations in one transaction. */
import { type AccountWrite, applyAccountWrite } from '../store/account-writes.ts';
import { createLedger, type HoldRequest, type Ledger } from '../store/ledger.ts';
import { type OpenOptions, openStore, type Store } from '../store/open.ts';
import { type PaymentEvent, recordPaymentEvent } from '../store/payment-events.ts';
import { type OpenedCheckout, type Order, openCheckout, placeOrder } from '../store/payments.ts';
import { failureOf, type Outcome } from './outcome.ts';

export type LedgerOperation =
  | ({ kind: 'hold' } & HoldRequest)
  | { kind: 'settle' | 'release'; requestId: string; now: number }
  | ({ kind: 'account' } & AccountWrite)
  | { kind: 'order'; order: Order }
  | { kind: 'checkout'; checkout: OpenedCheckout }
  | { kind: 'payment_event'; event: PaymentEvent; now: number };

/**
 * Of a step of the ledger the balance after it, undefined where it did not apply; of a change to
 * an account or a payment what its function returns.
 */
export type LedgerResult = Outcome<unknown>;

export function createLedgerHandler(
  options: OpenOptions,
): (operations: LedgerOperation[]) => LedgerResult[] {
  const db = openStore(options);
  const ledger = createLedger(db);
  // Within the outer transaction this is a savepoint: one failure undoes one operation.
  const applyOne = db.transaction((operation: LedgerOperation) => apply(db, ledger, operation));
  const applyAll = db.transaction((operations: LedgerOperation[]): LedgerResult[] =>
    operations.map((operation) => {
      try {
        return { value: applyOne(operation) };
      } catch (error) {
        return { failure: failureOf(error) };
      }
    }),
  );
  return (operations) => applyAll.immediate(operations);
}

function apply(db: Store, ledger: Ledger, operation: LedgerOperation): unknown {
  switch (operation.kind) {
    case 'hold':
      return ledger.hold(operation);
    case 'settle':
      return ledger.settle(operation.requestId, operation.now);
    case 'release':
      return ledger.release(operation.requestId, operation.now);
    case 'account':
      return applyAccountWrite(db, operation);
    case 'order':
      return placeOrder(db, operation.order);
    case 'checkout':
      return openCheckout(db, operation.checkout);
    case 'payment_event':
      return recordPaymentEvent(db, operation);
  }
}
