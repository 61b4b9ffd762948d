/** Members on SQLite: changes in the ledger's thread, look-ups by an index on this one. */
import { listMembers } from '../../store/accounts/members.ts';
import type { Connection } from '../../store/database/connection.ts';
import type { WriteAccounts } from '../../workers/ledger-writer.ts';
import type { MemberStore } from '../member-store.ts';

export function createMembers(db: Connection, write: WriteAccounts): MemberStore {
  return {
    listMembers: async (customerId) => listMembers(db, customerId),
    inviteMember: (given) => write('inviteMember', given),
    renewInvitation: (given) => write('renewInvitation', given),
    setMemberRole: (given) => write('setMemberRole', given),
    removeMember: (given) => write('removeMember', given),
  };
}
