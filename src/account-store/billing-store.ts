/** What customers see and change of their billing: payments, and what stands on receipts. */
import type { OwnPayment, PaymentPage, PaymentPageRequest } from '../store/accounts/payments.ts';

/** Balance, payments, and receipts that agree with each other. */
export interface BillingView {
  balance: number;
  /** What the customer wants on receipts; null for nothing. */
  details: string | null;
  page: PaymentPage;
}

/** A payment, and what its customer wants on the receipt. */
export interface ReceiptView {
  payment: OwnPayment;
  details: string | null;
}

/** Every method reads one moment, and nothing of another customer. */
export interface BillingStore {
  readBilling(request: PaymentPageRequest): Promise<BillingView>;
  /** Finds a payment by its order. Resolves to undefined if the customer has no such payment. */
  readReceipt(given: { customerId: number; orderId: string }): Promise<ReceiptView | undefined>;
  /** Sets or clears (null) what the customer wants on receipts. May be repeated. */
  setBillingDetails(given: { customerId: number; details: string | null }): Promise<void>;
}
