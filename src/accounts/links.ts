/** One-time links: how a customer chooses a first password, or a new one. */
import type { Settings } from '../config.ts';
import { VerbatimError } from '../errors.ts';
import { isEmail, normalizeEmail } from '../store/accounts/customers.ts';
import { findLink } from '../store/accounts/links.ts';
import { findLogin } from '../store/accounts/passwords.ts';
import type { AccountParts } from './deps.ts';
import type { Mail } from './mail.ts';
import { assertStrong } from './password-rule.ts';
import { browserOf, type SignedIn, type SignIn, signedIn } from './sign-in.ts';

const HOUR_MS = 3_600_000;

type LinkSettings = Pick<Settings, 'publicUrl' | 'port' | 'linkHoursMax'>;

/** The address that browsers use, without a slash at the end. Throws `usage` for no http address. */
export function baseUrl({ publicUrl, port }: Pick<Settings, 'publicUrl' | 'port'>): string {
  if (publicUrl === '') return `http://localhost:${port}`;
  const url = URL.canParse(publicUrl) ? new URL(publicUrl) : undefined;
  const isAddress = url?.protocol === 'https:' || url?.protocol === 'http:';
  if (url !== undefined && isAddress && url.pathname === '/' && url.search + url.hash === '') {
    return url.origin;
  }
  throw new VerbatimError(
    'usage',
    'VERBATIM_PUBLIC_URL must be https://HOST or http://HOST, with a port if need be and no path',
  );
}

/** The address that a link's token is opened with. */
export function linkUrl(settings: LinkSettings, token: string): string {
  return `${baseUrl(settings)}/dashboard/link?token=${token}`;
}

/** When a link that is made now ends. */
export function linkExpiry({ linkHoursMax }: LinkSettings, now: number): number {
  return now + linkHoursMax * HOUR_MS;
}

/** The mail that brings a link. */
export function linkMail(settings: LinkSettings, link: { email: string; token: string }): Mail {
  return {
    to: link.email,
    subject: 'Your link to Verbatim',
    text: [
      'With this link you choose your password for Verbatim and are signed in:',
      linkUrl(settings, link.token),
      `It works once, within ${settings.linkHoursMax} hours. If you did not ask for it, do nothing.`,
      '',
    ].join('\n\n'),
  };
}

/**
 * Whose link it is, for the form that asks for a password; the link stays good, since programs that
 * look at mails open links too. Wrong links are not counted: nobody guesses 256 random bits, and a
 * count would let strangers close an owner's last way in. Throws `link_over`.
 */
export function readLink(parts: AccountParts, token: string): { email: string } {
  const { email } = findLink(parts.db, { token, now: parts.now() });
  return { email };
}

/**
 * Uses a link up: sets the password, ends all sessions of before and signs in. Throws `link_over`,
 * `weak_password` (the link stays good), `at_capacity`.
 */
export async function redeemLink(
  parts: AccountParts,
  link: { token: string } & Pick<SignIn, 'password' | 'replaces'>,
): Promise<SignedIn> {
  const { email } = readLink(parts, link.token);
  assertStrong(link.password, email);
  const { token, password, replaces } = link;
  const passwordHash = await parts.hasher.hash(password);
  const { sessionLimits: limits, now } = parts;
  const started = await parts.write('setPasswordByLink', {
    token,
    passwordHash,
    limits,
    now: now(),
    replaces,
  });
  return signedIn(parts, started);
}

/**
 * Asks for a link by mail; where customers may register themselves, a new address becomes a
 * customer without credit. The answer is the same for all addresses and does not wait: what is
 * done for the one that is known takes time that would tell. Throws `bad_request` for what is no
 * address, `too_many_tries`.
 */
export function requestLink(
  parts: AccountParts,
  { email, address, browserToken }: Pick<SignIn, 'email' | 'address' | 'browserToken'>,
): void {
  const account = normalizeEmail(email);
  if (!isEmail(account)) throw new VerbatimError('bad_request', 'this is no e-mail address');
  const browser = browserOf(parts, findLogin(parts.db, account), browserToken);
  parts.linkRequests.take({ account, address, browser });
  parts.background.run('send a link', () => sendLink(parts, { email: account, address }));
}

interface Asker {
  email: string;
  address: string;
}

async function sendLink(parts: AccountParts, asker: Asker): Promise<void> {
  const customerId = await knownOrNewCustomer(parts, asker);
  // Without a mail server the operator hands links out.
  if (customerId === undefined || parts.sendMail === undefined) return;
  const { settings, now } = parts;
  const expiresAt = linkExpiry(settings, now());
  const { token } = await parts.write('createLink', { customerId, expiresAt });
  await parts.sendMail(linkMail(settings, { email: asker.email, token }));
}

/** undefined for one who may have no link. */
async function knownOrNewCustomer(
  parts: AccountParts,
  { email, address }: Asker,
): Promise<number | undefined> {
  const known = findLogin(parts.db, email);
  if (known !== undefined) return known.disabledAt === null ? known.customerId : undefined;
  if (parts.settings.selfRegistration === 0) return undefined;
  // The address first: one that has used up its own registrations takes none of everybody's.
  parts.throttles.registrationsOfAddress.take(address);
  parts.throttles.registrations.take('everybody');
  return (await parts.write('addCustomer', { email, now: parts.now() })).id;
}
