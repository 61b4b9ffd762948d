/** The address of the service, as browsers know it. Pure. */

import { VerbatimError } from '../errors.ts';
import type { Settings } from '../settings/config.ts';

export type AddressSettings = Pick<Settings, 'publicUrl' | 'port' | 'tlsCertificate'>;

/**
 * Returns the address that browsers use, without a trailing slash. Throws `usage` if it is not an
 * http address.
 */
export function baseUrl({ publicUrl, port, tlsCertificate }: AddressSettings): string {
  if (publicUrl === '') return `http${tlsCertificate === '' ? '' : 's'}://localhost:${port}`;
  const url = URL.canParse(publicUrl) ? new URL(publicUrl) : undefined;
  const isAddress = url?.protocol === 'https:' || url?.protocol === 'http:';
  if (url !== undefined && isAddress && url.pathname === '/' && url.search + url.hash === '') {
    return url.origin;
  }
  throw new VerbatimError(
    'usage',
    'VERBATIM_PUBLIC_URL must be https://HOST or http://HOST, with an optional port and no path',
  );
}
