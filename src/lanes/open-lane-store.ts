/** Opens what lanes share: in the database of the index, or with the accounts on PostgreSQL. */

import type { DamageRegister } from '../database/damage/damage-register.ts';
import { noticeDamage } from '../database/damage/notice-damage.ts';
import { LANES } from '../database/damage/parts.ts';
import { databaseOptions } from '../database/postgres/database-options.ts';
import type { OpenOptions } from '../database/sqlite/connect.ts';
import type { Settings } from '../settings/config.ts';
import { type LaneStore, openLaneStore } from './records/lane-store.ts';

/** The database must exist. `register` receives damage of its tables. */
export async function openLaneStoreOf(
  settings: Settings,
  store: OpenOptions,
  register?: Pick<DamageRegister, 'report'>,
): Promise<LaneStore> {
  if (settings.accountsAddress === '') {
    return openLaneStore(store, settings, Date.now, (error) => {
      if (register) noticeDamage(register, LANES, error);
    });
  }
  // The library is loaded only where it is needed.
  const { openSharedLaneStore } = await import('./records/postgres/postgres-lane-store.ts');
  const connectionsMax = settings.sharedLaneConnectionsMax;
  return await openSharedLaneStore({ ...databaseOptions(settings), connectionsMax }, settings);
}
