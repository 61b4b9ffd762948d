/**
 * Members of customers. A member is an address with a role, and signs in with a password of its own. An
 * address belongs to one customer, and every customer has an owner.
 */

import type { Connection } from '../../database/sqlite/connection.ts';
import { VerbatimError } from '../../errors.ts';
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
export function insertMember(
  db: Connection,
  { customerId, email, role, now }: NewMember,
): Member | undefined {
  return db
    .prepare(
      `INSERT INTO members (customer_id, email, role, created_at) VALUES (?, ?, ?, ?)
       ON CONFLICT DO NOTHING RETURNING id, email, role`,
    )
    .get(customerId, email, role, now) as Member | undefined;
}

/** Returns the id of the first owner of a customer. Throws `not_found`. */
export function ownerOf(db: Connection, customerId: number): number {
  const id = db
    .prepare("SELECT id FROM members WHERE customer_id = ? AND role = 'owner' ORDER BY id LIMIT 1")
    .pluck()
    .get(customerId);
  if (id === undefined) throw new VerbatimError('not_found');
  return Number(id);
}

/** Lists the members of a customer, oldest first. */
export function listMembers(db: Connection, customerId: number): ListedMember[] {
  const rows = db
    .prepare(
      `SELECT id, email, role, created_at AS createdAt, password_hash IS NOT NULL AS hasPassword,
         EXISTS (SELECT 1 FROM second_factors WHERE second_factors.email = members.email)
           AS hasSecondFactor,
         (SELECT max(seen_at) FROM sessions WHERE member_id = members.id) AS seenAt
       FROM members WHERE customer_id = ? ORDER BY id`,
    )
    .all(customerId) as ListedMember[];
  // SQLite has no truth values.
  return rows.map((row) => ({
    ...row,
    hasPassword: Boolean(row.hasPassword),
    hasSecondFactor: Boolean(row.hasSecondFactor),
  }));
}

/**
 * Adds a member with a link to choose a password. Throws `address_taken`, and `bad_request` if there
 * are too many members.
 */
export function inviteMember(db: Connection, input: Invitation): InvitedMember {
  return db
    .transaction(() => {
      const count = db
        .prepare('SELECT count(*) FROM members WHERE customer_id = ?')
        .pluck()
        .get(input.customerId);
      assertRoomForMember(Number(count), input);
      const member = insertMember(db, input);
      if (member === undefined) throw new VerbatimError('address_taken');
      const { id: memberId } = member;
      return { member, link: createLink(db, { memberId, expiresAt: input.linkExpiresAt }) };
    })
    .immediate();
}

/** Throws `bad_request` if there are too many members. */
export function assertRoomForMember(count: number, { membersMax }: { membersMax: number }): void {
  if (count < membersMax) return;
  throw new VerbatimError('bad_request', `an account can have at most ${membersMax} members`);
}

/**
 * Makes a new link for a member who has not chosen a password. Throws `not_found`, also for a member
 * who has.
 */
export function renewInvitation(
  db: Connection,
  { expiresAt, ...name }: MemberName & { expiresAt: number },
): InvitedMember {
  return db
    .transaction(() => {
      const member = findMember(db, name);
      if (member.hasPassword) throw new VerbatimError('not_found');
      const { id, email, role } = member;
      return { member: { id, email, role }, link: createLink(db, { memberId: id, expiresAt }) };
    })
    .immediate();
}

/** Changes the role of a member. Throws `not_found`, and `last_owner`. */
export function setMemberRole(
  db: Connection,
  { role, ...name }: MemberName & { role: Role },
): void {
  db.transaction(() => {
    const member = findMember(db, name);
    if (role !== 'owner') assertOtherOwner(db, name, member);
    db.prepare('UPDATE members SET role = ? WHERE id = ?').run(role, name.memberId);
    nameAfterOwner(db, name.customerId);
  }).immediate();
}

/**
 * Removes a member: sessions, the link, and the second factor end. The second factor of somebody who
 * has not accepted the invitation stays: whoever invites an address must not take it away. Throws
 * `not_found`, and `last_owner`.
 */
export function removeMember(db: Connection, name: MemberName): void {
  db.transaction(() => {
    const member = findMember(db, name);
    assertOtherOwner(db, name, member);
    deleteMember(db, member);
    nameAfterOwner(db, name.customerId);
  }).immediate();
}

/** Deletes everything of a member. */
export function deleteMember(
  db: Connection,
  { id, email, hasPassword }: Pick<ListedMember, 'id' | 'email' | 'hasPassword'>,
): void {
  if (hasPassword) removeSecondFactor(db, email);
  removeLink(db, id);
  db.prepare('DELETE FROM sessions WHERE member_id = ?').run(id);
  db.prepare('DELETE FROM members WHERE id = ?').run(id);
}

function findMember(db: Connection, { customerId, memberId }: MemberName): ListedMember {
  const member = listMembers(db, customerId).find(({ id }) => id === memberId);
  if (member === undefined) throw new VerbatimError('not_found');
  return member;
}

/** Throws `last_owner` if a member is the only owner who can sign in. */
function assertOtherOwner(db: Connection, { customerId }: MemberName, member: ListedMember): void {
  if (!isLastOwner(member, listMembers(db, customerId))) return;
  throw new VerbatimError('last_owner');
}

/** Whether the account would have no owner with a password without this member. */
export function isLastOwner(member: ListedMember, all: readonly ListedMember[]): boolean {
  if (member.role !== 'owner') return false;
  const others = all.filter(({ id, role }) => id !== member.id && role === 'owner');
  return !others.some(({ hasPassword }) => hasPassword);
}

/** The operator knows a customer by the address of an owner: the first one, while they are one. */
function nameAfterOwner(db: Connection, customerId: number): void {
  db.prepare(
    `UPDATE customers SET email =
       (SELECT email FROM members WHERE customer_id = customers.id AND role = 'owner'
        ORDER BY members.email = customers.email DESC, password_hash IS NULL, id LIMIT 1)
     WHERE id = ?`,
  ).run(customerId);
}
