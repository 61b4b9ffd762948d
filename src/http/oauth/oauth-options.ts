/**
 * Checks the settings of OAuth. Every server does so, and a server without OAuth must not load the HTTP
 * client for it.
 */
import { baseUrl } from '../../accounts/base-url.ts';
import { VerbatimError } from '../../errors.ts';
import type { Settings } from '../../settings/config.ts';

/** Throws `usage` if OAuth is on and codes or tokens would travel unencrypted. */
export function assertOAuthSettings(settings: Settings): void {
  if (!settings.oauth) return;
  parseOrigins(settings.clientOrigins);
  const { protocol, hostname } = new URL(baseUrl(settings));
  if (protocol === 'https:' || ['localhost', '127.0.0.1', '[::1]'].includes(hostname)) return;
  throw new VerbatimError(
    'usage',
    'VERBATIM_OAUTH needs https: set VERBATIM_PUBLIC_URL to https://HOST',
  );
}

/** Returns the origins of the setting. Throws `usage` if one is none. */
export function parseOrigins(text: string): Set<string> {
  const names = text.split(',').flatMap((name) => name.trim() || []);
  const invalid = names.find((name) => !URL.canParse(name) || new URL(name).origin !== name);
  if (invalid === undefined) return new Set(names);
  throw new VerbatimError(
    'usage',
    `VERBATIM_CLIENT_ORIGINS: "${invalid}" is no origin, such as https://agents.internal`,
  );
}
