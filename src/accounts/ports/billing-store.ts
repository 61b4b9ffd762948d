/** What customers see of their billing. */
import type { Buyer } from '../sql/buyers.ts';
import type { OwnPayment, PaymentPage, PaymentPageRequest } from '../sql/payments.ts';

/** Balance and payments that agree with each other. */
export interface BillingView extends PaymentPage {
  balance: number;
}

/** Every reader reads one moment, and nothing of another customer. */
export interface BillingStore {
  /** Reads the balance and a page of payments, newest first. New payments shift nothing. */
  readBilling(request: PaymentPageRequest): Promise<BillingView>;
  /** Finds a payment by its order. Resolves to undefined if the customer has no such payment. */
  findOwnPayment(input: { customerId: number; orderId: string }): Promise<OwnPayment | undefined>;
  /** Finds what a customer wants on receipts; empty texts if they have said nothing. */
  findBuyer(input: { customerId: number }): Promise<Buyer>;
  /** Stores what a customer wants on receipts. May be repeated. */
  saveBuyer(input: Buyer & { customerId: number }): Promise<void>;
}
