/** Grants of clients on SQLite: changes in the ledger's thread, look-ups by an index on this one. */
import { grantIdOf, isKnownCode, keyOfRefreshToken } from '../../store/accounts/client-grants.ts';
import type { Connection } from '../../store/database/connection.ts';
import type { WriteAccounts } from '../../workers/ledger-writer.ts';
import type { ClientStore } from '../client-store.ts';

export function createClients(db: Connection, write: WriteAccounts): ClientStore {
  return {
    addCode: (given) => write('addCode', given),
    isKnownCode: async (code) => isKnownCode(db, code),
    redeemCode: (given) => write('redeemCode', given),
    keyOfRefreshToken: async (token) => keyOfRefreshToken(db, token),
    refreshGrant: (given) => write('refreshGrant', given),
    isTokenOfGrant: async (token) => grantIdOf(db, token) !== undefined,
    revokeToken: (given) => write('revokeToken', given),
  };
}
