/** Customers' keys on SQLite: changes in the ledger's thread, look-ups by an index on this one. */

import type { Connection } from '../../database/sqlite/connection.ts';
import type { WriteAccounts } from '../ledger-thread/ledger-writer.ts';
import type { KeyStore } from '../ports/key-store.ts';
import { assertRoomForKey, listOwnKeys } from '../sql/own-keys.ts';

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
