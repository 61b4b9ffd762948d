/** Where customers reach the operator, parsed from the setting. Pure. */

import { VerbatimError } from '../errors.ts';
import type { Settings } from '../settings/config.ts';
import { isEmail } from './sql/customers.ts';

export interface Contact {
  href: string;
  /** The e-mail address, or the web address without its scheme. */
  text: string;
}

/** Returns undefined if the operator gave none. Throws `usage` for anything but an address. */
export function readContact({
  operatorContact,
}: Pick<Settings, 'operatorContact'>): Contact | undefined {
  if (operatorContact === '') return undefined;
  if (isEmail(operatorContact)) {
    return { href: `mailto:${mailbox(operatorContact)}`, text: operatorContact };
  }
  const url = URL.canParse(operatorContact) ? new URL(operatorContact) : undefined;
  if (url?.protocol === 'https:' || url?.protocol === 'http:') {
    return { href: url.href, text: `${url.host}${url.pathname}`.replace(/\/$/, '') };
  }
  throw new VerbatimError(
    'usage',
    `VERBATIM_OPERATOR_CONTACT must be an e-mail address or a web address, not "${operatorContact}"`,
  );
}

/** An address for `mailto:`, in which `?` and `&` would start further fields. */
function mailbox(email: string): string {
  return encodeURIComponent(email).replaceAll('%40', '@');
}
