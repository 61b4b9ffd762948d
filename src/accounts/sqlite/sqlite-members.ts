/** Members on SQLite: changes in the ledger's thread, look-ups by an index on this one. */

import type { Connection } from '../../database/sqlite/connection.ts';
import type { WriteAccounts } from '../ledger-thread/ledger-writer.ts';
import type { MemberStore } from '../ports/member-store.ts';
import { listMembers } from '../sql/member-rows.ts';

export function createMembers(db: Connection, write: WriteAccounts): MemberStore {
  return {
    listMembers: async (customerId) => listMembers(db, customerId),
    inviteMember: (input) => write('inviteMember', input),
    renewInvitation: (input) => write('renewInvitation', input),
    setMemberRole: (input) => write('setMemberRole', input),
    removeMember: (input) => write('removeMember', input),
  };
}
