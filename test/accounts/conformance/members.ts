/** Members: one address for one customer, and always an owner. */
import { describe, expect, it } from 'vitest';
import type { Role } from '../../../src/accounts/sql/member-rows.ts';
import { NOW } from '../../support/accounts.ts';
import {
  addPerson,
  codeOf,
  DAY_MS,
  type GetAccounts,
  outcomesOf,
  type Person,
} from './accounts-under-test.ts';

const HASH = '$scrypt$member';
const limits = { lifetimeMs: 7 * DAY_MS, idleMs: DAY_MS, perMemberMax: 9 };
let addresses = 0;
const newAddress = () => `member-${++addresses}@example.org`;

export function testMembers(get: GetAccounts): void {
  const invite = ({ customerId }: Person, role: Role, email = newAddress(), membersMax = 9) =>
    get().store.inviteMember({
      customerId,
      email,
      role,
      membersMax,
      linkExpiresAt: NOW + 1_000,
      now: NOW,
    });
  const accept = (token: string) =>
    get().store.setPasswordByLink({
      token,
      passwordHash: HASH,
      limits,
      device: 'Firefox on Linux',
      address: '192.0.2.1',
      now: NOW,
    });
  const find = (token: string) => get().store.findSession({ token, limits, now: NOW });
  /** A customer whose owner has a password, and their session. */
  const addOwner = async () => {
    const person = await addPerson(get());
    const { memberId } = person;
    const { token } = await get().store.createLink({ memberId, expiresAt: NOW + 1_000 });
    return { ...person, token: (await accept(token)).token };
  };
  const addMember = async (person: Person, role: Role) => {
    const { member, link } = await invite(person, role);
    return { ...member, token: (await accept(link.token)).token };
  };
  const nameOf = ({ customerId }: Person, memberId: number) => ({ customerId, memberId });
  const emailOf = async ({ customerId }: Person) =>
    (await get().operator.listCustomers()).find(({ id }) => id === customerId)?.email;

  describe('a member', () => {
    it('is invited, chooses a password, and is found with role and customer', async () => {
      const owner = await addOwner();
      const { member, link } = await invite(owner, 'billing');
      const list = () => get().store.listMembers(owner.customerId);
      expect(await list()).toMatchObject([
        { id: owner.memberId, role: 'owner', hasPassword: true, seenAt: NOW },
        { id: member.id, role: 'billing', hasPassword: false, seenAt: null },
      ]);
      const { token } = await accept(link.token);
      expect(await find(token)).toMatchObject({
        customer: { id: owner.customerId },
        member: { id: member.id, email: member.email, role: 'billing' },
      });
      expect((await list())[1]).toMatchObject({ hasPassword: true, hasSecondFactor: false });
      const login = await get().store.findLogin(member.email);
      expect(login).toMatchObject({ memberId: member.id, customerId: owner.customerId });
    });

    it('has an address that belongs to one customer, of two at once, too', async () => {
      const [ada, bob] = [await addOwner(), await addOwner()];
      const email = newAddress();
      const both = [invite(ada, 'owner', email), invite(bob, 'owner', email)];
      expect(await outcomesOf(both)).toEqual({ resolved: 1, codes: ['address_taken'] });
      expect(await codeOf(invite(ada, 'owner', bob.email))).toBe('address_taken');
      expect(await codeOf(get().store.registerCustomer({ email, now: NOW }))).toBe(
        'already_exists',
      );
      expect(await get().operator.listCustomers()).not.toContainEqual(
        expect.objectContaining({ email }),
      );
    });

    it('is not invited beyond the number, of many at once, too', async () => {
      const owner = await addOwner();
      const all = Array.from({ length: 5 }, () => invite(owner, 'developer', newAddress(), 3));
      expect(await outcomesOf(all)).toEqual({ resolved: 2, codes: ['bad_request'] });
    });

    it('gets another link until there is a password', async () => {
      const owner = await addOwner();
      const { member, link } = await invite(owner, 'developer');
      const renew = () =>
        get().store.renewInvitation({ ...nameOf(owner, member.id), expiresAt: NOW + 2_000 });
      const renewed = await renew();
      expect(await codeOf(accept(link.token))).toBe('link_over');
      await accept(renewed.link.token);
      expect(await codeOf(renew())).toBe('not_found');
    });

    it('is not found by the owner of another customer', async () => {
      const [ada, eve] = [await addOwner(), await addOwner()];
      const member = await addMember(ada, 'developer');
      const { store } = get();
      for (const id of [member.id, ada.memberId, 0, 987_654_321]) {
        const name = nameOf(eve, id);
        const attempts = [
          store.setMemberRole({ ...name, role: 'owner' }),
          store.removeMember(name),
          store.renewInvitation({ ...name, expiresAt: NOW }),
        ];
        expect(await outcomesOf(attempts)).toEqual({ resolved: 0, codes: ['not_found'] });
      }
      expect(await find(member.token)).toBeDefined();
    });

    it('is removed with sessions, link, and second factor, and the address is free', async () => {
      const owner = await addOwner();
      const member = await addMember(owner, 'developer');
      const { email } = member;
      const factor = { email, secret: Buffer.alloc(20), step: 1, recoveryHashes: [], now: NOW };
      await get().store.enableSecondFactor({ ...factor, keep: member.token });
      await get().store.createLink({ memberId: member.id, expiresAt: NOW + 1_000 });
      await get().store.removeMember(nameOf(owner, member.id));
      expect(await find(member.token)).toBeUndefined();
      expect(await get().store.findLogin(email)).toBeUndefined();
      expect(await get().store.findSecondFactor(email)).toBeUndefined();
      expect(await get().store.listMembers(owner.customerId)).toHaveLength(1);
      await get().store.registerCustomer({ email, now: NOW });
      expect(await find(owner.token)).toBeDefined();
    });

    it('who never accepted leaves the second factor that the address has elsewhere', async () => {
      const owner = await addOwner();
      const { member } = await invite(owner, 'developer');
      const { email } = member;
      const factor = { email, secret: Buffer.alloc(20), step: 1, recoveryHashes: [], now: NOW };
      await get().store.enableSecondFactor(factor);
      await get().store.removeMember(nameOf(owner, member.id));
      expect(await get().store.findSecondFactor(email)).toBeDefined();
    });
  });

  describe('the last owner', () => {
    it('cannot leave, and cannot be another role', async () => {
      const owner = await addOwner();
      await addMember(owner, 'developer');
      await invite(owner, 'owner');
      const name = nameOf(owner, owner.memberId);
      expect(await codeOf(get().store.removeMember(name))).toBe('last_owner');
      const demote = get().store.setMemberRole({ ...name, role: 'billing' });
      expect(await codeOf(demote)).toBe('last_owner');
      await get().store.setMemberRole({ ...name, role: 'owner' });
      expect(await find(owner.token)).toMatchObject({ member: { role: 'owner' } });
    });

    it('is one of two who remove each other at once', async () => {
      const owner = await addOwner();
      const other = await addMember(owner, 'owner');
      const both = [owner.memberId, other.id].map((id) =>
        get().store.removeMember(nameOf(owner, id)),
      );
      expect(await outcomesOf(both)).toEqual({ resolved: 1, codes: ['last_owner'] });
    });

    it('gives the customer their address, so that the operator knows it by one', async () => {
      const owner = await addOwner();
      const other = await addMember(owner, 'owner');
      expect(await emailOf(owner)).toBe(owner.email);
      await get().store.setMemberRole({ ...nameOf(owner, owner.memberId), role: 'developer' });
      expect(await emailOf(owner)).toBe(other.email);
      expect(await find(owner.token)).toMatchObject({ member: { role: 'developer' } });
      await get().store.removeMember(nameOf(owner, owner.memberId));
      await get().store.registerCustomer({ email: owner.email, now: NOW });
    });
  });

  describe('sessions of a member', () => {
    it('are listed with device and address, last used first, and end by their name', async () => {
      const owner = await addOwner();
      const member = await addMember(owner, 'developer');
      const started = await get().store.startSession({
        memberId: member.id,
        passwordHash: HASH,
        limits,
        now: NOW + 5,
      });
      const list = (ownerId: number) => get().store.listSessions({ ownerId, limits, now: NOW + 5 });
      const [second, first] = await list(member.id);
      expect(second).toMatchObject({ seenAt: NOW + 5, device: null, address: null });
      expect(first).toEqual({
        name: expect.stringMatching(/^[0-9a-f]{16}$/),
        createdAt: NOW,
        seenAt: NOW,
        device: 'Firefox on Linux',
        address: '192.0.2.1',
      });
      const end = (ownerId: number, name = first?.name ?? '') =>
        get().store.endNamedSession({ ownerId, name });
      expect(await codeOf(end(owner.memberId))).toBe('not_found');
      expect(await codeOf(end(member.id, ''))).toBe('not_found');
      await end(member.id);
      expect(await codeOf(end(member.id))).toBe('not_found');
      expect(await find(member.token)).toBeUndefined();
      expect(await find(started.token)).toBeDefined();
    });

    it('end for all members when the customer is disabled', async () => {
      const owner = await addOwner();
      const member = await addMember(owner, 'billing');
      await get().operator.disableCustomer({ email: owner.email, now: NOW });
      await get().operator.enableCustomer({ email: owner.email });
      expect([await find(owner.token), await find(member.token)]).toEqual([undefined, undefined]);
      const link = await get().operator.createLink({ email: member.email, expiresAt: NOW + 9 });
      expect([link.customer.id, link.email]).toEqual([owner.customerId, member.email]);
      expect((await get().store.findLink({ token: link.link.token, now: NOW })).email).toBe(
        member.email,
      );
    });
  });
}
