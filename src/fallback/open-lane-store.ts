/** Opens what lanes share: in the database of the index, or with the accounts on PostgreSQL. */
import { databaseOptions } from '../account-store/postgres/database-options.ts';
import type { Settings } from '../config.ts';
import type { DamageRegister } from '../store/damage/damage-register.ts';
import { noticeDamage } from '../store/damage/notice-damage.ts';
import { LANES } from '../store/damage/parts.ts';
import type { OpenOptions } from '../store/database/connect.ts';
import { type LaneStore, openLaneStore } from '../store/lanes/lane-store.ts';

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
  const { openSharedLaneStore } = await import('../store/postgres/lanes/lane-store.ts');
  const connectionsMax = settings.sharedLaneConnectionsMax;
  return await openSharedLaneStore({ ...databaseOptions(settings), connectionsMax }, settings);
}
