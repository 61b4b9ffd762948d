/** Billing on SQLite: look-ups by an index on the main thread, changes in the ledger's thread. */

import type { Connection } from '../../database/sqlite/connection.ts';
import type { WriteAccounts } from '../ledger-thread/ledger-writer.ts';
import type { BillingStore, BillingView } from '../ports/billing-store.ts';
import { findBuyer } from '../sql/buyers.ts';
import { readBalance } from '../sql/customers.ts';
import { findOwnPayment, type PaymentPageRequest, readPaymentPage } from '../sql/payments.ts';

export function createBilling(db: Connection, write: WriteAccounts): BillingStore {
  const readBilling = db.transaction(
    (request: PaymentPageRequest): BillingView => ({
      balance: readBalance(db, request.customerId),
      ...readPaymentPage(db, request),
    }),
  );
  return {
    readBilling: async (request) => readBilling(request),
    findOwnPayment: async (input) => findOwnPayment(db, input),
    findBuyer: async (input) => findBuyer(db, input),
    saveBuyer: (input) => write('saveBuyer', input),
  };
}
