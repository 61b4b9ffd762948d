/** `verbatim operator add|link|list|remove|trail|money`. */
import { Command } from 'commander';
import { assertAccountSettings, operatorSessionLimits } from '../accounts/create-accounts.ts';
import { linkExpiry, operatorLinkUrl } from '../accounts/links.ts';
import type { LinkedOperator } from '../accounts/sql/operators.ts';
import type { Settings } from '../settings/config.ts';
import { changeAccounts, createAccounts, readAccounts } from './cli/accounts.ts';
import { type CommonOptions, parseCount, settingsOf, withStoreOptions } from './cli/options.ts';
import { formatTime, print, printable, printJson, printTable } from './cli/output.ts';
import { moneyCommand } from './operator-money.ts';

interface TrailOptions extends CommonOptions {
  customer?: string;
  limit: number;
}

const ACTIONS_SHOWN = 50;

export function operatorCommand(): Command {
  return new Command('operator')
    .description(
      'operators, who sign in at /operator, what they changed, and what customers paid and spent',
    )
    .addCommand(addCommand())
    .addCommand(linkCommand())
    .addCommand(listCommand())
    .addCommand(removeCommand())
    .addCommand(trailCommand())
    .addCommand(moneyCommand());
}

function addCommand(): Command {
  return withStoreOptions(new Command('add'))
    .description('add an operator; print a one-time link to choose a password and set up an app')
    .argument('<email>', "the operator's e-mail address")
    .action(async (email: string, options: CommonOptions) => {
      const settings = readAddressSettings(options);
      const now = Date.now();
      const linkExpiresAt = linkExpiry(settings, now);
      const linked = await createAccounts(settings, (accounts) =>
        accounts.addOperator({ email, linkExpiresAt, now }),
      );
      printLinked('added', linked, { settings, isJson: options.json });
    });
}

function linkCommand(): Command {
  return withStoreOptions(new Command('link'))
    .description('print a new one-time link; it replaces password and authenticator app')
    .argument('<email>', "the operator's e-mail address")
    .action(async (email: string, options: CommonOptions) => {
      const settings = readAddressSettings(options);
      const expiresAt = linkExpiry(settings, Date.now());
      const linked = await changeAccounts(settings, (accounts) =>
        accounts.linkOperator({ email, expiresAt }),
      );
      printLinked('new link for', linked, { settings, isJson: options.json });
    });
}

/** Throws `usage` for an invalid address of the service, before anything changes. */
function readAddressSettings(options: CommonOptions): Settings {
  const settings = settingsOf(options);
  assertAccountSettings(settings);
  return settings;
}

/** Nobody sends this link: whoever runs the command hands it over. */
function printLinked(
  done: string,
  { operator, link }: LinkedOperator,
  { settings, isJson }: { settings: Settings; isJson: boolean | undefined },
): void {
  const url = operatorLinkUrl(settings, link.token);
  const { expiresAt } = link;
  if (isJson) {
    printJson({ ...operator, link: { url, expiresAt } });
    return;
  }
  print(`${done} ${operator.email}; the link works once, until ${formatTime(expiresAt)} UTC:`);
  print(url);
  print('Hand it over in person or in a way that only they can read.');
}

function listCommand(): Command {
  return withStoreOptions(new Command('list'))
    .description('list operators')
    .action(async (options: CommonOptions) => {
      const settings = settingsOf(options);
      const now = Date.now();
      const limits = operatorSessionLimits(settings);
      const operators = await readAccounts(settings, (accounts) =>
        accounts.listOperators({ limits, now }),
      );
      if (options.json) {
        printJson(operators);
        return;
      }
      printTable(
        ['operator', 'added (UTC)', 'state', 'sessions', 'last used (UTC)'],
        operators.map(({ email, createdAt, enrolledAt, sessions, seenAt, ...rest }) => [
          ...[email, formatTime(createdAt), describeState({ enrolledAt, ...rest }, now), sessions],
          seenAt === null ? '' : formatTime(seenAt),
        ]),
      );
    });
}

function describeState(
  { enrolledAt, linkExpiresAt }: { enrolledAt: number | null; linkExpiresAt: number | null },
  now: number,
): string {
  const hasLink = linkExpiresAt !== null && linkExpiresAt > now;
  if (enrolledAt !== null) return hasLink ? 'set up, has a new link' : 'set up';
  return hasLink ? 'has a link' : 'needs a new link';
}

function removeCommand(): Command {
  return withStoreOptions(new Command('remove'))
    .description('remove an operator; their sessions end immediately')
    .argument('<email>', "the operator's e-mail address")
    .action(async (email: string, options: CommonOptions) => {
      const operator = await changeAccounts(settingsOf(options), (accounts) =>
        accounts.removeOperator({ email }),
      );
      if (options.json) printJson(operator);
      else print(`removed ${operator.email}`);
    });
}

function trailCommand(): Command {
  return withStoreOptions(new Command('trail'))
    .description('list the changes that operators made, here and on their pages, newest first')
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
