/** Members of customers, with their roles. A member of another customer is not found. */
import type {
  Invitation,
  InvitedMember,
  ListedMember,
  MemberName,
  Role,
} from '../sql/member-rows.ts';

export interface MemberStore {
  /** Lists the members of a customer, oldest first. */
  listMembers(customerId: number): Promise<ListedMember[]>;
  /**
   * Adds a member with a link to choose a password. Rejects with `address_taken` if the address belongs
   * to a member of any customer: of two at once, one succeeds. Rejects with `bad_request` if there are
   * too many members.
   */
  inviteMember(input: Invitation): Promise<InvitedMember>;
  /** Makes a new link for a member who has no password. Rejects with `not_found`. */
  renewInvitation(input: MemberName & { expiresAt: number }): Promise<InvitedMember>;
  /**
   * Changes the role of a member, from their next request on. Rejects with `not_found`, and with
   * `last_owner` if no other owner has a password: of two owners who demote each other at once, one
   * stays. May be repeated.
   */
  setMemberRole(input: MemberName & { role: Role }): Promise<void>;
  /**
   * Removes a member with sessions, link, and second factor. Keys stay. Rejects with `not_found` and
   * `last_owner`, as above.
   */
  removeMember(input: MemberName): Promise<void>;
}
