/** Gets a one-time link to its customer: by mail where there is a mail server, else by the operator. */
import { assertAccountSettings } from '../accounts/create-accounts.ts';
import { linkExpiry, linkMail, linkUrl } from '../accounts/links.ts';
import { createMailer, type SendMail } from '../accounts/mail.ts';
import type { Settings } from '../config.ts';
import { messageOf } from '../errors.ts';
import { createLink } from '../store/accounts/sign-in-links.ts';
import type { Connection } from '../store/database/connection.ts';
import { formatTime, print } from './output.ts';

export interface HandedOutLink {
  /** null: it went by mail. */
  url: string | null;
  expiresAt: number;
}

export interface LinkMaker {
  /** Makes a link of a customer, within the caller's transaction. */
  create(db: Connection, customerId: number): { token: string; expiresAt: number };
  /** Mails it, or returns its address to be printed. A mail that fails is told and printed too. */
  handOut(link: { email: string; token: string; expiresAt: number }): Promise<HandedOutLink>;
}

/** Throws `usage` for settings of addresses or mail that can't be, before anything is changed. */
export function createLinkMaker(settings: Settings): LinkMaker {
  assertAccountSettings(settings);
  const sendMail = createMailer(settings);
  return {
    create: (db, customerId) =>
      createLink(db, { customerId, expiresAt: linkExpiry(settings, Date.now()) }),
    async handOut({ email, token, expiresAt }) {
      const isMailed = sendMail !== undefined && (await mail(sendMail, settings, { email, token }));
      return { url: isMailed ? null : linkUrl(settings, token), expiresAt };
    },
  };
}

/** For people. */
export function printLink(email: string, { url, expiresAt }: HandedOutLink): void {
  const end = `until ${formatTime(expiresAt)} UTC`;
  if (url === null) print(`a link to choose a password went to ${email}; it works once, ${end}`);
  else print(`the link to choose a password, which works once, ${end}:\n${url}`);
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
    process.stderr.write(`verbatim: ${messageOf(error)}; hand the link out yourself\n`);
    return false;
  }
}
