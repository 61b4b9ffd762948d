/** The lanes that the settings switch on, with their cache and records in the database. */

import type { Settings } from '../config.ts';
import type { Log } from '../log.ts';
import type { OpenOptions } from '../store/database/open.ts';
import { openLaneStore } from '../store/lanes/lane-store.ts';
import { splitSentences } from '../text/split-sentences.ts';
import type { Lanes } from './lane/lane.ts';
import { chosenLanes } from './lane-settings.ts';

/**
 * Undefined where none is on, and then nothing of them is loaded. Throws `usage` where a setting
 * is wrong, or one that a lane needs is missing. The database must be there.
 */
export async function openLanes(
  settings: Settings,
  store: OpenOptions,
  log: Log,
): Promise<Lanes | undefined> {
  if (chosenLanes(settings).length === 0) return undefined;
  // With the HTTP client, a fifth of the program.
  const { createLanes } = await import('./create-lanes.ts');
  const { cache, records, close } = openLaneStore(store, settings);
  try {
    const lanes = createLanes({ settings, split: splitSentences, cache, records, log });
    return {
      ...lanes,
      async close() {
        await lanes.close();
        close();
      },
    };
  } catch (error) {
    close();
    throw error;
  }
}
