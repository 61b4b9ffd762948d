/** One-time links, by which a customer chooses a password. */

import { VerbatimError } from '../errors.ts';
import type { Settings } from '../settings/config.ts';
import type { AccountDeps } from './account-deps.ts';
import { type AddressSettings, baseUrl } from './base-url.ts';
import type { Mail } from './mail.ts';
import { assertStrong } from './password-rule.ts';
import { hasSecondFactor, proveSecondFactor } from './second-factor.ts';
import { notify, passwordChanged } from './security-mails.ts';
import { type SignedIn, type SignIn, type SigningBrowser, signedIn } from './sign-in.ts';
import { browserOf } from './sign-in-browser.ts';
import { isEmail, normalizeEmail } from './sql/customers.ts';

const HOUR_MS = 3_600_000;

type LinkSettings = AddressSettings & Pick<Settings, 'linkHoursMax'>;

/** Returns the path of a one-time link, on whatever address the service has. */
export function linkPath(token: string): string {
  return `/dashboard/link?token=${token}`;
}

/** Returns the address of a one-time link. */
export function linkUrl(settings: LinkSettings, token: string): string {
  return `${baseUrl(settings)}${linkPath(token)}`;
}

/** Returns the address of a one-time link of an operator. */
export function operatorLinkUrl(settings: AddressSettings, token: string): string {
  return `${baseUrl(settings)}/operator/link?token=${token}`;
}

/** Returns when a link created now expires. */
export function linkExpiry({ linkHoursMax }: LinkSettings, now: number): number {
  return now + linkHoursMax * HOUR_MS;
}

/** Returns the mail that delivers a link. */
export function linkMail(settings: LinkSettings, link: { email: string; token: string }): Mail {
  return {
    to: link.email,
    subject: 'Your link to Verbatim',
    text: [
      'Choose your password for Verbatim and sign in with this link:',
      linkUrl(settings, link.token),
      `It works once, within ${settings.linkHoursMax} hours. If you did not ask for it, ignore this mail.`,
      '',
    ].join('\n\n'),
  };
}

/**
 * Returns the owner of a link, and whether they have a second factor, for the form that asks for a password. The link stays valid, because
 * mail scanners open links too. Wrong links are not counted: nobody guesses 256 random bits, and a
 * limit would let strangers block an owner's last way in. Throws `link_over`.
 */
export async function readLink(
  deps: AccountDeps,
  token: string,
): Promise<{ email: string; needsCode: boolean }> {
  const { email } = await deps.store.findLink({ token, now: deps.now() });
  return { email, needsCode: await hasSecondFactor(deps, email) };
}

export interface RedeemedLink extends Partial<SigningBrowser> {
  token: string;
  password: string;
  /** For an address with a second factor. */
  code?: string;
}

export interface Redeemed extends SignedIn {
  customerId: number;
  /** Whether a customer who registered has confirmed their address with it. */
  isConfirmed: boolean;
}

/**
 * Redeems a link: sets the password, ends all earlier sessions and signs in. Whoever confirms a
 * registration gets the welcome credits. Throws `link_over`, and
 * also `weak_password`, `second_factor_needed`, `wrong_code`, `too_many_tries`, or `at_capacity`, after
 * which the link stays valid.
 */
export async function redeemLink(deps: AccountDeps, link: RedeemedLink): Promise<Redeemed> {
  const { email } = await readLink(deps, link.token);
  assertStrong(link.password, email);
  const { token, password, cookieToken: replaces, code = '', address = '', device } = link;
  const typed = { code, address, browserToken: link.browserToken };
  const { proof, accepted } = await proveSecondFactor(deps, email, typed);
  const hadPassword = ((await deps.store.findLogin(email))?.passwordHash ?? null) !== null;
  const passwordHash = await deps.hasher.hash(password);
  const { sessionLimits: limits, now, settings } = deps;
  const { customerId, isConfirmed, ...started } = await deps.store.setPasswordByLink({
    token,
    passwordHash,
    proof,
    limits,
    now: now(),
    replaces,
    address,
    device,
    welcomeCredits: settings.welcomeCredits,
  });
  if (hadPassword) notify(deps, email, passwordChanged);
  await accepted();
  return { ...signedIn(deps, started), customerId, isConfirmed };
}

export interface LinkWish extends Pick<SignIn, 'email' | 'address' | 'browserToken'> {
  /** Whether a new address becomes an unconfirmed customer, if self-registration is on. */
  isRegistration: boolean;
}

/**
 * Requests a link by mail. The outcome is the same for all addresses, and the work runs in the background,
 * so timing reveals nothing. Throws `bad_request` for an invalid address and `too_many_tries`.
 */
export async function requestLink(
  deps: AccountDeps,
  { email, address, browserToken, isRegistration }: LinkWish,
): Promise<void> {
  const account = normalizeEmail(email);
  if (!isEmail(account)) throw new VerbatimError('bad_request', 'this is not an e-mail address');
  const browser = browserOf(deps, await deps.store.findLogin(account), browserToken);
  await deps.linkRequests.take({ account, address, browser });
  deps.background.run('send a link', () =>
    sendLink(deps, { email: account, address, isRegistration }),
  );
}

type LinkRequest = Pick<LinkWish, 'email' | 'isRegistration'> & { address: string };

async function sendLink(deps: AccountDeps, request: LinkRequest): Promise<void> {
  const memberId = await knownOrNewMember(deps, request);
  // Without a mail server, the operator hands out links.
  if (memberId === undefined || deps.sendMail === undefined) return;
  const { settings, now } = deps;
  const expiresAt = linkExpiry(settings, now());
  const { token } = await deps.store.createLink({ memberId, expiresAt });
  await deps.sendMail(linkMail(settings, { email: request.email, token }));
}

/** Returns the member's id; undefined for someone who may not have a link. */
async function knownOrNewMember(
  deps: AccountDeps,
  { email, address, isRegistration }: LinkRequest,
): Promise<number | undefined> {
  const known = await deps.store.findLogin(email);
  if (known !== undefined) return known.disabledAt === null ? known.memberId : undefined;
  if (!isRegistration || !deps.settings.selfRegistration) return undefined;
  // The address first: once it has used up its own registrations, it takes none from others.
  await deps.throttles.registrationsOfAddress.take(address);
  await deps.throttles.registrations.take('everybody');
  await deps.store.registerCustomer({ email, now: deps.now() });
  return (await deps.store.findLogin(email))?.memberId;
}
