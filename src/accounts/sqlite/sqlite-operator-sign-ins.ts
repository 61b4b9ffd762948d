/** Operators' sign-in on SQLite: changes in the ledger's thread, look-ups by an index on this one. */

import type { Connection } from '../../database/sqlite/connection.ts';
import type { WriteAccounts } from '../ledger-thread/ledger-writer.ts';
import type { OperatorSignInStore } from '../ports/operator-sign-in-store.ts';
import {
  findOperatorLink,
  findOperatorLogin,
  findOperatorSession,
  hasOperators,
  listOperatorSessions,
  operatorLoginOf,
} from '../sql/operator-sign-in-rows.ts';

export function createOperatorSignIns(db: Connection, write: WriteAccounts): OperatorSignInStore {
  return {
    hasOperators: async () => hasOperators(db),
    findOperatorLink: async (given) => findOperatorLink(db, given),
    enrollOperator: (given) => write('enrollOperator', given),
    findOperatorLogin: async (email) => findOperatorLogin(db, email),
    operatorLoginOf: async (operatorId) => operatorLoginOf(db, operatorId),
    startOperatorSession: (checked) => write('startOperatorSession', checked),
    replaceOperatorPassword: (change) => write('replaceOperatorPassword', change),
    replaceOperatorFactor: (given) => write('replaceOperatorFactor', given),
    renewOperatorCodes: (given) => write('renewOperatorCodes', given),
    findOperatorSession: async (given) => findOperatorSession(db, given),
    seeOperatorSession: (given) => write('seeOperatorSession', given),
    endOperatorSession: (given) => write('endOperatorSession', given),
    listOperatorSessions: async (given) => listOperatorSessions(db, given),
    endNamedOperatorSession: (given) => write('endNamedOperatorSession', given),
    endOperatorSessions: (given) => write('endOperatorSessions', given),
  };
}
