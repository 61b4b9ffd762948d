/** Opens what a server and commands share about the providers that they ask. */
import { existsSync } from 'node:fs';
import { openLaneStoreOf } from '../../lanes/open-lane-store.ts';
import type { LaneStore } from '../../lanes/records/lane-store.ts';
import type { Settings } from '../../settings/config.ts';
import { storeOptions } from './options.ts';

/** Resolves to undefined if there is no database. It never creates one. */
export async function openSharedLanes(settings: Settings): Promise<LaneStore | undefined> {
  const isThere = settings.accountsAddress !== '' || existsSync(settings.database);
  return isThere ? await openLaneStoreOf(settings, storeOptions(settings)) : undefined;
}
