/** `verbatim payment list|reconcile`. */
import { Command, Option } from 'commander';
import { formatCredits } from '../accounts/amounts/credits.ts';
import { formatPrice } from '../accounts/amounts/price.ts';
import { type ReconcileReport, reconcile } from '../accounts/payments/reconcile.ts';
import { readOffer } from '../accounts/payments/top-up.ts';
import type { ListedPayment } from '../accounts/sql/payments.ts';
import { faultOf } from '../database/sqlite/faults.ts';
import { VerbatimError } from '../errors.ts';
import type { Settings } from '../settings/config.ts';
import { formatNumber } from '../text/format-number.ts';
import { changeAccounts, readAccounts } from './cli/accounts.ts';
import {
  type CommonOptions,
  parseCount,
  parseDurationMs,
  settingsOf,
  withStoreOptions,
} from './cli/options.ts';
import { formatTime, print, printJson, printTable } from './cli/output.ts';

interface ListOptions extends CommonOptions {
  customer?: string;
  limit: number;
}

interface ReconcileOptions extends CommonOptions {
  since: number;
  dryRun?: boolean;
}

const PAYMENTS_SHOWN = 50;
const SINCE = '7d';

export function paymentCommand(): Command {
  return new Command('payment')
    .description('manage credit bought through Stripe')
    .addCommand(listCommand())
    .addCommand(reconcileCommand());
}

function listCommand(): Command {
  return withStoreOptions(new Command('list'))
    .description('list payments, newest first, and their problems')
    .option('--customer <email>', 'only the payments of one customer')
    .option('--limit <n>', 'payments to print', parseCount, PAYMENTS_SHOWN)
    .action(async ({ customer, limit, ...options }: ListOptions) => {
      const { payments, strays } = await readAccounts(settingsOf(options), (accounts) =>
        accounts.listPayments({ email: customer, limit }),
      );
      if (options.json) {
        printJson({ payments, strays });
        return;
      }
      printPayments(payments);
      for (const { id, problem } of strays) print(`event ${id}: ${problem}`);
    });
}

function printPayments(payments: readonly ListedPayment[]): void {
  printTable(
    ['payment', 'time (UTC)', 'customer', 'credits', 'price', 'state', 'given', 'session'],
    payments.map((payment) => [
      ...[payment.id, formatTime(payment.createdAt), payment.customer, payment.credits],
      ...[formatPrice(payment.amount, payment.currency), payment.state, payment.creditsGiven],
      payment.session ?? '',
    ]),
  );
  for (const { id, problem } of payments) {
    if (problem !== null) print(`payment ${id}: ${problem}`);
  }
}

function reconcileCommand(): Command {
  return withStoreOptions(new Command('reconcile'))
    .description('ask Stripe for payments that no webhook has reported, and credit them')
    .addOption(
      new Option('--since <time>', 'how far to look back: 24h, 7d')
        .argParser(parseDurationMs)
        .default(parseDurationMs(SINCE), SINCE),
    )
    .option('--dry-run', 'only report what would be done')
    .action(async (options: ReconcileOptions) => {
      const report = await reconcileWithStripe(settingsOf(options), options);
      if (options.json) {
        printJson(report);
        return;
      }
      for (const { event, outcome, paymentId, credits, problem } of report.found) {
        const payment = paymentId === undefined ? event : `payment ${paymentId}`;
        print(`${payment}: ${problem ?? `${outcome} ${formatCredits(credits ?? 0)}`}`);
      }
      const changes = formatNumber(report.found.length);
      const doing = options.dryRun ? 'nothing was written' : 'done';
      print(`${formatNumber(report.sessions)} sessions, ${changes} to look at; ${doing}`);
    });
}

async function reconcileWithStripe(
  settings: Settings,
  { since, dryRun = false }: ReconcileOptions,
): Promise<ReconcileReport> {
  if (readOffer(settings) === undefined) {
    throw new VerbatimError('usage', 'top-up is off: set VERBATIM_STRIPE_SECRET_KEY, see README');
  }
  const { createStripeClient, describeStripeError } = await import(
    '../accounts/payments/stripe.ts'
  );
  const stripe = createStripeClient(settings);
  return await changeAccounts(settings, async (accounts) => {
    try {
      return await reconcile({
        stripe,
        sinceMs: Date.now() - since,
        sessionsMax: settings.reconcileSessionsMax,
        record: (events) => accounts.recordReconciled({ events, dryRun, now: Date.now() }),
      });
    } catch (error) {
      if (error instanceof VerbatimError || faultOf(error) !== undefined) throw error;
      throw new VerbatimError('stripe_unreachable', `Stripe: ${describeStripeError(error)}`);
    }
  });
}
