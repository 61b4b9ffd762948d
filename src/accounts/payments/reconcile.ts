/**
 * Asks Stripe for recent sessions and automatic payments, and records what no webhook has reported, because the server was
 * unreachable for too long or the webhook was set up late.
 */
import type { EventResult, PaymentEvent } from '../sql/payment-decisions.ts';
import type { StripeClient } from './stripe.ts';
import type { StripeCards } from './stripe-cards.ts';
import { toReconcilingAutomatic, toReconcilingEvents } from './stripe-events.ts';

export interface ReconcileOptions {
  stripe: Pick<StripeClient, 'listSessions'> & { cards: Pick<StripeCards, 'listPayments'> };
  sinceMs: number;
  sessionsMax: number;
  /** Records events durably, or in a dry run reports their effect only. */
  record: (events: readonly PaymentEvent[]) => Promise<EventResult[]>;
}

export interface ReconcileReport {
  /** The number of sessions that Stripe listed. */
  sessions: number;
  /** The events that changed something or have a problem. */
  found: (EventResult & { event: string })[];
}

/**
 * Reconciles the sessions since `sinceMs`. Rejects if Stripe does not respond; what was recorded
 * until then stays.
 */
export async function reconcile(options: ReconcileOptions): Promise<ReconcileReport> {
  const { stripe, sinceMs, sessionsMax, record } = options;
  const report: ReconcileReport = { sessions: 0, found: [] };
  const recordAll = async (events: readonly PaymentEvent[]): Promise<void> => {
    for (const [index, result] of (await record(events)).entries()) {
      if (!['credited', 'adjusted', 'problem'].includes(result.outcome)) continue;
      report.found.push({ event: events[index]?.id ?? '', ...result });
    }
  };
  for await (const session of stripe.listSessions(sinceMs, sessionsMax)) {
    report.sessions++;
    await recordAll(toReconcilingEvents(session));
  }
  for await (const payment of stripe.cards.listPayments(sinceMs, sessionsMax)) {
    const events = toReconcilingAutomatic(payment);
    if (events.length > 0) await recordAll(events);
  }
  return report;
}
