/** Sign-in on SQLite: changes in the ledger's thread, look-ups by an index on this one. */

import type { Connection } from '../../database/sqlite/connection.ts';
import type { WriteAccounts } from '../ledger-thread/ledger-writer.ts';
import type { SignInStore } from '../ports/sign-in-store.ts';
import { findLogin, loginOf } from '../sql/passwords.ts';
import { findSession, listSessions } from '../sql/sessions.ts';
import { findLink } from '../sql/sign-in-links.ts';

export function createSignIns(db: Connection, write: WriteAccounts): SignInStore {
  return {
    addCustomer: (input) => write('addCustomer', input),
    createLink: (input) => write('createLink', input),
    findLink: async (input) => findLink(db, input),
    findLogin: async (email) => findLogin(db, email),
    loginOf: async (memberId) => loginOf(db, memberId),
    startSession: (checked) => write('startSession', checked),
    setPasswordByLink: (input) => write('setPasswordByLink', input),
    replacePassword: (change) => write('replacePassword', change),
    renewHash: (input) => write('renewHash', input),
    findSession: async (input) => findSession(db, input),
    listSessions: async (input) => listSessions(db, input),
    endNamedSession: (input) => write('endNamedSession', input),
    touchSession: (input) => write('touchSession', input),
    endSession: (input) => write('endSession', input),
    endSessions: (input) => write('endSessions', input),
  };
}
