/** `verbatim accounts move`: moves all accounts from an SQLite file to PostgreSQL, or back. */
import { existsSync } from 'node:fs';
import { Command } from 'commander';
import type { Moved, MoveOptions, MoveStep } from '../../accounts/move/move-accounts.ts';
import type { Settings } from '../../settings/config.ts';
import { formatNumber } from '../../text/format-number.ts';
import { listenForInterruption } from '../cli/interruption.ts';
import { settingsOf, storeOptions, withConfigOption } from '../cli/options.ts';
import { formatCounted, print, printJson } from '../cli/output.ts';
import { createProgressDisplay, formatDuration, type ProgressDisplay } from '../cli/progress.ts';
import { accountSettings, readMoveEnds } from './move-ends.ts';

interface AccountsMoveOptions {
  from: string;
  to: string;
  dryRun?: boolean;
  json?: boolean;
  config?: string;
}

const stepMessages: Partial<Record<MoveStep, string>> = {
  copied: 'copied and compared',
  switched: 'the accounts have moved',
};

export function accountsMoveCommand(): Command {
  return withConfigOption(new Command('move'))
    .description('move all accounts from an SQLite file to PostgreSQL, or back')
    .requiredOption('--from <database>', 'where the accounts are: a file, or postgres://...')
    .requiredOption('--to <database>', 'where they go: the other of the two')
    .option('--dry-run', 'only check both databases, and say what would move')
    .option('--json', 'print JSON for programs')
    .addHelpText(
      'after',
      `
Examples:
  verbatim accounts move --from verbatim.db --to postgres://verbatim@db.example.org/verbatim --dry-run
  verbatim accounts move --from verbatim.db --to postgres://verbatim@db.example.org/verbatim
  verbatim accounts move --from postgres://verbatim@db.example.org/verbatim --to verbatim.db

Stop all servers first. A password in an address can be seen by other users of this machine; use the
variable PGPASSWORD, or a file .pgpass, instead.

Customers, members, keys, sessions, the ledger, payments, and everything else of accounts keep their
ids. Both databases are audited, and every row is compared. The command may be interrupted or killed at
any time: the accounts are then in one of the two databases, and the same command goes on. The source
keeps a copy, which servers and commands refuse to use. To undo a move, move the accounts back with
--from and --to exchanged: the copy is replaced. Limits of rates, and what fallback lanes keep, do not
move. The index stays in the SQLite file.`,
    )
    .action(run);
}

async function run(options: AccountsMoveOptions): Promise<void> {
  const { from, to, dryRun = false, json = false } = options;
  const { direction, path, address } = readMoveEnds(from, to);
  const settings = { ...settingsOf(options), database: path, accountsAddress: address };
  const display = createProgressDisplay(process.stderr, { format: json ? 'json' : 'text' });
  const interruption = listenForInterruption(display, 'stopping; nothing will move');
  try {
    const showing = { ...showProgress(display), signal: interruption.signal };
    const moved = await move(settings, { direction, isDryRun: dryRun, ...showing });
    display.finish();
    report(moved, options);
  } finally {
    display.finish();
    interruption.stop();
  }
}

type Showing = Pick<MoveOptions, 'onStep' | 'onRows' | 'signal'>;

/** Opens both databases, moves, and always closes them. The library is loaded only here. */
async function move(
  settings: Settings,
  { isDryRun, ...rest }: Showing & Pick<MoveOptions, 'direction'> & { isDryRun: boolean },
): Promise<Moved> {
  const { withMoveEnds } = await import('../../accounts/move/with-move-ends.ts');
  const { checkMove, moveAccounts } = await import('../../accounts/move/move-accounts.ts');
  const opening = {
    settings: accountSettings(settings),
    store: storeOptions(settings),
    isDryRun,
    isFileCreated: rest.direction === 'to_file' && !isDryRun && !existsSync(settings.database),
  };
  return await withMoveEnds(opening, (ends) =>
    (isDryRun ? checkMove : moveAccounts)({ ...ends, ...rest }),
  );
}

function showProgress(display: ProgressDisplay): Pick<Showing, 'onStep' | 'onRows'> {
  const start = performance.now();
  return {
    onStep(step) {
      const message = stepMessages[step];
      if (message !== undefined) display.message(message);
    },
    onRows(done, total) {
      const seconds = (performance.now() - start) / 1000;
      const left = done === 0 ? '' : `  ${formatDuration(seconds * (total / done - 1))} left`;
      display.status(
        `${formatNumber(done)} of ${formatNumber(total)} rows copied or compared${left}`,
      );
    },
  };
}

function report(moved: Moved, { from, to, dryRun = false, json }: AccountsMoveOptions): void {
  if (moved === undefined) {
    if (json) printJson({ moved: true, finishedEarlierMove: true });
    else print('an interrupted move is finished; the accounts have moved');
    return;
  }
  const { tables, audit } = moved;
  const { customers, entries, held } = audit;
  if (json) {
    printJson({ moved: !dryRun, tables, customers, entries, held });
    return;
  }
  const rows = Object.values(tables).reduce((sum, count) => sum + count, 0);
  print(
    `${formatCounted(rows, 'row', 'rows')} of ${Object.keys(tables).length} tables ` +
      `${dryRun ? 'would move' : 'moved, each compared'}: ` +
      `${formatCounted(customers, 'customer', 'customers')}, ` +
      `${formatCounted(entries, 'ledger entry', 'ledger entries')}, ` +
      `${formatCounted(held, 'credit', 'credits')} held`,
  );
  if (dryRun) return;
  const { direction } = readMoveEnds(from, to);
  print(
    direction === 'to_postgres'
      ? 'now set VERBATIM_ACCOUNTS, and start the servers; back up PostgreSQL with its own tools'
      : 'now unset VERBATIM_ACCOUNTS, and start one server with this file',
  );
}
