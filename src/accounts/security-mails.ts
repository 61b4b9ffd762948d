/**
 * Mails that tell people what happened to their account, in case it was somebody else. They are sent in
 * the background, where there is a mail server, and never delay or fail what they are about. They carry
 * no link but the dashboard's address, so that nobody learns to click on mails like these.
 */

import { VerbatimError } from '../errors.ts';
import type { Settings } from '../settings/config.ts';
import { formatNumber } from '../text/format-number.ts';
import type { AccountDeps } from './account-deps.ts';
import { baseUrl } from './base-url.ts';
import type { Mail } from './mail.ts';
import type { Role } from './sql/member-rows.ts';
import type { SessionOrigin } from './sql/session-rows.ts';

/** What happened. */
export interface SecurityNotice {
  subject: string;
  /** A sentence. */
  text: string;
}

const securityNotice = (subject: string, text: string): SecurityNotice => ({ subject, text });

export const passwordChanged = securityNotice(
  'Your password was changed',
  'The password of your account was changed, and all other sessions were signed out.',
);
export const secondFactorOn = securityNotice(
  'Two-step sign-in is on',
  'Two-step sign-in was turned on for your account.',
);
export const secondFactorOff = securityNotice(
  'Two-step sign-in is off',
  'Two-step sign-in was turned off for your account. The password alone is now enough to sign in.',
);
export const secondFactorRemoved = securityNotice(
  'Two-step sign-in was removed',
  'The operator of this service has turned two-step sign-in off for your account. The password alone is enough now.',
);
export const recoveryCodesRenewed = securityNotice(
  'Your recovery codes were replaced',
  'New recovery codes were created for your account. Earlier ones no longer work.',
);
export const recoveryCodeUsed = securityNotice(
  'A recovery code was used',
  'One of your recovery codes was used instead of a code from your authenticator app.',
);
export const accountDeleted = securityNotice(
  'Your account was deleted',
  'The account was deleted by one of its owners. Its keys no longer work.',
);

export function signedInFrom({ device, address }: SessionOrigin): SecurityNotice {
  const from = [device, address].filter((part) => part !== undefined && part !== '').join(', ');
  return securityNotice(
    'Sign-in from a new browser',
    `Someone signed in to your account from a browser that had not been used with it before: ${from}.`,
  );
}

export function keyCreated(name: string): SecurityNotice {
  return securityNotice('A new API key', `An API key was created in your account: ${name}.`);
}

/** The name of a client is what the client says it is; its site is known. */
export function clientConnected(host: string, creditsPerMonthMax: number): SecurityNotice {
  const credits = formatNumber(creditsPerMonthMax);
  return securityNotice(
    'A client was connected',
    `A client of ${host} was connected to your account. It can search with up to ${credits} of your credits a month. Disconnect it on the page Keys.`,
  );
}

export function memberInvited(email: string, role: Role): SecurityNotice {
  return securityNotice(
    'A new member',
    `${email} was invited to your account, with the role ${role}.`,
  );
}

export function roleChanged(email: string, role: Role): SecurityNotice {
  return securityNotice('A new role', `${email} now has the role ${role} in your account.`);
}

/** Notifies one person. */
export function notify(deps: AccountDeps, email: string, notice: SecurityNotice): void {
  notifyAll(deps, async () => [email], notice);
}

/** Notifies the owners of an account, and others of its members if `also` says so. */
export function notifyOwners(
  deps: AccountDeps,
  customerId: number,
  notice: SecurityNotice,
  also?: string,
): void {
  notifyAll(deps, () => addressesOf(deps, customerId, also), notice);
}

/** Returns the addresses of owners who have accepted, and of one more such member. */
export async function addressesOf(
  { store }: Pick<AccountDeps, 'store'>,
  customerId: number,
  also?: string,
): Promise<string[]> {
  const members = await store.listMembers(customerId);
  return members
    .filter(({ email, role, hasPassword }) => hasPassword && (role === 'owner' || email === also))
    .map(({ email }) => email);
}

/** Notifies several people, whose addresses are read in the background. */
export function notifyAll(
  deps: AccountDeps,
  readAddresses: () => Promise<readonly string[]>,
  notice: SecurityNotice,
): void {
  const { sendMail, throttles, settings, background } = deps;
  if (sendMail === undefined) return;
  const mail = securityMail(settings, notice, deps.now());
  background.run('mail about security', async () => {
    for (const to of await readAddresses()) {
      if (!(await hasMail(throttles.securityMails, to))) continue;
      await sendMail({ to, ...mail });
    }
  });
}

/** Returns the mail about what happened at a time. */
export function securityMail(
  settings: Settings,
  { subject, text }: SecurityNotice,
  happenedAt: number,
): Omit<Mail, 'to'> {
  const time = `${new Date(happenedAt).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  const body = [
    text,
    `Time: ${time}`,
    `If this was you or someone you trust, you can ignore this message. If not, sign in and change your password: ${baseUrl(settings)}/dashboard`,
    ...(settings.operatorContact === '' ? [] : [`Help: ${settings.operatorContact}`]),
    '',
  ].join('\n\n');
  return { subject: `Verbatim: ${subject}`, text: body };
}

/** Uses up a mail of an address, so that nobody's mailbox can be filled. */
async function hasMail(
  securityMails: AccountDeps['throttles']['securityMails'],
  to: string,
): Promise<boolean> {
  try {
    await securityMails.take(to);
    return true;
  } catch (error) {
    if (error instanceof VerbatimError && error.code === 'too_many_tries') return false;
    throw error;
  }
}
