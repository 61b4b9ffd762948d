/** Sign-in on SQLite: changes in the ledger's thread, look-ups by an index on this one. */

import type { Connection } from '../../database/sqlite/connection.ts';
import type { WriteAccounts } from '../ledger-thread/ledger-writer.ts';
import type { SignInStore } from '../ports/sign-in-store.ts';
import { findLogin, loginOf } from '../sql/passwords.ts';
import { findSession, listSessions } from '../sql/sessions.ts';
import { findLink } from '../sql/sign-in-links.ts';

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
