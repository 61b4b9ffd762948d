/** The lanes that the settings switch on, with their cache in the database. */
import type { Settings } from '../config.ts';
import type { Lanes } from '../lanes/lane.ts';
import { chosenProviders } from '../lanes/lane-settings.ts';
import type { Log } from '../log.ts';
import { openLaneCache } from '../store/lane-cache.ts';
import { splitSentences } from '../text/split-sentences.ts';
import { storeOptions } from './options.ts';

/**
 * Undefined where none is on, and then nothing of them is loaded. Throws `usage` where a setting
 * is wrong, or one that a lane needs is missing. The database must be there.
 */
export async function openLanes(settings: Settings, log: Log): Promise<Lanes | undefined> {
  if (chosenProviders(settings).length === 0) return undefined;
  // With the HTTP client, a fifth of the program.
  const { createLanes } = await import('../lanes/create-lanes.ts');
  const cache = openLaneCache(storeOptions(settings), settings);
  try {
    const lanes = createLanes({ settings, split: splitSentences, cache, log });
    return {
      ...{ ask: lanes.ask, states: lanes.states },
      async close() {
        await lanes.close();
        cache.close();
      },
    };
  } catch (error) {
    cache.close();
    throw error;
  }
}
