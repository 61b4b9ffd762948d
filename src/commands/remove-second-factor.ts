/** `verbatim customer remove-second-factor`: removes the second factor of somebody who has lost it. */
import { Command } from 'commander';
import { assertAccountSettings } from '../accounts/create-accounts.ts';
import { createMailer, type SendMail } from '../accounts/mail.ts';
import { secondFactorRemoved, securityMail } from '../accounts/security-mails.ts';
import { normalizeEmail } from '../accounts/sql/customers.ts';
import { messageOf, VerbatimError } from '../errors.ts';
import type { Settings } from '../settings/config.ts';
import { changeAccounts } from './cli/accounts.ts';
import { type CommonOptions, settingsOf, withStoreOptions } from './cli/options.ts';
import { print, printJson } from './cli/output.ts';
import { openLog } from './cli/terminal-log.ts';

export function removeSecondFactorCommand(): Command {
  return withStoreOptions(new Command('remove-second-factor'))
    .description('turn two-step sign-in off for somebody who lost app and recovery codes')
    .argument('<email>', 'the address; make sure that its owner is who asks')
    .action(async (address: string, options: CommonOptions) => {
      const email = normalizeEmail(address);
      const settings = settingsOf(options);
      // Before anything changes: wrong settings of the mail server end the command.
      assertAccountSettings(settings);
      const removed = await changeAccounts(settings, (accounts) =>
        accounts.removeSecondFactor({ email }),
      );
      if (!removed) throw new VerbatimError('usage', `${email} has no two-step sign-in`);
      openLog(settings).warn('second_factor_removed', { customer: email });
      const mailed = await tell(email, settings, createMailer(settings));
      if (options.json) printJson({ email, removed, mailed });
      else {
        const mailNote = mailed ? '; a mail tells them' : '';
        print(`two-step sign-in of ${email} is off; the password alone is enough${mailNote}`);
      }
    });
}

/** Mails it to whom it happened. Returns whether there is a mail server that took the mail. */
async function tell(
  email: string,
  settings: Settings,
  sendMail: SendMail | undefined,
): Promise<boolean> {
  if (sendMail === undefined) return false;
  try {
    await sendMail({ to: email, ...securityMail(settings, secondFactorRemoved, Date.now()) });
    return true;
  } catch (error) {
    process.stderr.write(`verbatim: ${messageOf(error)}; tell ${email} yourself\n`);
    return false;
  }
}
