/** Delivers a one-time link, by mail or on the terminal. */
import { assertAccountSettings } from '../accounts/create-accounts.ts';
import { deliverLink } from '../accounts/deliver-link.ts';
import { linkExpiry } from '../accounts/links.ts';
import { createMailer } from '../accounts/mail.ts';
import type { Settings } from '../settings/config.ts';
import { formatTime, print } from './cli/output.ts';

export interface DeliveredLink {
  /** null: sent by mail. */
  url: string | null;
  expiresAt: number;
}

export interface LinkMaker {
  /** When a link that is created now expires. */
  expiresAt(): number;
  /** Mails the link, or returns its address to print. A failed mail is reported and printed too. */
  deliver(link: { email: string; token: string; expiresAt: number }): Promise<DeliveredLink>;
}

/** Throws `usage` for invalid address or mail settings, before anything changes. */
export function createLinkMaker(settings: Settings): LinkMaker {
  assertAccountSettings(settings);
  const sendMail = createMailer(settings);
  return {
    expiresAt: () => linkExpiry(settings, Date.now()),
    async deliver({ email, token, expiresAt }) {
      const { url, mailFault } = await deliverLink({ settings, sendMail }, { email, token });
      if (mailFault !== undefined) {
        process.stderr.write(`verbatim: ${mailFault}; hand out the link yourself\n`);
      }
      return { url, expiresAt };
    },
  };
}

/** Prints a link for people. */
export function printLink(email: string, { url, expiresAt }: DeliveredLink): void {
  const end = `until ${formatTime(expiresAt)} UTC`;
  if (url === null)
    print(`a link to choose a password was mailed to ${email}; it works once, ${end}`);
  else print(`link to choose a password; it works once, ${end}:\n${url}`);
}
