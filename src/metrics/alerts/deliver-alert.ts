/** Sends an alert to everybody who shall get it. */
import type { SendMail } from '../../accounts/mail.ts';
import { isEmail } from '../../accounts/sql/customers.ts';
import { messageOf } from '../../errors.ts';
import type { Log } from '../../log.ts';
import { type AlertMessage, mailOf, webhookBodyOf } from './alert-message.ts';
import type { SendWebhook } from './send-webhook.ts';

/** What became of a message. */
export interface Delivery {
  /** The addresses whose mail was accepted. */
  mailed: string[];
  hasReachedWebhook: boolean;
  /** Why others got nothing. */
  failures: string[];
}

export interface Channels {
  sendMail: SendMail | undefined;
  webhook: SendWebhook | undefined;
  /** Reads the addresses of operators who can sign in. */
  operators: () => Promise<string[]>;
  /** The address at which customers reach the operator, for a service without operators. */
  contact: string;
  /** Returns the address of the operator's pages. */
  link: () => string;
  log: Log;
}

export interface AlertSender {
  /** Whether there is anybody to send to. */
  hasChannel(): boolean;
  /** Resolves to the addresses that get mail. */
  recipients(): Promise<string[]>;
  /** Never rejects. */
  send(message: AlertMessage): Promise<Delivery>;
}

export function createAlertSender({ sendMail, webhook, ...rest }: Channels): AlertSender {
  const { operators, contact, link, log } = rest;
  // For the time when they cannot be read, which is when alerts matter most.
  let known: string[] = [];
  const recipients = async (): Promise<string[]> => {
    if (sendMail === undefined) return [];
    known = await operators().catch(() => known);
    return known.length === 0 && isEmail(contact) ? [contact] : known;
  };
  return {
    hasChannel: () => sendMail !== undefined || webhook !== undefined,
    recipients,
    async send(message) {
      const delivery: Delivery = { mailed: [], hasReachedWebhook: false, failures: [] };
      const fail = (error: unknown): void => {
        const reason = messageOf(error);
        delivery.failures.push(reason);
        log.error('alert_not_sent', { kind: message.kind, state: message.state, reason });
      };
      const mailEach = async (): Promise<void> => {
        const addresses = await recipients();
        const mail = mailOf(message, known.length === 0 ? undefined : link());
        for (const to of addresses) {
          await sendMail?.({ to, ...mail }).then(() => delivery.mailed.push(to), fail);
        }
      };
      const post = async (): Promise<void> => {
        await webhook?.(webhookBodyOf(message)).then(() => {
          delivery.hasReachedWebhook = true;
        }, fail);
      };
      await Promise.all([mailEach(), post()]);
      return delivery;
    },
  };
}
