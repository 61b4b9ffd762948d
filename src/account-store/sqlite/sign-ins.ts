/** Sign-in on SQLite: changes in the ledger's thread, look-ups by an index on this one. */
import { findLogin, loginOf } from '../../store/accounts/passwords.ts';
import { findSession, listSessions } from '../../store/accounts/sessions.ts';
import { findLink } from '../../store/accounts/sign-in-links.ts';
import type { Connection } from '../../store/database/connection.ts';
import type { WriteAccounts } from '../../workers/ledger-writer.ts';
import type { SignInStore } from '../sign-in-store.ts';

export function createSignIns(db: Connection, write: WriteAccounts): SignInStore {
  return {
    addCustomer: (given) => write('addCustomer', given),
    createLink: (given) => write('createLink', given),
    findLink: async (given) => findLink(db, given),
    findLogin: async (email) => findLogin(db, email),
    loginOf: async (memberId) => loginOf(db, memberId),
    startSession: (checked) => write('startSession', checked),
    setPasswordByLink: (given) => write('setPasswordByLink', given),
    replacePassword: (change) => write('replacePassword', change),
    renewHash: (given) => write('renewHash', given),
    findSession: async (given) => findSession(db, given),
    listSessions: async (given) => listSessions(db, given),
    endNamedSession: (given) => write('endNamedSession', given),
    seeSession: (given) => write('seeSession', given),
    endSession: (given) => write('endSession', given),
    endSessions: (given) => write('endSessions', given),
  };
}
