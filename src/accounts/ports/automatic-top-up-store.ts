/** Automatic top-ups: what customers have agreed to, orders that servers place, cards to be removed. */
import type {
  CardRemoval,
  DueTopUp,
  OrderToAsk,
  SavedCard,
  TopUpOrder,
  TopUpOutcome,
  WorkClaim,
} from '../sql/automatic-top-up-rows.ts';
import type { PauseReason } from '../sql/pause-reason.ts';
import type { AutomaticTopUp, TopUpTerms } from '../sql/top-up-agreements.ts';

/** Any number of nodes may do all of this at the same time. */
export interface AutomaticTopUpStore {
  /**
   * Finds what a customer has agreed to, with what orders of the month since `monthStart` come to.
   * Resolves to undefined if automatic top-up is off.
   */
  findAutomaticTopUp(input: {
    customerId: number;
    monthStart: number;
  }): Promise<AutomaticTopUp | undefined>;
  /**
   * Stores what a customer agrees to, before Stripe saves a card. May be repeated with the same set-up;
   * another one replaces it, and its card is removed.
   */
  startTopUp(input: TopUpTerms & { customerId: number; setUp: string; now: number }): Promise<void>;
  /**
   * Stores the card of a set-up and turns automatic top-up on. May be repeated. Resolves to false if the
   * customer no longer wants it: then the card is removed.
   */
  saveTopUpCard(input: SavedCard & { setUp: string }): Promise<boolean>;
  /**
   * Changes what a customer agrees to, and ends a pause. May be repeated. Resolves to false if no card is
   * saved.
   */
  changeTopUp(input: TopUpTerms & { customerId: number; now: number }): Promise<boolean>;
  /** Turns automatic top-up off, and lets the card be removed. May be repeated. */
  turnOffTopUp(input: { customerId: number }): Promise<void>;
  /** Stops orders until the customer agrees again, and queues a mail about it. May be repeated. */
  pauseTopUp(input: { customerId: number; reason: PauseReason }): Promise<void>;
  /** Lists customers whose balance may be below their threshold, the longest first. */
  listDueTopUps(input: { now: number; limit: number }): Promise<DueTopUp[]>;
  /**
   * Places an order if the balance is below the threshold, no automatic order is open, and the month
   * allows it. If the month does not, it queues a mail about it, once until an order is placed again.
   * Not repeatable: each order has an id of its own.
   */
  placeTopUpOrder(order: TopUpOrder): Promise<TopUpOutcome>;
  /** Claims orders for which Stripe has to be asked. Until `retryAt` nobody else gets them. */
  claimTopUpOrders(claim: WorkClaim): Promise<OrderToAsk[]>;
  /** Stores which payment Stripe has made of an order. May be repeated. */
  nameTopUpPayment(input: { orderId: string; paymentIntent: string }): Promise<void>;
  /** Ends an order that is not paid, and pauses. Changes nothing once an event has ended it. */
  endTopUpOrder(input: { orderId: string; reason: PauseReason }): Promise<void>;
  /** Claims cards to be removed at Stripe. Until `retryAt` nobody else gets them. */
  claimCardRemovals(claim: WorkClaim): Promise<CardRemoval[]>;
  /** Stores that a card is gone. May be repeated. */
  endCardRemoval(input: Pick<CardRemoval, 'stripeCustomer'>): Promise<void>;
}
