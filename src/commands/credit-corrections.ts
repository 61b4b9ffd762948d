/** `verbatim credit take-back|refund-many`. */
import { Command, InvalidArgumentError, Option } from 'commander';
import { MOMENT_FORM, parseMoment } from '../accounts/moment.ts';
import { type CallKind, callKinds } from '../accounts/sql/credit-entries.ts';
import { formatNumber } from '../text/format-number.ts';
import { changeAccounts, readAccounts } from './cli/accounts.ts';
import {
  type CommonOptions,
  parseCount,
  parseCreditCount,
  settingsOf,
  withStoreOptions,
} from './cli/options.ts';
import { formatCounted, print, printJson } from './cli/output.ts';

interface TakeBackOptions extends CommonOptions {
  credits?: number;
  mayOwe?: boolean;
  note?: string;
}

interface RefundManyOptions extends CommonOptions {
  from: number;
  until: number;
  key?: string;
  call?: CallKind;
  note?: string;
  dryRun?: boolean;
}

export function takeBackCommand(): Command {
  return withStoreOptions(new Command('take-back'))
    .description('take back credit that was given by mistake, once')
    .argument('<email>', 'the customer')
    .argument('<entry>', 'the entry that gave it, as in `credit ledger`', parseCount)
    .option('--credits <n>', 'only so many of its credits', parseCreditCount)
    .option('--may-owe', 'let the balance fall below zero')
    .option('--note <text>', 'a note for the ledger')
    .action(async (email: string, entryId: number, options: TakeBackOptions) => {
      const { credits, mayOwe, note } = options;
      const taken = await changeAccounts(settingsOf(options), (accounts) =>
        accounts.takeBackCredit({ email, entryId, credits, mayOwe, note, now: Date.now() }),
      );
      if (options.json) printJson(taken);
      else {
        const what = formatCounted(taken.credits, 'credit', 'credits');
        print(`took back ${what}; the balance is ${formatNumber(taken.balance)}`);
      }
    });
}

export function refundManyCommand(): Command {
  return withStoreOptions(new Command('refund-many'))
    .description(
      'refund all requests of a customer in a range of times; repeats refund nothing twice',
    )
    .argument('<email>', 'the customer')
    .requiredOption('--from <time>', `when they started: ${MOMENT_FORM}`, momentParser('first'))
    .requiredOption('--until <time>', 'the last day or minute', momentParser('last'))
    .option('--key <prefix>', 'only those of this key: its whole prefix, as in `key list`')
    .addOption(new Option('--call <kind>', 'only those of this kind').choices(callKinds))
    .option('--note <text>', 'a note for the ledger')
    .option('--dry-run', 'only say how many there are')
    .action(async (email: string, options: RefundManyOptions) => {
      const { from, until, key: keyPrefix, call, note, dryRun } = options;
      const filter = { from, until, keyPrefix, call };
      const settings = settingsOf(options);
      const search = { ...filter, email, limit: settings.refundsAtOnceMax };
      if (dryRun) {
        const { requests, credits } = await readAccounts(settings, (accounts) =>
          accounts.findRefundable(search),
        );
        if (options.json) printJson({ requests, credits });
        else print(`${describe({ requests, credits })} can be refunded`);
        return;
      }
      const refunded = await changeAccounts(settings, async (accounts) => {
        const sum = { requests: 0, credits: 0 };
        for (;;) {
          const { requestIds } = await accounts.findRefundable(search);
          if (requestIds.length === 0) return sum;
          const input = { email, requestIds, filter, note, now: Date.now() };
          const { requests, credits } = await accounts.refundRequests(input);
          sum.requests += requests;
          sum.credits += credits;
        }
      });
      if (options.json) printJson(refunded);
      else print(`refunded ${describe(refunded)}`);
    });
}

function describe({ requests, credits }: { requests: number; credits: number }): string {
  return `${formatCounted(requests, 'request', 'requests')}, ${formatCounted(credits, 'credit', 'credits')}`;
}

/** For commander: a time. */
function momentParser(edge: 'first' | 'last'): (text: string) => number {
  return (text) => {
    const time = parseMoment(text, edge);
    if (time !== undefined) return time;
    throw new InvalidArgumentError(`It must be ${MOMENT_FORM}.`);
  };
}
