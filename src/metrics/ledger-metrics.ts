/** Holds, credits, stored answers, and whether the ledger can be written. */
import type { Registry } from 'prom-client';
import type { NodeStore } from '../accounts/ports/node-store.ts';
import { counterAtScrape, gaugeAtScrape } from './read-at-scrape.ts';

export interface LedgerSources {
  store: Pick<NodeStore, 'counts' | 'fault' | 'readAnswerTotals'>;
}

export function registerLedgerMetrics(registry: Registry, { store }: LedgerSources): void {
  gaugeAtScrape(registry, {
    name: 'verbatim_holds_open',
    help: 'Holds that are neither settled nor released.',
    read: () => store.counts().openHolds,
  });
  counterAtScrape(registry, {
    name: 'verbatim_holds_total',
    help: 'Searches whose credit was held.',
    read: () => store.counts().holds.held,
  });
  counterAtScrape(registry, {
    name: 'verbatim_holds_settled_total',
    help: 'Holds that were charged, because the response was sent.',
    read: () => store.counts().holds.settled,
  });
  counterAtScrape(registry, {
    name: 'verbatim_holds_released_total',
    help: 'Holds that were returned, because there was no result or nobody to take it.',
    read: () => store.counts().holds.released,
  });
  counterAtScrape(registry, {
    name: 'verbatim_credits_charged_total',
    help: 'Credits charged for searches.',
    read: () => store.counts().credits.settled,
  });
  counterAtScrape(registry, {
    name: 'verbatim_credits_returned_total',
    help: 'Credits of searches that were held and returned.',
    read: () => store.counts().credits.released,
  });
  counterAtScrape(registry, {
    name: 'verbatim_credits_bought_total',
    help: 'Credits that payments added.',
    read: () => store.counts().credits.bought,
  });
  gaugeAtScrape(registry, {
    name: 'verbatim_ledger_degraded',
    help: '1 while the ledger cannot be written, else 0.',
    read: () => (store.fault() === undefined ? 0 : 1),
  });
  gaugeAtScrape(registry, {
    name: 'verbatim_answers_stored',
    help: 'Answers that are stored for repeats with the same Idempotency-Key.',
    read: async () => (await store.readAnswerTotals()).answers,
  });
  gaugeAtScrape(registry, {
    name: 'verbatim_answers_stored_bytes',
    help: 'Size of the stored answers.',
    read: async () => (await store.readAnswerTotals()).bytes,
  });
}
