/** What owners do with the members of their account, and members with themselves. */
import { VerbatimError } from '../errors.ts';
import type { AccountDeps } from './account-deps.ts';
import { linkExpiry, linkPath, linkUrl } from './links.ts';
import type { Mail } from './mail.ts';
import { memberInvited, notifyOwners, roleChanged } from './security-mails.ts';
import { isEmail, normalizeEmail } from './sql/customers.ts';
import type { InvitedMember, ListedMember, MemberName, Role } from './sql/member-rows.ts';
import { ROLES } from './sql/member-rows.ts';

/** What the inviter has to do next. */
export interface DeliveredInvitation {
  email: string;
  /** The path of the link to hand out; undefined if it was mailed. */
  path: string | undefined;
}

/** Returns a role by its name. Throws `bad_request` for another text. */
export function readRole(text: string): Role {
  const role = ROLES.find((name) => name === text);
  if (role === undefined) throw new VerbatimError('bad_request', 'choose a role');
  return role;
}

export function listMembers(deps: AccountDeps, customerId: number): Promise<ListedMember[]> {
  return deps.store.listMembers(customerId);
}

export interface NewInvitation {
  customerId: number;
  email: string;
  role: Role;
  /** The address of the owner who invites. */
  inviter: string;
}

/**
 * Invites somebody: mails a one-time link, or returns it where there is no mail server. Throws
 * `bad_request`, `address_taken`, and `too_many_tries`: whether an address has an account is told a few
 * times only.
 */
export async function inviteMember(
  deps: AccountDeps,
  { customerId, role, inviter, ...rest }: NewInvitation,
): Promise<DeliveredInvitation> {
  const email = normalizeEmail(rest.email);
  if (!isEmail(email)) throw new VerbatimError('bad_request', 'this is not an e-mail address');
  await deps.throttles.invitations.take(String(customerId));
  const { settings, store } = deps;
  const now = deps.now();
  const invited = await store.inviteMember({
    customerId,
    email,
    role,
    now,
    membersMax: settings.membersPerCustomerMax,
    linkExpiresAt: linkExpiry(settings, now),
  });
  notifyOwners(deps, customerId, memberInvited(email, role));
  return deliverInvitation(deps, invited, inviter);
}

/** Hands out another link to somebody without a password. Throws `not_found`, `too_many_tries`. */
export async function inviteAgain(
  deps: AccountDeps,
  { inviter, ...name }: MemberName & { inviter: string },
): Promise<DeliveredInvitation> {
  await deps.throttles.invitations.take(String(name.customerId));
  const expiresAt = linkExpiry(deps.settings, deps.now());
  return deliverInvitation(deps, await deps.store.renewInvitation({ ...name, expiresAt }), inviter);
}

/** Changes a role. Throws `not_found`, `last_owner`. */
export async function setRole(
  deps: AccountDeps,
  input: MemberName & { role: Role },
): Promise<void> {
  const { customerId, memberId, role } = input;
  await deps.store.setMemberRole(input);
  const members = await deps.store.listMembers(customerId);
  const member = members.find(({ id }) => id === memberId);
  if (member === undefined) return;
  notifyOwners(deps, customerId, roleChanged(member.email, role), member.email);
}

/** Removes a member, or lets one leave. Throws `not_found`, `last_owner`. */
export function removeMember(deps: AccountDeps, name: MemberName): Promise<void> {
  return deps.store.removeMember(name);
}

function deliverInvitation(
  deps: AccountDeps,
  { member, link }: InvitedMember,
  inviter: string,
): DeliveredInvitation {
  const { sendMail, settings } = deps;
  const { email } = member;
  if (sendMail === undefined) return { email, path: linkPath(link.token) };
  const url = linkUrl(settings, link.token);
  deps.background.run('mail an invitation', () =>
    sendMail(invitationMail({ email, url, inviter, hours: settings.linkHoursMax })),
  );
  return { email, path: undefined };
}

interface InvitationText {
  email: string;
  url: string;
  inviter: string;
  hours: number;
}

function invitationMail({ email, url, inviter, hours }: InvitationText): Mail {
  return {
    to: email,
    subject: 'You are invited to Verbatim',
    text: [
      `${inviter} invites you to their account at Verbatim. Choose your password and sign in with this link:`,
      url,
      `It works once, within ${hours} hours. If you do not expect it, ignore this mail.`,
      '',
    ].join('\n\n'),
  };
}
