/** What a payment is to its customer. Pure. */
import { amountRefunded } from '../sql/payment-decisions.ts';
import type { OwnPayment, Payment } from '../sql/payments.ts';

export type PaymentStatus =
  | 'waiting'
  | 'on_its_way'
  | 'paid'
  | 'failed'
  | 'expired'
  | 'canceled'
  | 'refunded_in_part'
  | 'refunded'
  | 'disputed'
  | 'needs_a_look';

/** What customers read of each. */
export const statusLabels: Readonly<Record<PaymentStatus, string>> = {
  waiting: 'Waiting for payment',
  on_its_way: 'Payment pending',
  paid: 'Paid',
  failed: 'Failed',
  expired: 'Expired',
  canceled: 'Canceled',
  refunded_in_part: 'Partly refunded',
  refunded: 'Refunded',
  disputed: 'Disputed',
  needs_a_look: 'Under review',
};

/**
 * How long an order without a session can be continued. Stripe forgets idempotency keys after a day:
 * after that, the same request could make a second session.
 */
export const REPEATABLE_MS = 23 * 3_600_000;

/** Returns the status that the customer reads. */
export function paymentStatus(payment: OwnPayment, now: number): PaymentStatus {
  if (payment.problem !== null) return 'needs_a_look';
  switch (payment.state) {
    case 'ordered':
      if (payment.paymentMethod !== null) return 'on_its_way';
      return isOpen(payment, now) ? 'waiting' : 'expired';
    case 'unpaid':
      return 'on_its_way';
    case 'mismatch':
      return 'needs_a_look';
    case 'paid':
      return paidStatus(payment);
    case 'expired':
      return payment.canceledAt === null ? 'expired' : 'canceled';
    default:
      return payment.state;
  }
}

function paidStatus(payment: OwnPayment): PaymentStatus {
  if (payment.disputed > 0) return 'disputed';
  const refunded = amountRefunded(payment);
  if (refunded === 0) return 'paid';
  return refunded < payment.amount ? 'refunded_in_part' : 'refunded';
}

/** Returns whether the customer can still pay an order. The server pays those of automatic top-ups. */
export function isOpen(
  {
    state,
    createdAt,
    expiresAt,
    paymentMethod,
  }: Pick<Payment, 'state' | 'createdAt' | 'expiresAt' | 'paymentMethod'>,
  now: number,
): boolean {
  return (
    paymentMethod === null && state === 'ordered' && now < (expiresAt ?? createdAt + REPEATABLE_MS)
  );
}
