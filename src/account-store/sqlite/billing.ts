/** Billing on SQLite: look-ups by an index on the main thread, changes in the ledger's thread. */
import { findBuyer } from '../../store/accounts/buyers.ts';
import { readBalance } from '../../store/accounts/customers.ts';
import {
  findOwnPayment,
  type PaymentPageRequest,
  readPaymentPage,
} from '../../store/accounts/payments.ts';
import type { Connection } from '../../store/database/connection.ts';
import type { WriteAccounts } from '../../workers/ledger-writer.ts';
import type { BillingStore, BillingView } from '../billing-store.ts';

export function createBilling(db: Connection, write: WriteAccounts): BillingStore {
  const readBilling = db.transaction(
    (request: PaymentPageRequest): BillingView => ({
      balance: readBalance(db, request.customerId),
      ...readPaymentPage(db, request),
    }),
  );
  return {
    readBilling: async (request) => readBilling(request),
    findOwnPayment: async (given) => findOwnPayment(db, given),
    findBuyer: async (given) => findBuyer(db, given),
    saveBuyer: (given) => write('saveBuyer', given),
  };
}
