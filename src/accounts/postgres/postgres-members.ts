/** Members on PostgreSQL, with the meaning of accounts/members.ts. */

import type { Database, Queries } from '../../database/postgres/postgres-database.ts';
import { VerbatimError } from '../../errors.ts';
import {
  assertRoomForMember,
  type Invitation,
  type InvitedMember,
  isLastOwner,
  type ListedMember,
  type Member,
  type MemberName,
  type NewMember,
  type Role,
} from '../sql/member-rows.ts';
import { lockCustomer } from './postgres-customer-lock.ts';
import { removeSecondFactor } from './postgres-second-factors.ts';
import { createLink, removeLink } from './postgres-sign-in-links.ts';

/** Adds a member. Resolves to undefined if the address belongs to a member of any customer. */
export async function insertMember(
  { query }: Queries,
  { customerId, email, role, now }: NewMember,
): Promise<Member | undefined> {
  const [member] = await query<Member>(
    `INSERT INTO members (customer_id, email, role, created_at) VALUES ($1, $2, $3, $4)
     ON CONFLICT DO NOTHING RETURNING id, email, role`,
    [customerId, email, role, now],
  );
  return member;
}

/** Returns the id of the first owner of a customer. Throws `not_found`. */
export async function ownerOf({ query }: Queries, customerId: number): Promise<number> {
  const [owner] = await query<{ id: number }>(
    "SELECT id FROM members WHERE customer_id = $1 AND role = 'owner' ORDER BY id LIMIT 1",
    [customerId],
  );
  if (owner === undefined) throw new VerbatimError('not_found');
  return owner.id;
}

/** Lists the members of a customer, oldest first. */
export async function listMembers({ query }: Queries, customerId: number): Promise<ListedMember[]> {
  return await query<ListedMember>(
    `SELECT id, email, role, created_at AS "createdAt", password_hash IS NOT NULL AS "hasPassword",
       EXISTS (SELECT 1 FROM second_factors WHERE second_factors.email = members.email)
         AS "hasSecondFactor",
       (SELECT max(seen_at) FROM sessions WHERE member_id = members.id) AS "seenAt"
     FROM members WHERE customer_id = $1 ORDER BY id`,
    [customerId],
  );
}

/** Adds a member with a link. Throws `address_taken`, and `bad_request` for too many members. */
export function inviteMember(database: Database, input: Invitation): Promise<InvitedMember> {
  return database.transaction(async (queries) => {
    await lockCustomer(queries, input.customerId);
    const all = await listMembers(queries, input.customerId);
    assertRoomForMember(all.length, input);
    const member = await insertMember(queries, input);
    if (member === undefined) throw new VerbatimError('address_taken');
    const { id: memberId } = member;
    return {
      member,
      link: await createLink(queries, { memberId, expiresAt: input.linkExpiresAt }),
    };
  });
}

/** Makes a new link for a member without a password. Throws `not_found`. */
export function renewInvitation(
  database: Database,
  { expiresAt, ...name }: MemberName & { expiresAt: number },
): Promise<InvitedMember> {
  return database.transaction(async (queries) => {
    const { member } = await lockMember(queries, name);
    if (member.hasPassword) throw new VerbatimError('not_found');
    const { id, email, role } = member;
    const link = await createLink(queries, { memberId: id, expiresAt });
    return { member: { id, email, role }, link };
  });
}

/** Changes the role of a member. Throws `not_found`, and `last_owner`. */
export function setMemberRole(
  database: Database,
  { role, ...name }: MemberName & { role: Role },
): Promise<void> {
  return database.transaction(async (queries) => {
    const { member, all } = await lockMember(queries, name);
    if (role !== 'owner' && isLastOwner(member, all)) throw new VerbatimError('last_owner');
    await queries.query('UPDATE members SET role = $2 WHERE id = $1', [name.memberId, role]);
    await nameAfterOwner(queries, name.customerId);
  });
}

/** Removes a member. Throws `not_found`, and `last_owner`. */
export function removeMember(database: Database, name: MemberName): Promise<void> {
  return database.transaction(async (queries) => {
    const { member, all } = await lockMember(queries, name);
    if (isLastOwner(member, all)) throw new VerbatimError('last_owner');
    await deleteMember(queries, member);
    await nameAfterOwner(queries, name.customerId);
  });
}

/** Deletes everything of a member. */
export async function deleteMember(
  queries: Queries,
  { id, email, hasPassword }: Pick<ListedMember, 'id' | 'email' | 'hasPassword'>,
): Promise<void> {
  if (hasPassword) await removeSecondFactor(queries, email);
  await removeLink(queries, id);
  await queries.query('DELETE FROM sessions WHERE member_id = $1', [id]);
  await queries.query('DELETE FROM members WHERE id = $1', [id]);
}

/** Finds a member, after other changes of the same customer. Throws `not_found`. */
async function lockMember(queries: Queries, { customerId, memberId }: MemberName) {
  await lockCustomer(queries, customerId);
  const all = await listMembers(queries, customerId);
  const member = all.find(({ id }) => id === memberId);
  if (member === undefined) throw new VerbatimError('not_found');
  return { member, all };
}

async function nameAfterOwner({ query }: Queries, customerId: number): Promise<void> {
  await query(
    `UPDATE customers SET email =
       (SELECT members.email FROM members WHERE customer_id = customers.id AND role = 'owner'
        ORDER BY members.email = customers.email DESC, password_hash IS NULL, id LIMIT 1)
     WHERE id = $1`,
    [customerId],
  );
}
