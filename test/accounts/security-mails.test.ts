/** Mails about security: whom they reach, what they say, and that they hold nothing up. */
import { describe, expect, it } from 'vitest';
import { createKey } from '../../src/accounts/customer-keys.ts';
import { deleteAccount } from '../../src/accounts/delete-account.ts';
import { redeemLink } from '../../src/accounts/links.ts';
import { inviteMember, setRole } from '../../src/accounts/members.ts';
import {
  disableSecondFactor,
  enableSecondFactor,
  mintSecret,
  renewRecoveryCodes,
} from '../../src/accounts/second-factor.ts';
import { changePassword, signIn } from '../../src/accounts/sign-in.ts';
import { codeAt, stepAt } from '../../src/accounts/totp.ts';
import {
  ADDRESS,
  addLinkedCustomer,
  CUSTOMER_EMAIL,
  createSignedIn,
  createWorld,
  enter,
  OTHER_PASSWORD,
  PASSWORD,
} from '../support/account-world.ts';

const BOB = 'bob@example.org';

/** Ada, signed in, and a member who has accepted, without mails so far. */
async function createWithMember(overrides: Parameters<typeof createWorld>[0] = {}) {
  const signedIn = await createSignedIn(createWorld(overrides, true));
  const { world, customerId } = signedIn;
  const { deps, mails } = world;
  const invitation = { customerId, email: BOB, role: 'developer' as const };
  await inviteMember(deps, { ...invitation, inviter: CUSTOMER_EMAIL });
  await deps.background.drain();
  const [url = ''] = /http\S+token=\S+/.exec(mails.map(({ text }) => text).join('\n')) ?? [];
  const token = new URL(url).searchParams.get('token') ?? '';
  await redeemLink(deps, { token, password: PASSWORD });
  await deps.background.drain();
  mails.length = 0;
  const members = await deps.store.listMembers(customerId);
  const bob = members.find(({ email }) => email === BOB)?.id ?? 0;
  /** The mails since the last call. */
  const newMails = async () => {
    await deps.background.drain();
    return mails.splice(0).map(({ to, subject }) => `${to}: ${subject.replace('Verbatim: ', '')}`);
  };
  return { ...signedIn, deps, bob, newMails };
}

describe('a mail about security', () => {
  it('says what happened and when, and has no link but the dashboard', async () => {
    const input = { publicUrl: 'https://search.example.org', operatorContact: 'help@example.org' };
    const { deps, customerId, world } = await createWithMember(input);
    await createKey(deps, { customerId, name: 'Notebook', creditsPerMonthMax: null });
    await deps.background.drain();
    const [mail] = world.mails;
    expect(mail).toMatchObject({ to: CUSTOMER_EMAIL, subject: 'Verbatim: A new API key' });
    expect(mail?.text).toContain('An API key was created in your account: Notebook.');
    expect(mail?.text).toMatch(/Time: \d{4}-\d\d-\d\d \d\d:\d\d UTC/);
    expect(mail?.text.match(/https?:\S+/g)).toEqual(['https://search.example.org/dashboard']);
    expect(mail?.text).toContain('Help: help@example.org');
  });

  it('reaches whose password was changed, by a form or a link', async () => {
    const { deps, newMails, memberId, token } = await createWithMember();
    const change = { memberId, email: CUSTOMER_EMAIL, sessionToken: token, address: ADDRESS };
    await changePassword(deps, { ...change, password: PASSWORD, newPassword: OTHER_PASSWORD });
    expect(await newMails()).toEqual([`${CUSTOMER_EMAIL}: Your password was changed`]);
    const link = await deps.store.createLink({ memberId, expiresAt: deps.now() + 1_000 });
    await redeemLink(deps, { token: link.token, password: PASSWORD });
    expect(await newMails()).toEqual([`${CUSTOMER_EMAIL}: Your password was changed`]);
  });

  it('is not sent about the first password', async () => {
    const world = createWorld({}, true);
    const { token } = addLinkedCustomer(world);
    await redeemLink(world.deps, { token, password: PASSWORD });
    await world.deps.background.drain();
    expect(world.mails).toEqual([]);
  });

  it('reaches whose second factor changes, and whose recovery code was used', async () => {
    const { deps, newMails, world } = await createWithMember();
    const secret = mintSecret();
    const typed = (code: string) => ({ code, address: ADDRESS });
    const code = () => codeAt(secret, stepAt(world.clock.now));
    const enable = { email: CUSTOMER_EMAIL, secret, typed: typed(code()) };
    const [first = '', second = ''] = await enableSecondFactor(deps, enable);
    expect(await newMails()).toEqual([`${CUSTOMER_EMAIL}: Two-step sign-in is on`]);
    const [renewed = ''] = await renewRecoveryCodes(deps, CUSTOMER_EMAIL, typed(first));
    const both = ['Your recovery codes were replaced', 'A recovery code was used'];
    expect((await newMails()).sort()).toEqual(
      both.map((text) => `${CUSTOMER_EMAIL}: ${text}`).sort(),
    );
    const wrong = disableSecondFactor(deps, CUSTOMER_EMAIL, typed(second));
    await expect(wrong).rejects.toMatchObject({ code: 'wrong_code' });
    expect(await newMails()).toEqual([]);
    await disableSecondFactor(deps, CUSTOMER_EMAIL, typed(renewed));
    expect(await newMails()).toContain(`${CUSTOMER_EMAIL}: Two-step sign-in is off`);
  });

  it('tells of a browser that is new, and of no other', async () => {
    const { world, newMails, browserToken } = await createWithMember();
    await enter(world, PASSWORD, CUSTOMER_EMAIL, ADDRESS, browserToken);
    expect(await newMails()).toEqual([]);
    await enter(world);
    expect(await newMails()).toEqual([`${CUSTOMER_EMAIL}: Sign-in from a new browser`]);
    await expect(enter(world, 'wrong')).rejects.toMatchObject({ code: 'wrong_sign_in' });
    expect(await newMails()).toEqual([]);
  });

  it('tells owners of keys and members, and members of their role', async () => {
    const { deps, newMails, customerId, bob } = await createWithMember();
    await setRole(deps, { customerId, memberId: bob, role: 'billing' });
    expect(await newMails()).toEqual([`${CUSTOMER_EMAIL}: A new role`, `${BOB}: A new role`]);
    const invitation = { customerId, email: 'eve@example.org', role: 'owner' as const };
    await inviteMember(deps, { ...invitation, inviter: CUSTOMER_EMAIL });
    const [invited, ...rest] = (await newMails()).sort();
    expect([invited, ...rest]).toEqual([
      `${CUSTOMER_EMAIL}: A new member`,
      'eve@example.org: You are invited to Verbatim',
    ]);
    // Whoever has not accepted is told nothing.
    await createKey(deps, { customerId, name: 'x', creditsPerMonthMax: null });
    expect(await newMails()).toEqual([`${CUSTOMER_EMAIL}: A new API key`]);
  });

  it('tells all owners of the end of the account', async () => {
    const { deps, newMails, customerId, memberId, bob } = await createWithMember();
    await setRole(deps, { customerId, memberId: bob, role: 'owner' });
    await newMails();
    const typed = { code: '', address: ADDRESS };
    const requester = { customerId, memberId, email: CUSTOMER_EMAIL, password: PASSWORD };
    const endCheckouts = async (): Promise<void> => {};
    const given = { creditsForfeited: 0, typed, sessionToken: 'x', endCheckouts };
    await deleteAccount(deps, { ...requester, ...given });
    expect(await newMails()).toEqual([
      `${CUSTOMER_EMAIL}: Your account was deleted`,
      `${BOB}: Your account was deleted`,
    ]);
  });

  it('fills no mailbox', async () => {
    const { deps, newMails, customerId, bob } = await createWithMember({
      securityMailsPerAddressMax: 3,
    });
    for (let round = 0; round < 3; round++) {
      for (const role of ['billing', 'developer'] as const) {
        await setRole(deps, { customerId, memberId: bob, role });
      }
    }
    expect((await newMails()).filter((line) => line.startsWith(BOB))).toHaveLength(3);
  });

  it('holds nothing up where the mail server fails', async () => {
    const { deps, world, customerId } = await createWithMember();
    deps.sendMail = () => Promise.reject(new Error('gone'));
    await createKey(deps, { customerId, name: 'x', creditsPerMonthMax: null });
    const input = { email: CUSTOMER_EMAIL, password: PASSWORD, address: ADDRESS };
    await signIn(deps, input);
    await deps.background.drain();
    const failed = world.logged.filter(({ event }) => event === 'background_task_failed');
    expect(failed.map(({ fields }) => fields['task'])).toContain('mail about security');
  });
});
