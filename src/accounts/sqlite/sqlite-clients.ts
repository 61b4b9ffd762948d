/** Grants of clients on SQLite: changes in the ledger's thread, look-ups by an index on this one. */

import type { Connection } from '../../database/sqlite/connection.ts';
import type { WriteAccounts } from '../ledger-thread/ledger-writer.ts';
import type { ClientStore } from '../ports/client-store.ts';
import { grantIdOf, isKnownCode, keyOfRefreshToken } from '../sql/client-grants.ts';

export function createClients(db: Connection, write: WriteAccounts): ClientStore {
  return {
    addCode: (input) => write('addCode', input),
    isKnownCode: async (code) => isKnownCode(db, code),
    redeemCode: (input) => write('redeemCode', input),
    keyOfRefreshToken: async (token) => keyOfRefreshToken(db, token),
    refreshGrant: (input) => write('refreshGrant', input),
    isTokenOfGrant: async (token) => grantIdOf(db, token) !== undefined,
    revokeToken: (input) => write('revokeToken', input),
  };
}
