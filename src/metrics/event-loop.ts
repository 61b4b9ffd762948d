/** How long the main thread keeps others waiting. */
import { performance } from 'node:perf_hooks';
import type { Registry } from 'prom-client';
import { createDurations } from './durations.ts';
import { counterAtScrape } from './read-at-scrape.ts';

/** Ten measurements a second take less than a thousandth of a core. */
const SAMPLE_INTERVAL_MS = 100;

/**
 * Measures how late a timer is. Node's own histogram of the delay would have to be reset to show
 * the present, and then two readers would disturb each other. Returns the function that stops it.
 */
export function measureEventLoop(registry: Registry): () => void {
  const delays = createDurations(registry, {
    name: 'verbatim_event_loop_delay_seconds',
    help: 'How late a timer of the main thread was, measured ten times a second.',
  });
  counterAtScrape(registry, {
    name: 'verbatim_event_loop_busy_seconds_total',
    help: 'Time in which the main thread worked instead of waiting for something to do.',
    read: () => performance.eventLoopUtilization().active / 1000,
  });
  let due = performance.now() + SAMPLE_INTERVAL_MS;
  const timer = setInterval(() => {
    const now = performance.now();
    delays.observe(Math.max(0, now - due) / 1000);
    due = now + SAMPLE_INTERVAL_MS;
  }, SAMPLE_INTERVAL_MS);
  // Let an idle process exit.
  timer.unref();
  return () => clearInterval(timer);
}
