/** The lanes that the settings switch on, with their cache in the database. */
import type { Settings } from '../config.ts';
import { createLanes } from '../lanes/create-lanes.ts';
import type { Lanes } from '../lanes/lane.ts';
import type { Log } from '../log.ts';
import { openLaneCache } from '../store/lane-cache.ts';
import { splitSentences } from '../text/split-sentences.ts';
import { storeOptions } from './options.ts';

/**
 * Undefined where none is on. Throws `usage` where a setting is wrong, or one that a lane needs is
 * missing. The database must be there.
 */
export function openLanes(settings: Settings, log: Log): Lanes | undefined {
  const cache = openLaneCache(storeOptions(settings), settings);
  const close = async (lanes?: Lanes): Promise<void> => {
    await lanes?.close();
    cache.close();
  };
  let lanes: Lanes | undefined;
  try {
    lanes = createLanes({ settings, split: splitSentences, cache, log });
  } finally {
    if (lanes === undefined) cache.close();
  }
  if (lanes.states().length === 0) {
    void close(lanes);
    return undefined;
  }
  return { ask: lanes.ask, states: lanes.states, close: () => close(lanes) };
}
