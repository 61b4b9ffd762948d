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
    findOperatorLink: async (input) => findOperatorLink(db, input),
    enrollOperator: (input) => write('enrollOperator', input),
    findOperatorLogin: async (email) => findOperatorLogin(db, email),
    operatorLoginOf: async (operatorId) => operatorLoginOf(db, operatorId),
    startOperatorSession: (checked) => write('startOperatorSession', checked),
    replaceOperatorPassword: (change) => write('replaceOperatorPassword', change),
    replaceOperatorFactor: (input) => write('replaceOperatorFactor', input),
    renewOperatorCodes: (input) => write('renewOperatorCodes', input),
    findOperatorSession: async (input) => findOperatorSession(db, input),
    touchOperatorSession: (input) => write('touchOperatorSession', input),
    endOperatorSession: (input) => write('endOperatorSession', input),
    listOperatorSessions: async (input) => listOperatorSessions(db, input),
    endNamedOperatorSession: (input) => write('endNamedOperatorSession', input),
    endOperatorSessions: (input) => write('endOperatorSessions', input),
  };
}
