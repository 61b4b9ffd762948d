/**
 * POST /webhooks/stripe: what Stripe tells of payments. No key: the signature over the raw body is
 * what lets it in. Whatever is not answered with 200, Stripe sends again for three days.
 */
import { VerbatimError } from '../errors.ts';
import type { PaymentEvent } from '../store/accounts/payment-events.ts';
import { assertNotCompressed } from './content-encoding.ts';
import type { ServiceParts } from './deps.ts';
import type { HttpAnswer, HttpRequest } from './messages.ts';
import { jsonAnswer } from './responses.ts';

export async function webhookEndpoint(
  parts: ServiceParts,
  request: HttpRequest,
): Promise<HttpAnswer> {
  if (parts.topUp.offer === undefined) throw new VerbatimError('not_found');
  const signature = request.header('stripe-signature');
  if (signature === '') throw new VerbatimError('invalid_signature');
  assertNotCompressed(request.header('content-encoding'));
  const leave = parts.webhookPlaces.enter();
  if (leave === undefined) {
    const retryAfterSeconds = parts.webhookPlaces.waitSeconds();
    throw new VerbatimError('at_capacity', undefined, { retryAfterSeconds });
  }
  try {
    const { webhookBytesMax: bodyBytesMax, bodyTimeoutMs } = parts.settings;
    const body = await request.readBody({ bodyBytesMax, bodyTimeoutMs });
    const event = parts.topUp.readEvent(body, signature);
    if (event !== undefined) await record(parts, event);
    return jsonAnswer(200, { received: true });
  } finally {
    leave();
  }
}

/** Rejects where it could not be written, which becomes a 500: Stripe will send it again. */
async function record(parts: ServiceParts, event: PaymentEvent): Promise<void> {
  const { outcome, paymentId, credits, problem } = await parts.ledger.recordPaymentEvent(event);
  const fields = { event_id: event.id, kind: event.kind, outcome, payment: paymentId, credits };
  if (problem === undefined) parts.log.info('payment_event', fields);
  else parts.log.error('payment_problem', { ...fields, problem });
}
