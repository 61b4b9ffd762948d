/** The ways on which alerts reach operators. Each is told of everything, and tried until it was. */
import type { SendMail } from '../../accounts/mail.ts';
import { isEmail } from '../../accounts/sql/customers.ts';
import { messageOf } from '../../errors.ts';
import type { Log } from '../../log.ts';
import { type AlertMessage, mailOf } from './alert-message.ts';
import type { SendWebhook } from './send-webhook.ts';

export interface AlertChannel {
  name: 'mail' | 'webhook';
  /** Sends to operators with these addresses. Rejects if it reached nobody. */
  send(message: AlertMessage, operators: readonly string[]): Promise<void>;
}

export interface ChannelOptions {
  sendMail: SendMail | undefined;
  webhook: SendWebhook | undefined;
  /** The address at which customers reach the operator, for a service without operators. */
  contact: string;
  log: Log;
}

/** Returns the channels that are set up. */
export function createAlertChannels(options: ChannelOptions): AlertChannel[] {
  const { sendMail, webhook } = options;
  const send = async (message: AlertMessage) => webhook?.(JSON.stringify(message));
  return [
    ...(sendMail === undefined ? [] : [createMailChannel({ ...options, sendMail })]),
    ...(webhook === undefined ? [] : [{ name: 'webhook', send } as const]),
  ];
}

function createMailChannel({
  sendMail,
  contact,
  log,
}: ChannelOptions & { sendMail: SendMail }): AlertChannel {
  return {
    name: 'mail',
    async send(message, operators) {
      const isAlone = operators.length === 0 && isEmail(contact);
      // Without operators, nobody can sign in at the link.
      const mail = mailOf(isAlone ? { ...message, link: '' } : message);
      let reached = 0;
      for (const to of isAlone ? [contact] : operators) {
        await sendMail({ to, ...mail }).then(
          () => reached++,
          (error: unknown) => log.error('alert_mail_failed', { reason: messageOf(error) }),
        );
      }
      if (reached === 0) throw new Error('no mail was accepted');
    },
  };
}
