/** Invitations by mail, and what a member's address is worth elsewhere. */
import { describe, expect, it } from 'vitest';
import { requestLink } from '../../src/accounts/links.ts';
import { inviteAgain, inviteMember, readRole } from '../../src/accounts/members.ts';
import { ADDRESS, CUSTOMER_EMAIL, createSignedIn, createWorld } from '../support/account-world.ts';

const BOB = 'bob@example.org';
const error = (code: string) => expect.objectContaining({ code });

describe('an invitation', () => {
  const invite = (world: Awaited<ReturnType<typeof createSignedIn>>, email = BOB) =>
    inviteMember(world.world.deps, {
      customerId: world.customerId,
      email,
      role: 'developer',
      inviter: CUSTOMER_EMAIL,
    });

  it('is mailed where there is a mail server, and its link is not shown', async () => {
    const owner = await createSignedIn(createWorld({}, true));
    const { deps, mails } = owner.world;
    expect(await invite(owner, ' Bob@Example.org ')).toEqual({ email: BOB, path: undefined });
    await deps.background.drain();
    expect(mails).toMatchObject([
      { to: BOB, subject: 'You are invited to Verbatim' },
      { to: CUSTOMER_EMAIL, subject: 'Verbatim: A new member' },
    ]);
    expect(mails[0]?.text).toContain(`${CUSTOMER_EMAIL} invites you`);
    const [url = ''] = /http\S+/.exec(mails[0]?.text ?? '') ?? [];
    const token = new URL(url).searchParams.get('token') ?? '';
    expect((await deps.store.findLink({ token, now: deps.now() })).email).toBe(BOB);
  });

  it('is handed out without one, and replaced by the next', async () => {
    const owner = await createSignedIn();
    const { deps } = owner.world;
    const { path } = await invite(owner);
    expect(path).toMatch(/^\/dashboard\/link\?token=[\w-]{43}$/);
    const [, member] = await deps.store.listMembers(owner.customerId);
    const name = { customerId: owner.customerId, memberId: member?.id ?? 0 };
    const again = await inviteAgain(deps, { ...name, inviter: CUSTOMER_EMAIL });
    expect(again.path).not.toBe(path);
    const self = { ...name, memberId: owner.memberId, inviter: CUSTOMER_EMAIL };
    await expect(inviteAgain(deps, self)).rejects.toThrow(error('not_found'));
  });

  it('is refused for what is no address, and beyond the limits', async () => {
    const owner = await createSignedIn(createWorld({ membersPerCustomerMax: 2 }));
    await expect(invite(owner, 'bob')).rejects.toThrow(error('bad_request'));
    await invite(owner);
    await expect(invite(owner)).rejects.toThrow(error('bad_request'));
    const { invitationsPerCustomerMax } = owner.world.deps.settings;
    for (let used = 2; used < invitationsPerCustomerMax; used++)
      await invite(owner).catch(() => {});
    await expect(invite(owner)).rejects.toThrow(error('too_many_tries'));
  });

  it('leaves a way in by mail to somebody who lost it', async () => {
    const owner = await createSignedIn(createWorld({ selfRegistration: true }, true));
    await invite(owner);
    const { deps, mails } = owner.world;
    const asked = { email: BOB, address: ADDRESS, browserToken: undefined };
    await requestLink(deps, { ...asked, isRegistration: true });
    await deps.background.drain();
    expect(mails.map(({ to }) => to).filter((to) => to === BOB)).toEqual([BOB, BOB]);
    const members = await deps.store.listMembers(owner.customerId);
    expect(members.map(({ email }) => email)).toEqual([CUSTOMER_EMAIL, BOB]);
  });
});

it.each(['', 'king', 'Owner', '__proto__', 'constructor'])('%j is no role', (text) => {
  expect(() => readRole(text)).toThrow(error('bad_request'));
});
