/** Holds, credits, stored answers, and whether the ledger can be written. */
import type { Registry } from 'prom-client';
import type { StoredTotals } from '../store/accounts/stored-answers.ts';
import type { LedgerWriter } from '../workers/ledger-writer.ts';
import { counterAtScrape, gaugeAtScrape } from './read-at-scrape.ts';

export interface LedgerSources {
  ledger: Pick<LedgerWriter, 'counts' | 'fault'>;
  /** The answers that are stored for repeats. */
  storedAnswers: () => StoredTotals;
}

export function registerLedgerMetrics(
  registry: Registry,
  { ledger, storedAnswers }: LedgerSources,
): void {
  gaugeAtScrape(registry, {
    name: 'verbatim_holds_open',
    help: 'Holds that are neither settled nor released.',
    read: () => ledger.counts().openHolds,
  });
  counterAtScrape(registry, {
    name: 'verbatim_holds_total',
    help: 'Searches whose credit was held.',
    read: () => ledger.counts().holds.held,
  });
  counterAtScrape(registry, {
    name: 'verbatim_holds_settled_total',
    help: 'Holds that were charged, because the response was sent.',
    read: () => ledger.counts().holds.settled,
  });
  counterAtScrape(registry, {
    name: 'verbatim_holds_released_total',
    help: 'Holds that were returned, because there was no result or nobody to take it.',
    read: () => ledger.counts().holds.released,
  });
  counterAtScrape(registry, {
    name: 'verbatim_credits_charged_total',
    help: 'Credits charged for searches.',
    read: () => ledger.counts().credits.settled,
  });
  counterAtScrape(registry, {
    name: 'verbatim_credits_returned_total',
    help: 'Credits of searches that were held and returned.',
    read: () => ledger.counts().credits.released,
  });
  counterAtScrape(registry, {
    name: 'verbatim_credits_bought_total',
    help: 'Credits that payments added.',
    read: () => ledger.counts().credits.bought,
  });
  gaugeAtScrape(registry, {
    name: 'verbatim_ledger_degraded',
    help: '1 while the ledger cannot be written, else 0.',
    read: () => (ledger.fault() === undefined ? 0 : 1),
  });
  gaugeAtScrape(registry, {
    name: 'verbatim_answers_stored',
    help: 'Answers that are stored for repeats with the same Idempotency-Key.',
    read: () => storedAnswers().answers,
  });
  gaugeAtScrape(registry, {
    name: 'verbatim_answers_stored_bytes',
    help: 'Size of the stored answers.',
    read: () => storedAnswers().bytes,
  });
}
