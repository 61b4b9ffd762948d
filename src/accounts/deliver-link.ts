/** Delivers a one-time link: by mail if a mail server is set, otherwise through the operator. */

import { messageOf } from '../errors.ts';
import type { Settings } from '../settings/config.ts';
import { linkMail, linkUrl } from './links.ts';
import type { SendMail } from './mail.ts';

export interface DeliveredLink {
  /** null: sent by mail. */
  url: string | null;
  /** Why the mail was not sent; undefined if it was, or if there is no mail server. */
  mailFault: string | undefined;
}

/** Mails the link, or returns its address for the operator to hand out. Never rejects. */
export async function deliverLink(
  { settings, sendMail }: { settings: Settings; sendMail: SendMail | undefined },
  link: { email: string; token: string },
): Promise<DeliveredLink> {
  const url = linkUrl(settings, link.token);
  if (sendMail === undefined) return { url, mailFault: undefined };
  try {
    await sendMail(linkMail(settings, link));
    return { url: null, mailFault: undefined };
  } catch (error) {
    return { url, mailFault: messageOf(error) };
  }
}
