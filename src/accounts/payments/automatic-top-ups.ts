/**
 * Automatic top-ups: saving a card, and the orders that the server places below a threshold. An order
 * is written before Stripe is asked, with its id as the idempotency key, so a crash or a second server
 * repeats the question and not the charge. Only Stripe's events add credit.
 */

import { VerbatimError } from '../../errors.ts';
import type { Log } from '../../log.ts';
import { isUuid } from '../../text/uuid.ts';
import { every } from '../../workers/every.ts';
import type { AccountStore } from '../ports/account-store.ts';
import type { DueTopUp, OrderToAsk } from '../sql/automatic-top-up-rows.ts';
import { monthStart } from '../sql/calendar-month.ts';
import type { AutomaticTopUp, TopUpTerms } from '../sql/top-up-agreements.ts';
import type { Payer } from './checkout.ts';
import { UnusableAnswer } from './checkout-answer.ts';
import { findPack, type Offer } from './packs.ts';
import { REPEATABLE_MS } from './payment-status.ts';
import type { StripeCards } from './stripe-cards.ts';
import type { CompletedSetUp } from './stripe-events.ts';

export interface TopUpAgreement extends Payer {
  threshold: number;
  /** Identifies the pack. */
  credits: number;
  amountPerMonthMax: number;
  /** A UUID created with the form. */
  setUp: string;
  /** Whether the card that is saved stays. */
  keepsCard: boolean;
}

export interface AutomaticTopUps {
  /** Resolves to undefined if it is off. */
  find(customerId: number): Promise<AutomaticTopUp | undefined>;
  /**
   * Stores what a customer agrees to. Resolves to the address where they save a card; to undefined if
   * one is saved. Throws `bad_request`, and `checkout_failed` if Stripe does not respond.
   */
  agree(agreement: TopUpAgreement): Promise<{ url: string } | undefined>;
  turnOff(customerId: number): Promise<void>;
  /**
   * Stores the card of a set-up that Stripe has reported. Rejects with `checkout_failed` if Stripe does
   * not say which card it is: it then sends the event again.
   */
  saveCard(setUp: CompletedSetUp): Promise<void>;
  /** Starts placing orders. Returns the function that stops it and waits for what is under way. */
  start(): () => Promise<void>;
}

export interface AutomaticTopUpOptions {
  offer: Offer;
  cards: StripeCards;
  store: AccountStore;
  describeError: (error: unknown) => string;
  newId: () => string;
  log: Log;
  now: () => number;
  topUpCheckMs: number;
  topUpsPerCheckMax: number;
  topUpRetryMs: number;
}

export function createAutomaticTopUps(options: AutomaticTopUpOptions): AutomaticTopUps {
  const { store, now } = options;
  return {
    find: (customerId) => store.findAutomaticTopUp({ customerId, monthStart: monthStart(now()) }),
    agree: (agreement) => agree(options, agreement),
    turnOff: (customerId) => store.turnOffTopUp({ customerId }),
    saveCard: (setUp) => saveCard(options, setUp),
    start: () => start(options),
  };
}

async function saveCard(
  { cards, store, log, describeError }: AutomaticTopUpOptions,
  { setUp, setupIntent }: CompletedSetUp,
): Promise<void> {
  const card = await cards.readCard(setupIntent).catch((error: unknown) => {
    log.error('card_not_saved', { set_up: setUp, reason: describeError(error) });
    throw new VerbatimError('checkout_failed');
  });
  log.info('card_saved', { set_up: setUp, used: await store.saveTopUpCard({ setUp, ...card }) });
}

async function agree(
  options: AutomaticTopUpOptions,
  agreement: TopUpAgreement,
): Promise<{ url: string } | undefined> {
  const { cards, store, now, offer } = options;
  const { customerId, setUp, keepsCard } = agreement;
  const terms = termsOf(offer, agreement);
  if (keepsCard) {
    if (await store.changeTopUp({ ...terms, customerId, now: now() })) return undefined;
    throw new VerbatimError('bad_request', 'no card is saved; save one first');
  }
  if (!isUuid(setUp)) throw new VerbatimError('bad_request', 'the form has no valid id');
  await store.startTopUp({ ...terms, customerId, setUp, now: now() });
  try {
    return await cards.createSetUp({ ...agreement, currency: terms.currency });
  } catch (error) {
    options.log.error('checkout_failed', { set_up: setUp, reason: options.describeError(error) });
    const isAnswered = error instanceof UnusableAnswer;
    throw new VerbatimError(isAnswered ? 'checkout_unusable' : 'checkout_failed');
  }
}

/** Throws `bad_request` unless the terms fit the offer and each other. */
function termsOf(offer: Offer, agreement: TopUpAgreement): TopUpTerms {
  const { threshold, amountPerMonthMax } = agreement;
  const pack = findPack(offer, agreement.credits);
  if (pack === undefined) throw new VerbatimError('bad_request', 'this pack does not exist');
  if (amountPerMonthMax < pack.amount) {
    throw new VerbatimError(
      'bad_request',
      'the monthly limit must be at least the price of the pack',
    );
  }
  return { threshold, ...pack, currency: offer.currency, amountPerMonthMax };
}

function start(options: AutomaticTopUpOptions): () => Promise<void> {
  let isStopped = false;
  let working: Promise<void> = Promise.resolve();
  const stop = every(options.topUpCheckMs, () => {
    working = work(options, () => isStopped).catch((error: unknown) => {
      // The log already has the cause. All of it waits in the store.
      if (error instanceof VerbatimError && error.code === 'degraded') return;
      options.log.error('top_ups_failed', { reason: options.describeError(error) });
    });
    return working;
  });
  return async () => {
    isStopped = true;
    stop();
    await working;
  };
}

/** Removes cards, places orders, and asks Stripe for them, in this order. */
async function work(options: AutomaticTopUpOptions, isStopped: () => boolean): Promise<void> {
  const { store, now, topUpsPerCheckMax: limit, topUpRetryMs } = options;
  const claim = () => ({ now: now(), retryAt: now() + topUpRetryMs, limit });
  for (const card of await store.claimCardRemovals(claim())) {
    if (isStopped()) return;
    await removeCard(options, card);
  }
  for (const due of await store.listDueTopUps({ now: now(), limit })) {
    if (isStopped()) return;
    await placeOrder(options, due);
  }
  for (const order of await store.claimTopUpOrders(claim())) {
    if (isStopped()) return;
    await askStripe(options, order);
  }
}

async function removeCard(
  { cards, store, log, describeError }: AutomaticTopUpOptions,
  card: Parameters<StripeCards['removeCard']>[0],
): Promise<void> {
  try {
    await cards.removeCard(card);
  } catch (error) {
    log.error('card_not_removed', { reason: describeError(error) });
    return;
  }
  await store.endCardRemoval(card);
}

async function placeOrder(
  { offer, store, log, newId, now, topUpRetryMs }: AutomaticTopUpOptions,
  { customerId, credits, amount, currency }: DueTopUp,
): Promise<void> {
  const pack = findPack(offer, credits);
  if (pack?.amount !== amount || offer.currency !== currency) {
    // The customer has agreed to another price.
    await store.pauseTopUp({ customerId, reason: 'offer_changed' });
    return;
  }
  const time = now();
  const orderId = newId();
  const outcome = await store.placeTopUpOrder({
    customerId,
    orderId,
    monthStart: monthStart(time),
    retryAt: time + topUpRetryMs,
    expiresAt: time + REPEATABLE_MS,
    now: time,
  });
  if (outcome === 'ordered') log.info('top_up_ordered', { customer: customerId, order: orderId });
}

async function askStripe(
  { cards, store, log, now, describeError }: AutomaticTopUpOptions,
  order: OrderToAsk,
): Promise<void> {
  const { orderId, paymentId: payment } = order;
  if (now() >= order.expiresAt) {
    // Stripe forgets the idempotency key, so the same request could charge again.
    log.error('top_up_unanswered', { payment });
    await store.endTopUpOrder({ orderId, reason: 'no_answer' });
    return;
  }
  let answer: Awaited<ReturnType<StripeCards['charge']>>;
  try {
    answer = await cards.charge(order);
  } catch (error) {
    log.error('top_up_failed', { payment, reason: describeError(error) });
    return;
  }
  if ('paymentIntent' in answer) {
    await store.nameTopUpPayment({ orderId, paymentIntent: answer.paymentIntent });
    return;
  }
  log.warn('top_up_declined', { payment, reason: answer.failure });
  await store.endTopUpOrder({ orderId, reason: answer.failure });
}
