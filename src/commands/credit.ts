/** `verbatim credit add|refund|ledger|audit`. */
import { Command } from 'commander';
import { VerbatimError } from '../errors.ts';
import { formatNumber } from '../text/format-number.ts';
import { changeAccounts, readAccounts } from './cli/accounts.ts';
import {
  type CommonOptions,
  parseCount,
  parseCreditCount,
  settingsOf,
  withStoreOptions,
} from './cli/options.ts';
import { formatCounted, formatTime, print, printJson, printTable } from './cli/output.ts';

interface AddOptions extends CommonOptions {
  reference?: string;
  note?: string;
}

interface RefundOptions extends CommonOptions {
  note?: string;
}

interface LedgerOptions extends CommonOptions {
  limit: number;
}

const ENTRIES_SHOWN = 50;

export function creditCommand(): Command {
  return new Command('credit')
    .description('manage credits; one credit pays for one search')
    .addCommand(addCommand())
    .addCommand(refundCommand())
    .addCommand(ledgerCommand())
    .addCommand(auditCommand());
}

function addCommand(): Command {
  return withStoreOptions(new Command('add'))
    .description('add credit to a customer')
    .argument('<email>', 'the customer')
    .argument('<credits>', 'the number of credits', parseCreditCount)
    .option('--reference <text>', 'names the payment, which counts only once')
    .option('--note <text>', 'a note for the ledger')
    .action(async (email: string, credits: number, options: AddOptions) => {
      const { reference, note } = options;
      const balance = await changeAccounts(settingsOf(options), (accounts) =>
        accounts.topUp({ email, credits, reference, note, now: Date.now() }),
      );
      if (options.json) printJson({ email, credits, balance });
      else
        print(
          `added ${formatCounted(credits, 'credit', 'credits')}; the balance is ${formatNumber(balance)}`,
        );
    });
}

function refundCommand(): Command {
  return withStoreOptions(new Command('refund'))
    .description('refund a search')
    .argument('<request-id>', "the search's X-Request-Id")
    .option('--note <text>', 'a note for the ledger')
    .action(async (requestId: string, options: RefundOptions) => {
      const { note } = options;
      const entry = await changeAccounts(settingsOf(options), (accounts) =>
        accounts.refundSearch({ requestId, note, now: Date.now() }),
      );
      if (options.json) printJson(entry);
      else print(`refunded ${entry.credits}; the balance is ${formatNumber(entry.balance)}`);
    });
}

function ledgerCommand(): Command {
  return withStoreOptions(new Command('ledger'))
    .description("print a customer's ledger, newest first")
    .argument('<email>', 'the customer')
    .option('--limit <n>', 'entries to print', parseCount, ENTRIES_SHOWN)
    .action(async (email: string, options: LedgerOptions) => {
      const entries = await readAccounts(settingsOf(options), (accounts) =>
        accounts.listEntries({ email, limit: options.limit }),
      );
      if (options.json) {
        printJson(entries);
        return;
      }
      printTable(
        ['entry', 'time (UTC)', 'kind', 'credits', 'balance', 'search or payment', 'note'],
        entries.map((entry) => [
          ...[entry.id, formatTime(entry.createdAt), entry.kind, entry.credits, entry.balance],
          ...[entry.requestId ?? entry.reference ?? '', entry.note ?? ''],
        ]),
      );
    });
}

function auditCommand(): Command {
  return withStoreOptions(new Command('audit'))
    .description('recompute everything from the ledger; exit with 1 if anything differs')
    .action(async (options: CommonOptions) => {
      const report = await readAccounts(settingsOf(options), (accounts) => accounts.audit());
      if (options.json) printJson(report);
      else {
        for (const difference of report.differences) print(difference);
        const { customers, entries, held } = report;
        print(
          `${formatCounted(entries, 'entry', 'entries')} of ` +
            `${formatCounted(customers, 'customer', 'customers')} audited, ` +
            `${formatCounted(held, 'credit', 'credits')} held for searches in flight`,
        );
      }
      if (report.differences.length > 0) {
        throw new VerbatimError('audit_failed', 'the ledger does not add up');
      }
      if (!options.json) print('everything adds up');
    });
}
