/** One-time links: how a customer chooses a first password, or a new one. */
import type { Settings } from '../config.ts';
import { VerbatimError } from '../errors.ts';
import { isEmail, normalizeEmail } from '../store/accounts/customers.ts';
import { findLogin } from '../store/accounts/passwords.ts';
import { findLink } from '../store/accounts/sign-in-links.ts';
import type { AccountDeps } from './account-deps.ts';
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
export function readLink(deps: AccountDeps, token: string): { email: string } {
  const { email } = findLink(deps.db, { token, now: deps.now() });
  return { email };
}

/**
 * Uses a link up: sets the password, ends all sessions of before and signs in. Throws `link_over`,
 * `weak_password` (the link stays good), `at_capacity`.
 */
export async function redeemLink(
  deps: AccountDeps,
  link: { token: string } & Pick<SignIn, 'password' | 'replaces'>,
): Promise<SignedIn> {
  const { email } = readLink(deps, link.token);
  assertStrong(link.password, email);
  const { token, password, replaces } = link;
  const passwordHash = await deps.hasher.hash(password);
  const { sessionLimits: limits, now } = deps;
  const started = await deps.write('setPasswordByLink', {
    token,
    passwordHash,
    limits,
    now: now(),
    replaces,
  });
  return signedIn(deps, started);
}

/**
 * Asks for a link by mail; where customers may register themselves, a new address becomes a
 * customer without credit. The answer is the same for all addresses and does not wait: what is
 * done for the one that is known takes time that would tell. Throws `bad_request` for what is no
 * address, `too_many_tries`.
 */
export function requestLink(
  deps: AccountDeps,
  { email, address, browserToken }: Pick<SignIn, 'email' | 'address' | 'browserToken'>,
): void {
  const account = normalizeEmail(email);
  if (!isEmail(account)) throw new VerbatimError('bad_request', 'this is no e-mail address');
  const browser = browserOf(deps, findLogin(deps.db, account), browserToken);
  deps.linkRequests.take({ account, address, browser });
  deps.background.run('send a link', () => sendLink(deps, { email: account, address }));
}

interface Asker {
  email: string;
  address: string;
}

async function sendLink(deps: AccountDeps, asker: Asker): Promise<void> {
  const customerId = await knownOrNewCustomer(deps, asker);
  // Without a mail server the operator hands links out.
  if (customerId === undefined || deps.sendMail === undefined) return;
  const { settings, now } = deps;
  const expiresAt = linkExpiry(settings, now());
  const { token } = await deps.write('createLink', { customerId, expiresAt });
  await deps.sendMail(linkMail(settings, { email: asker.email, token }));
}

/** undefined for one who may have no link. */
async function knownOrNewCustomer(
  deps: AccountDeps,
  { email, address }: Asker,
): Promise<number | undefined> {
  const known = findLogin(deps.db, email);
  if (known !== undefined) return known.disabledAt === null ? known.customerId : undefined;
  if (deps.settings.selfRegistration === 0) return undefined;
  // The address first: one that has used up its own registrations takes none of everybody's.
  deps.throttles.registrationsOfAddress.take(address);
  deps.throttles.registrations.take('everybody');
  return (await deps.write('addCustomer', { email, now: deps.now() })).id;
}
