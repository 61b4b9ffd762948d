/** Second factors on SQLite: changes in the ledger's thread, look-ups by an index on this one. */

import type { Connection } from '../../database/sqlite/connection.ts';
import type { WriteAccounts } from '../ledger-thread/ledger-writer.ts';
import type { SecondFactorStore } from '../ports/second-factor-store.ts';
import { findSecondFactor } from '../sql/second-factor-rows.ts';

export function createSecondFactors(db: Connection, write: WriteAccounts): SecondFactorStore {
  return {
    findSecondFactor: async (email) => findSecondFactor(db, email),
    enableSecondFactor: (input) => write('enableSecondFactor', input),
    useSecondFactor: (input) => write('useSecondFactor', input),
    renewRecoveryCodes: (input) => write('renewRecoveryCodes', input),
    disableSecondFactor: (input) => write('disableSecondFactor', input),
  };
}
