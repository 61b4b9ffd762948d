/** What Stripe sends, in our words; and what is signed and yet no event. */
import { describe, expect, it } from 'vitest';
import { toPaymentEvent } from '../../../src/accounts/payments/stripe-events.ts';
import { chargeObject, disputeObject, sessionObject, stripeEvent } from './stripe-stub.ts';

const order = {
  orderId: 'order',
  session: 'cs_1',
  paymentIntent: 'pi_1',
  amount: 500,
  currency: 'usd',
};
const session = sessionObject(order);
const charge = chargeObject(order, 100);
const dispute = disputeObject(order, 'needs_response');

describe('an event that does not affect credit', () => {
  const rows: [what: string, type: string, object: Record<string, unknown>][] = [
    ['another type', 'customer.created', { id: 'cus_1' }],
    ['a type named as a field of Object', 'constructor', session],
    ['a subscription', 'checkout.session.completed', { ...session, mode: 'subscription' }],
    ['a charge of no payment intent', 'charge.refunded', { ...charge, payment_intent: null }],
    ['its dispute', 'charge.dispute.created', { ...dispute, payment_intent: null }],
  ];
  it.each(rows)('is ignored: %s', (_what, type, object) => {
    expect(toPaymentEvent(stripeEvent(type, object))).toBeUndefined();
  });
});

describe('an event', () => {
  it('of a session is parsed', () => {
    const event = stripeEvent('checkout.session.completed', session, { id: 'evt_x', created: 7 });
    expect(toPaymentEvent(event)).toEqual({
      id: 'evt_x',
      createdAt: 7_000,
      kind: 'session',
      session: 'cs_1',
      orderId: 'order',
      paymentIntent: 'pi_1',
      state: 'paid',
      amount: 500,
      currency: 'usd',
    });
  });

  it('may contain expanded objects', () => {
    const whole = { ...charge, payment_intent: { id: 'pi_1', object: 'payment_intent' } };
    expect(toPaymentEvent(stripeEvent('charge.refunded', whole))).toMatchObject({
      kind: 'refund_sum',
      paymentIntent: 'pi_1',
      amount: 100,
      currency: 'usd',
      orderId: 'order',
    });
  });

  it.each([
    ['paid', 'paid'],
    ['no_payment_required', 'paid'],
    ['unpaid', 'unpaid'],
    ['a new word', 'unpaid'],
    [undefined, 'unpaid'],
  ])('of a session with the payment status %s is %s', (payment_status, state) => {
    const event = stripeEvent('checkout.session.completed', { ...session, payment_status });
    expect(toPaymentEvent(event)).toMatchObject({ state });
  });

  it.each([
    ['charge.dispute.created', 'needs_response', true],
    ['charge.dispute.created', 'warning_needs_response', false],
    ['charge.dispute.updated', 'under_review', true],
    ['charge.dispute.updated', 'warning_under_review', false],
    ['charge.dispute.closed', 'lost', true],
    ['charge.dispute.closed', 'won', false],
    ['charge.dispute.closed', 'warning_closed', false],
    ['charge.dispute.closed', 'prevented', false],
    ['charge.dispute.funds_withdrawn', 'warning_needs_response', true],
    ['charge.dispute.funds_reinstated', 'lost', false],
  ])('%s with the status %s takes back: %s', (type, status, takesBack) => {
    const event = stripeEvent(type, disputeObject(order, status));
    expect(toPaymentEvent(event)).toMatchObject({
      kind: 'dispute',
      dispute: dispute['id'],
      takesBack,
    });
  });
});

describe('an invalid event', () => {
  const completed = stripeEvent('checkout.session.completed', session);
  const refunded = stripeEvent('charge.refunded', charge);
  const rows: [what: string, value: unknown, message: string][] = [
    ['null', null, 'event: expected an object'],
    ['a number', 7, 'event: expected an object'],
    ['an array', [completed], 'event: expected an object'],
    ['nothing in it', {}, 'type: expected a string'],
    ['a type that is a list', { ...completed, type: ['x'] }, 'type: expected a string'],
    ['no id', { ...completed, id: undefined }, 'id: expected a string'],
    ['no time', { ...completed, created: undefined }, 'created: expected a whole number'],
    ['no data', { ...completed, data: undefined }, 'data: expected an object'],
    ['no object', { ...completed, data: {} }, 'data.object: expected an object'],
    [
      'a session without id',
      { ...completed, data: { object: { ...session, id: 7 } } },
      'id: expected a string',
    ],
    [
      'half a cent',
      { ...refunded, data: { object: { ...charge, amount_refunded: 0.5 } } },
      'amount_refunded: expected a whole number',
    ],
    [
      'less than nothing',
      { ...refunded, data: { object: { ...charge, amount_refunded: -1 } } },
      'amount_refunded: expected a whole number',
    ],
    [
      'a refund without currency',
      { ...refunded, data: { object: { ...charge, currency: null } } },
      'currency: expected a string',
    ],
  ];
  it.each(rows)('is rejected: %s', (_what, value, message) => {
    expect(() => toPaymentEvent(value)).toThrow(
      expect.objectContaining({ code: 'bad_request', message }),
    );
  });
});
