/** Customers' keys on SQLite: changes in the ledger's thread, look-ups by an index on this one. */
import { assertRoomForKey, listOwnKeys } from '../../store/accounts/own-keys.ts';
import type { Connection } from '../../store/database/connection.ts';
import type { WriteAccounts } from '../../workers/ledger-writer.ts';
import type { KeyStore } from '../key-store.ts';

export function createKeys(db: Connection, write: WriteAccounts): KeyStore {
  const list = db.transaction((given: Parameters<KeyStore['listOwnKeys']>[0]) =>
    listOwnKeys(db, given),
  );
  return {
    listOwnKeys: async (given) => list(given),
    assertRoomForKey: async (given) => assertRoomForKey(db, given),
    createOwnKey: (given) => write('createOwnKey', given),
    revokeOwnKey: (given) => write('revokeOwnKey', given),
    setOwnKeyCap: (given) => write('setOwnKeyCap', given),
    setOwnKeyLanes: (given) => write('setOwnKeyLanes', given),
    editOwnKey: (given) => write('editOwnKey', given),
    rotateOwnSecret: (given) => write('rotateOwnSecret', given),
    setLowBalance: (given) => write('setLowBalance', given),
    setCustomerLanes: (given) => write('setCustomerLanes', given),
  };
}
