/** Delivers a one-time link: by mail if a mail server is set, otherwise through the operator. */
import { assertAccountSettings } from '../accounts/create-accounts.ts';
import { linkExpiry, linkMail, linkUrl } from '../accounts/links.ts';
import { createMailer, type SendMail } from '../accounts/mail.ts';
import type { Settings } from '../config.ts';
import { messageOf } from '../errors.ts';
import { formatTime, print } from './cli/output.ts';

export interface HandedOutLink {
  /** null: sent by mail. */
  url: string | null;
  expiresAt: number;
}

export interface LinkMaker {
  /** When a link that is created now expires. */
  expiresAt(): number;
  /** Mails the link, or returns its address to print. A failed mail is reported and printed too. */
  handOut(link: { email: string; token: string; expiresAt: number }): Promise<HandedOutLink>;
}

/** Throws `usage` for invalid address or mail settings, before anything changes. */
export function createLinkMaker(settings: Settings): LinkMaker {
  assertAccountSettings(settings);
  const sendMail = createMailer(settings);
  return {
    expiresAt: () => linkExpiry(settings, Date.now()),
    async handOut({ email, token, expiresAt }) {
      const isMailed = sendMail !== undefined && (await mail(sendMail, settings, { email, token }));
      return { url: isMailed ? null : linkUrl(settings, token), expiresAt };
    },
  };
}

/** Prints a link for people. */
export function printLink(email: string, { url, expiresAt }: HandedOutLink): void {
  const end = `until ${formatTime(expiresAt)} UTC`;
  if (url === null)
    print(`a link to choose a password was mailed to ${email}; it works once, ${end}`);
  else print(`link to choose a password; it works once, ${end}:\n${url}`);
}

async function mail(
  sendMail: SendMail,
  settings: Settings,
  link: { email: string; token: string },
): Promise<boolean> {
  try {
    await sendMail(linkMail(settings, link));
    return true;
  } catch (error) {
    process.stderr.write(`verbatim: ${messageOf(error)}; hand out the link yourself\n`);
    return false;
  }
}
