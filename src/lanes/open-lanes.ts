/** The lanes that the settings turn on, with the cache and the records that they share. */

import type { DamageRegister } from '../database/damage/damage-register.ts';
import type { OpenOptions } from '../database/sqlite/connect.ts';
import type { Log } from '../log.ts';
import type { Settings } from '../settings/config.ts';
import { splitSentences } from '../text/split-sentences.ts';
import type { Lanes } from './lane/lane.ts';
import { chosenLanes } from './lane-settings.ts';
import { openLaneStoreOf } from './open-lane-store.ts';

/**
 * Undefined if no lane is on. Throws `usage` if a setting is wrong, or one that a lane needs is
 * missing. The database must exist. `register` receives damage of the tables of lanes.
 */
export async function openLanes(
  settings: Settings,
  store: OpenOptions,
  log: Log,
  register?: Pick<DamageRegister, 'report'>,
): Promise<Lanes | undefined> {
  if (chosenLanes(settings).length === 0) return undefined;
  // Loaded only now: with its HTTP client, this is a fifth of the program.
  const { createLanes } = await import('./create-lanes.ts');
  const { cache, records, close } = await openLaneStoreOf(settings, store, register);
  try {
    const lanes = createLanes({ settings, split: splitSentences, cache, records, log });
    return {
      ...lanes,
      async close() {
        await lanes.close();
        await close();
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}
