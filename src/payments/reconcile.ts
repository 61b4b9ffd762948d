/**
 * Asks Stripe for the sessions of the last days, and takes into account what no webhook has told:
 * a server that was unreachable for longer than Stripe tries, or a webhook that was set up late.
 */
import type { EventResult, PaymentEvent } from '../store/accounts/payment-events.ts';
import type { StripeClient } from './stripe.ts';
import { toReconcilingEvents } from './stripe-events.ts';

export interface ReconcileOptions {
  stripe: Pick<StripeClient, 'listSessions'>;
  sinceMs: number;
  sessionsMax: number;
  /** Durable when it returns, or without effect where only a report is asked for. */
  record: (events: readonly PaymentEvent[]) => EventResult[];
}

export interface ReconcileReport {
  /** Sessions that Stripe listed. */
  sessions: number;
  /** What changed, or has a problem. */
  found: (EventResult & { event: string })[];
}

/** Rejects where Stripe does not answer; what was recorded until then stays. */
export async function reconcile(options: ReconcileOptions): Promise<ReconcileReport> {
  const { stripe, sinceMs, sessionsMax, record } = options;
  const report: ReconcileReport = { sessions: 0, found: [] };
  for await (const session of stripe.listSessions(sinceMs, sessionsMax)) {
    report.sessions++;
    const events = toReconcilingEvents(session);
    for (const [index, result] of record(events).entries()) {
      if (!['credited', 'adjusted', 'problem'].includes(result.outcome)) continue;
      report.found.push({ event: events[index]?.id ?? '', ...result });
    }
  }
  return report;
}
