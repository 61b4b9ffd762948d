/** `verbatim operator money`. */
import { Command } from 'commander';
import { formatCredits } from '../accounts/amounts/credits.ts';
import { formatPrice } from '../accounts/amounts/price.ts';
import { creditMoves, moveWords } from '../accounts/credit-moves.ts';
import { firstDayOf, type MoneySpan, moneySpans, netOf } from '../accounts/money.ts';
import type { Outstanding } from '../accounts/sql/money-sums.ts';
import type { PaymentsToReview } from '../accounts/sql/payments-to-review.ts';
import type { Revenue } from '../accounts/sql/statement-sums.ts';
import { formatNumber } from '../text/format-number.ts';
import { readAccounts } from './cli/accounts.ts';
import { type CommonOptions, parseCount, settingsOf, withStoreOptions } from './cli/options.ts';
import { formatCounted, print, printJson, printTable } from './cli/output.ts';

interface MoneyOptions extends CommonOptions {
  days: number;
  months: number;
  limit: number;
}

const DAYS = 30;
const MONTHS = 12;
const PAYMENTS_SHOWN = 50;

export function moneyCommand(): Command {
  return withStoreOptions(new Command('money'))
    .description('add up revenue and credits by month and by day; list payments to look at')
    .option('--days <n>', 'days to print, up to today', parseCount, DAYS)
    .option('--months <n>', 'months to print, up to this one', parseCount, MONTHS)
    .option('--limit <n>', 'payments to print of each kind', parseCount, PAYMENTS_SHOWN)
    .action(async ({ days, months, limit, ...options }: MoneyOptions) => {
      const spans = { now: Date.now(), days, months };
      const { report, toReview } = await readAccounts(settingsOf(options), async (accounts) => ({
        report: await accounts.readMoney({ firstDay: firstDayOf(spans) }),
        toReview: await accounts.listPaymentsToReview({ limit }),
      }));
      const { outstanding } = report;
      const added = moneySpans(report, spans);
      if (options.json) {
        printJson({ ...added, outstanding, toLookAt: toReview });
        return;
      }
      printSpans('month', added.months);
      print('');
      printSpans('day', added.days);
      print('');
      printOutstanding(outstanding);
      printToReview(toReview);
    });
}

function printSpans(head: string, spans: readonly MoneySpan[]): void {
  printTable(
    [
      ...[head, 'paid', 'refunded', 'disputed', 'revenue'],
      ...creditMoves.map((move) => moveWords[move].sum.toLowerCase()),
    ],
    spans.map(({ span, revenue, credits }) => [
      span,
      formatRevenue(revenue, ({ amount }) => amount),
      formatRevenue(revenue, ({ refunded }) => refunded),
      formatRevenue(revenue, ({ disputed }) => disputed),
      formatRevenue(revenue, netOf),
      ...creditMoves.map((move) => credits[move]),
    ]),
  );
}

function formatRevenue(revenue: readonly Revenue[], pick: (of: Revenue) => number): string {
  return revenue
    .filter((of) => pick(of) !== 0)
    .map((of) => formatPrice(pick(of), of.currency))
    .join(', ');
}

function printOutstanding({ customers, credits, debtors, debt, held }: Outstanding): void {
  const by = (count: number): string => formatCounted(count, 'customer', 'customers');
  print(
    `${by(customers)} with ${formatCredits(credits)}, ${by(debtors)} with a debt of ` +
      `${formatNumber(debt)}, ${formatNumber(held)} held for searches in flight`,
  );
}

function printToReview({ payments, strays, disputes, failedRefunds }: PaymentsToReview): void {
  for (const { id, problem } of payments) print(`payment ${id}: ${problem ?? 'not as ordered'}`);
  for (const { id, problem } of strays) print(`event ${id}: ${problem}`);
  for (const { id, paymentId, amount, currency, takesBack } of disputes) {
    const state = takesBack ? 'open or lost' : 'won';
    print(`dispute ${id} of ${nameOf(paymentId)}: ${formatPrice(amount, currency)}, ${state}`);
  }
  for (const { id, paymentId, amount, currency } of failedRefunds) {
    print(`refund ${id} of ${nameOf(paymentId)}: ${formatPrice(amount, currency)}, failed`);
  }
}

function nameOf(paymentId: number | null): string {
  return paymentId === null ? 'an unknown payment' : `payment ${paymentId}`;
}
