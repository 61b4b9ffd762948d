/** Starts `source update` at the hours that the operator set, for a running server. */
import { SOURCE_PREFIX, type UpdateRunner } from '../dashboard/operator/page/update-runner.ts';
import { messageOf } from '../errors.ts';
import type { Log } from '../log.ts';
import { parseHours } from '../sources/update-hours.ts';
import { every } from '../workers/every.ts';

/** How often the clock is looked at. */
const CLOCK_MS = 60_000;
const HOUR_MS = 3_600_000;

export interface SourceUpdatesOptions {
  /** As in `sourceUpdateHours`. */
  hours: string;
  updates: Pick<UpdateRunner, 'start' | 'running'>;
  /** Counts the sources of the index. */
  countSources: () => Promise<number>;
  log: Log;
  now?: () => number;
  clockMs?: number;
}

/** Starts one update in each of the hours, unless one is running. Returns the function that stops it. */
export function startSourceUpdates({
  hours,
  updates,
  countSources,
  log,
  now = Date.now,
  clockMs = CLOCK_MS,
}: SourceUpdatesOptions): () => void {
  const chosen = parseHours(hours);
  if (chosen.length === 0) return () => {};
  /** A server that starts within the hour begins with the next one: it may have run already. */
  let lastHour = Math.floor(now() / HOUR_MS);
  return every(clockMs, async () => {
    const hour = Math.floor(now() / HOUR_MS);
    if (hour === lastHour || !chosen.includes(hour % 24) || updates.running() !== undefined) return;
    lastHour = hour;
    try {
      if ((await countSources()) === 0) return;
      await updates.start({ path: SOURCE_PREFIX, actor: 'schedule', note: async () => {} });
    } catch (error) {
      log.warn('source_update_failed', { reason: messageOf(error) });
    }
  });
}
