/** Customers' keys on SQLite: changes in the ledger's thread, look-ups by an index on this one. */

import type { Connection } from '../../database/sqlite/connection.ts';
import type { WriteAccounts } from '../ledger-thread/ledger-writer.ts';
import type { KeyStore } from '../ports/key-store.ts';
import { assertRoomForKey, listOwnKeys } from '../sql/own-keys.ts';

export function createKeys(db: Connection, write: WriteAccounts): KeyStore {
  const list = db.transaction((input: Parameters<KeyStore['listOwnKeys']>[0]) =>
    listOwnKeys(db, input),
  );
  return {
    listOwnKeys: async (input) => list(input),
    assertRoomForKey: async (input) => assertRoomForKey(db, input),
    createOwnKey: (input) => write('createOwnKey', input),
    revokeOwnKey: (input) => write('revokeOwnKey', input),
    setOwnKeyCap: (input) => write('setOwnKeyCap', input),
    setOwnKeyLanes: (input) => write('setOwnKeyLanes', input),
    editOwnKey: (input) => write('editOwnKey', input),
    rotateOwnSecret: (input) => write('rotateOwnSecret', input),
    setLowBalance: (input) => write('setLowBalance', input),
    setCustomerLanes: (input) => write('setCustomerLanes', input),
  };
}
