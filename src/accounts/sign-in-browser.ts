/** Under which name the attempts of a browser count for an account. */
import { randomBytes } from 'node:crypto';
import type { AccountDeps } from './account-deps.ts';
import { knownBrowser } from './known-browser.ts';
import type { Login } from './sql/passwords.ts';

const DAY_MS = 86_400_000;
/** The key for accounts without known browsers. Nothing was ever signed with it. */
const NOBODYS_KEY = randomBytes(32);

/**
 * Returns the name under which a browser's attempts for an account are counted; undefined for an
 * unknown browser.
 */
export function browserOf(
  { settings, now }: AccountDeps,
  login: Pick<Login, 'browserKey'> | undefined,
  browserToken: string | undefined,
): string | undefined {
  return knownBrowser(browserToken, {
    key: login?.browserKey ?? NOBODYS_KEY,
    lifetimeMs: settings.knownBrowserDaysMax * DAY_MS,
    now: now(),
  });
}
