/**
 * POST /webhooks/stripe receives Stripe's payment events. There is no key: the signature over the
 * raw body authenticates the sender. Stripe resends events for three days until it gets a 200.
 */

import type { PaymentEvent } from '../accounts/sql/payment-decisions.ts';
import { VerbatimError } from '../errors.ts';
import { assertNotCompressed } from './content-encoding.ts';
import type { HttpRequest, HttpResponse } from './messages.ts';
import { jsonResponse } from './responses.ts';
import type { ServiceDeps } from './service-deps.ts';

export async function webhookEndpoint(
  deps: ServiceDeps,
  request: HttpRequest,
): Promise<HttpResponse> {
  if (deps.topUp.offer === undefined) throw new VerbatimError('not_found');
  const signature = request.header('stripe-signature');
  if (signature === '') throw new VerbatimError('invalid_signature');
  assertNotCompressed(request.header('content-encoding'));
  const release = deps.webhookLimiter.acquire();
  if (release === undefined) {
    const retryAfterSeconds = deps.webhookLimiter.waitSeconds();
    throw new VerbatimError('at_capacity', undefined, { retryAfterSeconds });
  }
  try {
    const { webhookBytesMax: bodyBytesMax, bodyTimeoutMs } = deps.settings;
    const body = await request.readBody({ bodyBytesMax, bodyTimeoutMs });
    const event = deps.topUp.readEvent(body, signature);
    if (event?.kind === 'set_up') await deps.topUp.automatic?.saveCard(event);
    else if (event !== undefined) await record(deps, event);
    return jsonResponse(200, { received: true });
  } finally {
    release();
  }
}

/** Rejects if the event could not be written. That becomes a 500, so Stripe sends it again. */
async function record(deps: ServiceDeps, event: PaymentEvent): Promise<void> {
  const recorded = await deps.store.recordPaymentEvent({ event, now: Date.now() });
  const { outcome, paymentId, credits, problem } = recorded;
  const fields = { event_id: event.id, kind: event.kind, outcome, payment: paymentId, credits };
  if (problem === undefined) deps.log.info('payment_event', fields);
  else deps.log.error('payment_problem', { ...fields, problem });
}
