/** `verbatim accounts move|reclaim`. */
import { Command } from 'commander';
import { accountsMoveCommand } from './accounts-move.ts';
import { accountsReclaimCommand } from './accounts-reclaim.ts';

export function accountsCommand(): Command {
  return new Command('accounts')
    .description('move all accounts between the SQLite file and PostgreSQL')
    .addCommand(accountsMoveCommand())
    .addCommand(accountsReclaimCommand());
}
