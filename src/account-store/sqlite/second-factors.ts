/** Second factors on SQLite: changes in the ledger's thread, look-ups by an index on this one. */
import { findSecondFactor } from '../../store/accounts/second-factors.ts';
import type { Connection } from '../../store/database/connection.ts';
import type { WriteAccounts } from '../../workers/ledger-writer.ts';
import type { SecondFactorStore } from '../second-factor-store.ts';

export function createSecondFactors(db: Connection, write: WriteAccounts): SecondFactorStore {
  return {
    findSecondFactor: async (email) => findSecondFactor(db, email),
    enableSecondFactor: (given) => write('enableSecondFactor', given),
    useSecondFactor: (given) => write('useSecondFactor', given),
    renewRecoveryCodes: (given) => write('renewRecoveryCodes', given),
    disableSecondFactor: (given) => write('disableSecondFactor', given),
  };
}
