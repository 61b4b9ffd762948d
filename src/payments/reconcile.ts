/**
 * Asks Stripe for recent sessions and records what no webhook has reported, because the server was
 * unreachable for too long or the webhook was set up late.
 */
import type { EventResult, PaymentEvent } from '../store/accounts/payment-decisions.ts';
import type { StripeClient } from './stripe.ts';
import { toReconcilingEvents } from './stripe-events.ts';

export interface ReconcileOptions {
  stripe: Pick<StripeClient, 'listSessions'>;
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
  for await (const session of stripe.listSessions(sinceMs, sessionsMax)) {
    report.sessions++;
    const events = toReconcilingEvents(session);
    for (const [index, result] of (await record(events)).entries()) {
      if (!['credited', 'adjusted', 'problem'].includes(result.outcome)) continue;
      report.found.push({ event: events[index]?.id ?? '', ...result });
    }
  }
  return report;
}
