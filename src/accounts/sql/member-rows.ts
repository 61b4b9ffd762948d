/**
 * Members of customers. A member is an address with a role, and signs in with a password of its own. An
 * address belongs to one customer, and every customer has an owner.
 */

import { lockCustomer, query, queryFirst, type Sql } from '../../database/sql/sql.ts';
import { VerbatimError } from '../../errors.ts';
import { lockEnabledCustomer } from './lock-enabled-customer.ts';
import { removeSecondFactor } from './second-factor-rows.ts';
import { type CreatedLink, createLink, removeLink } from './sign-in-links.ts';

/** Owners do everything, developers search, and `billing` pays. */
export const ROLES = ['owner', 'developer', 'billing'] as const;
export type Role = (typeof ROLES)[number];

export interface Member {
  id: number;
  email: string;
  role: Role;
}

/** A member as the owners of the customer see them. */
export interface ListedMember extends Member {
  createdAt: number;
  /** Without one, the invitation has not been accepted. */
  hasPassword: boolean;
  hasSecondFactor: boolean;
  /** When they last used a session that has not ended; null: none. */
  seenAt: number | null;
}

/** A member, as their customer names them. */
export interface MemberName {
  customerId: number;
  memberId: number;
}

export interface NewMember {
  customerId: number;
  email: string;
  role: Role;
  now: number;
}

export interface Invitation extends NewMember {
  /** The number of members that a customer may have. */
  membersMax: number;
  linkExpiresAt: number;
}

export interface InvitedMember {
  member: Member;
  link: CreatedLink;
}

/** Adds a member. Returns undefined if the address belongs to a member of any customer. */
export function* insertMember({
  customerId,
  email,
  role,
  now,
}: NewMember): Sql<Member | undefined> {
  return yield* queryFirst<Member>(
    `INSERT INTO members (customer_id, email, role, created_at) VALUES ($1, $2, $3, $4)
     ON CONFLICT DO NOTHING RETURNING id, email, role`,
    [customerId, email, role, now],
  );
}

/** Returns the id of the first owner of a customer. Throws `not_found`. */
export function* ownerOf(customerId: number): Sql<number> {
  const owner = yield* queryFirst<{ id: number }>(
    "SELECT id FROM members WHERE customer_id = $1 AND role = 'owner' ORDER BY id LIMIT 1",
    [customerId],
  );
  if (owner === undefined) throw new VerbatimError('not_found');
  return owner.id;
}

/** Lists the members of a customer, oldest first. */
export function* listMembers(customerId: number): Sql<ListedMember[]> {
  return yield* query<ListedMember>(
    `SELECT id, email, role, created_at AS "createdAt", password_hash IS NOT NULL AS "hasPassword",
       EXISTS (SELECT 1 FROM second_factors WHERE second_factors.email = members.email)
         AS "hasSecondFactor",
       (SELECT max(seen_at) FROM sessions WHERE member_id = members.id) AS "seenAt"
     FROM members WHERE customer_id = $1 ORDER BY id`,
    [customerId],
  );
}

/**
 * Adds a member with a link to choose a password. Throws `address_taken` if the address belongs to a
 * member of any customer: of two at once, one succeeds. Throws `bad_request` if there are too many
 * members.
 */
export function* inviteMember(input: Invitation): Sql<InvitedMember> {
  const { customerId, membersMax, linkExpiresAt: expiresAt } = input;
  yield* lockEnabledCustomer(customerId);
  const all = yield* listMembers(customerId);
  if (all.length >= membersMax) {
    throw new VerbatimError('bad_request', `an account can have at most ${membersMax} members`);
  }
  const member = yield* insertMember(input);
  if (member === undefined) throw new VerbatimError('address_taken');
  return { member, link: yield* createLink({ memberId: member.id, expiresAt }) };
}

/**
 * Makes a new link for a member who has not chosen a password. Throws `not_found`, also for a member
 * who has.
 */
export function* renewInvitation({
  expiresAt,
  ...name
}: MemberName & { expiresAt: number }): Sql<InvitedMember> {
  const { member } = yield* lockMember(name);
  if (member.hasPassword) throw new VerbatimError('not_found');
  const { id, email, role } = member;
  return { member: { id, email, role }, link: yield* createLink({ memberId: id, expiresAt }) };
}

/**
 * Changes the role of a member, from their next request on. Throws `not_found`, and `last_owner` if no
 * other owner has a password: of two owners who demote each other at once, one stays. May be repeated.
 */
export function* setMemberRole({ role, ...name }: MemberName & { role: Role }): Sql<void> {
  const { member, all } = yield* lockMember(name);
  if (role !== 'owner' && isLastOwner(member, all)) throw new VerbatimError('last_owner');
  yield* query('UPDATE members SET role = $2 WHERE id = $1', [name.memberId, role]);
  yield* nameAfterOwner(name.customerId);
}

/**
 * Removes a member: sessions, the link, and the second factor end. Keys stay. The second factor of
 * somebody who has not accepted the invitation stays: whoever invites an address must not take it away.
 * Throws `not_found`, and `last_owner`.
 */
export function* removeMember(name: MemberName): Sql<void> {
  const { member, all } = yield* lockMember(name);
  if (isLastOwner(member, all)) throw new VerbatimError('last_owner');
  yield* deleteMember(member);
  yield* nameAfterOwner(name.customerId);
}

/** Deletes everything of a member. */
export function* deleteMember({
  id,
  email,
  hasPassword,
}: Pick<ListedMember, 'id' | 'email' | 'hasPassword'>): Sql<void> {
  if (hasPassword) yield* removeSecondFactor(email);
  yield* removeLink(id);
  yield* query('DELETE FROM sessions WHERE member_id = $1', [id]);
  yield* query('DELETE FROM members WHERE id = $1', [id]);
}

/** Finds a member, after other changes of the same customer. Throws `not_found`. */
function* lockMember({
  customerId,
  memberId,
}: MemberName): Sql<{ member: ListedMember; all: ListedMember[] }> {
  yield* lockCustomer(customerId);
  const all = yield* listMembers(customerId);
  const member = all.find(({ id }) => id === memberId);
  if (member === undefined) throw new VerbatimError('not_found');
  return { member, all };
}

/** Whether the account would have no owner with a password without this member. */
function isLastOwner(member: ListedMember, all: readonly ListedMember[]): boolean {
  if (member.role !== 'owner') return false;
  const others = all.filter(({ id, role }) => id !== member.id && role === 'owner');
  return !others.some(({ hasPassword }) => hasPassword);
}

/** The operator knows a customer by the address of an owner: the first one, while they are one. */
function* nameAfterOwner(customerId: number): Sql<void> {
  yield* query(
    `UPDATE customers SET email =
       (SELECT members.email FROM members WHERE customer_id = customers.id AND role = 'owner'
        ORDER BY members.email = customers.email DESC, password_hash IS NULL, id LIMIT 1)
     WHERE id = $1`,
    [customerId],
  );
}
