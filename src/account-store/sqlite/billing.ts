/** Billing on SQLite: changes in the ledger's thread, look-ups by an index on this one. */
import { readBalance, readBillingDetails } from '../../store/accounts/customers.ts';
import { findOwnPayment, readPaymentPage } from '../../store/accounts/payments.ts';
import type { Connection } from '../../store/database/connection.ts';
import type { WriteAccounts } from '../../workers/ledger-writer.ts';
import type { BillingStore, BillingView, ReceiptView } from '../billing-store.ts';

type BillingRequest = Parameters<BillingStore['readBilling']>[0];
type ReceiptRequest = Parameters<BillingStore['readReceipt']>[0];

export function createBilling(db: Connection, write: WriteAccounts): BillingStore {
  const readBilling = db.transaction(
    (request: BillingRequest): BillingView => ({
      balance: readBalance(db, request.customerId),
      details: readBillingDetails(db, request.customerId),
      page: readPaymentPage(db, request),
    }),
  );
  const readReceipt = db.transaction((request: ReceiptRequest): ReceiptView | undefined => {
    const payment = findOwnPayment(db, request);
    return payment && { payment, details: readBillingDetails(db, request.customerId) };
  });
  return {
    readBilling: async (request) => readBilling(request),
    readReceipt: async (request) => readReceipt(request),
    setBillingDetails: (given) => write('setBillingDetails', given),
  };
}
