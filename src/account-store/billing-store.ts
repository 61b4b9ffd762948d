/** What customers see of their billing. */
import type { OwnPayment, PaymentPage, PaymentPageRequest } from '../store/accounts/payments.ts';

/** Balance and payments that agree with each other. */
export interface BillingView extends PaymentPage {
  balance: number;
}

/** Every method reads one moment, and nothing of another customer. */
export interface BillingStore {
  /** Reads the balance and a page of payments, newest first. New payments shift nothing. */
  readBilling(request: PaymentPageRequest): Promise<BillingView>;
  /** Finds a payment by its order. Resolves to undefined if the customer has no such payment. */
  findOwnPayment(given: { customerId: number; orderId: string }): Promise<OwnPayment | undefined>;
}
