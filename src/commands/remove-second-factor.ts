/** `verbatim customer remove-second-factor`: removes the second factor of somebody who has lost it. */
import { Command } from 'commander';
import { VerbatimError } from '../errors.ts';
import { normalizeEmail } from '../store/accounts/customers.ts';
import { changeAccounts } from './cli/accounts.ts';
import { type CommonOptions, settingsOf, withStoreOptions } from './cli/options.ts';
import { print, printJson } from './cli/output.ts';
import { openLog } from './cli/terminal-log.ts';

export function removeSecondFactorCommand(): Command {
  return withStoreOptions(new Command('remove-second-factor'))
    .description('turn two-step sign-in off for somebody who lost app and recovery codes')
    .argument('<email>', 'the address; make sure that its owner is who asks')
    .action(async (given: string, options: CommonOptions) => {
      const email = normalizeEmail(given);
      const settings = settingsOf(options);
      const removed = await changeAccounts(settings, (accounts) =>
        accounts.removeSecondFactor({ email }),
      );
      if (!removed) throw new VerbatimError('usage', `${email} has no two-step sign-in`);
      openLog(settings).warn('second_factor_removed', { customer: email });
      if (options.json) printJson({ email, removed });
      else print(`two-step sign-in of ${email} is off; the password alone is enough`);
    });
}
