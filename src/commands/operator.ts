/** `verbatim operator trail|money`. */
import { Command } from 'commander';
import { readAccounts } from './cli/accounts.ts';
import { type CommonOptions, parseCount, settingsOf, withStoreOptions } from './cli/options.ts';
import { formatTime, printable, printJson, printTable } from './cli/output.ts';
import { moneyCommand } from './operator-money.ts';

interface TrailOptions extends CommonOptions {
  customer?: string;
  limit: number;
}

const ACTIONS_SHOWN = 50;

export function operatorCommand(): Command {
  return new Command('operator')
    .description('what operators changed, and what customers paid and spent')
    .addCommand(trailCommand())
    .addCommand(moneyCommand());
}

function trailCommand(): Command {
  return withStoreOptions(new Command('trail'))
    .description('list what operators changed, here and on their pages, newest first')
    .option('--customer <email>', 'only what was about one customer')
    .option('--limit <n>', 'actions to print', parseCount, ACTIONS_SHOWN)
    .action(async ({ customer, limit, ...options }: TrailOptions) => {
      const actions = await readAccounts(settingsOf(options), (accounts) =>
        accounts.listActions({ email: customer, limit }),
      );
      if (options.json) {
        printJson(actions);
        return;
      }
      printTable(
        ['time (UTC)', 'who', 'action', 'customer', 'key or search', 'details'],
        actions.map((action) => [
          ...[formatTime(action.at), action.actor, action.action, action.customer ?? ''],
          ...[action.subject ?? '', printable(action.details ?? '')],
        ]),
      );
    });
}
