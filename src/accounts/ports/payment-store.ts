/** Payments: orders, their checkouts, and what Stripe reports. All of it may be repeated. */
import type { EventResult, PaymentEvent } from '../sql/payment-decisions.ts';
import type { OpenedCheckout, Order, PlacedOrder } from '../sql/payments.ts';

export interface PaymentStore {
  /**
   * Stores a new order, or finds the stored one if the order is repeated. Resolves to a rejection if its
   * id was used for something else, or if the customer has started too many purchases.
   */
  placeOrder(order: Order): Promise<PlacedOrder>;
  /** Stores where an order is paid. A later checkout of the same order changes nothing. */
  openCheckout(checkout: OpenedCheckout): Promise<void>;
  /**
   * Applies an event: the event, the facts, the ledger's entry, and the balance together. A repeated
   * event changes nothing, and the order of events does not matter.
   */
  recordPaymentEvent(event: PaymentEvent): Promise<EventResult>;
}
