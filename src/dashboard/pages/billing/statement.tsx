/** GET /dashboard/billing/statements/MONTH: a statement to print, and the same as CSV and JSON. */
import { buyerLines, sellerLines } from '../../../accounts/payments/receipt.ts';
import { periodOf } from '../../../accounts/sql/calendar-month.ts';
import {
  type StatementRow,
  statementCsv,
  statementRows,
  statementsOf,
} from '../../../accounts/statements.ts';
import { VerbatimError } from '../../../errors.ts';
import type { HttpResponse } from '../../../http/messages.ts';
import { PlainLink } from '../../components/button.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { formatChange, formatCount } from '../../components/format-values.ts';
import { PageHead } from '../../components/page-head.tsx';
import { ReceiptFacts } from '../../components/receipt-facts.tsx';
import type { DashboardDeps } from '../../page/dashboard-deps.ts';
import { CSV_TYPE } from '../../page/download.ts';
import type { CustomerCall, View } from '../../page/page.ts';

export const STATEMENTS_PATH = '/dashboard/billing/statements';

const monthName = new Intl.DateTimeFormat('en-US', {
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
});

interface ReadStatement {
  month: string;
  rows: StatementRow[];
}

/** Throws `not_found` for a month without a statement. */
async function readStatement(
  { accounts: { store, now } }: DashboardDeps,
  { parameters, session }: CustomerCall,
): Promise<ReadStatement> {
  const month = parameters['month'] ?? '';
  if (!/^\d{4}-(0[1-9]|1[0-2])$/.test(month)) throw new VerbatimError('not_found');
  const { sums, revenue } = await store.readStatement({ customerId: session.customer.id, month });
  const statement = statementsOf(sums, now()).find((one) => one.month === month);
  if (statement === undefined) throw new VerbatimError('not_found');
  return { month, rows: statementRows(statement, revenue) };
}

export async function statementPage(deps: DashboardDeps, call: CustomerCall): Promise<View> {
  const { month, rows } = await readStatement(deps, call);
  const { settings, store, now } = deps.accounts;
  const { customer } = call.session;
  const buyer = await store.findBuyer({ customerId: customer.id });
  const title = `Statement for ${monthName.format(Date.parse(`${month}-01`))}`;
  const parties = [
    { label: 'Seller', lines: sellerLines(settings, deps.baseUrl()) },
    { label: 'Customer', lines: buyerLines(buyer, customer.email) },
  ];
  const file = `${STATEMENTS_PATH}/${month}/statement`;
  return {
    title,
    main: (
      <>
        <PageHead title={title}>
          {month === periodOf(now()) ? 'The month is not over: these are the sums so far. ' : null}
          Days are in UTC.
        </PageHead>
        <section class="card" aria-label="Statement">
          <ReceiptFacts facts={parties} />
          <Rows rows={rows} />
        </section>
        <p class="row">
          <PlainLink href={`${file}.csv`}>Download CSV</PlainLink>
          <PlainLink href={`${file}.json`}>Download JSON</PlainLink>
          <PlainLink href="/dashboard/billing">Back to billing</PlainLink>
        </p>
      </>
    ),
  };
}

function Rows({ rows }: { rows: readonly StatementRow[] }) {
  const count = (entries: number | undefined): string | null =>
    entries === undefined ? null : formatCount(entries);
  const columnsOf = (last: string) => [
    { head: 'Line' },
    { head: 'Entries', isNumber: true },
    { head: last, isNumber: true },
  ];
  const ofMoney = rows.filter(({ amount }) => amount !== undefined);
  return (
    <>
      <DataTable
        caption="Credits"
        isCompact
        columns={columnsOf('Credits')}
        rows={rows.flatMap(({ line, entries, credits }) =>
          // Balances have no sign, and no entries.
          credits === undefined
            ? []
            : [[line, count(entries), (count(entries) ? formatChange : formatCount)(credits)]],
        )}
      />
      {ofMoney.length === 0 ? null : (
        <DataTable
          caption="Payments of this month, with their refunds and disputes to date"
          isCompact
          columns={columnsOf('Money')}
          rows={ofMoney.map(({ line, entries, amount, currency }) => [
            line,
            count(entries),
            `${amount} ${currency}`,
          ])}
        />
      )}
    </>
  );
}

export const statementCsvPage = filePage(CSV_TYPE, 'csv', ({ rows }) => statementCsv(rows));

export const statementJsonPage = filePage('application/json', 'json', (statement) =>
  JSON.stringify(statement, null, 2),
);

function filePage(type: string, extension: string, write: (statement: ReadStatement) => string) {
  return async (deps: DashboardDeps, call: CustomerCall): Promise<HttpResponse> => {
    const statement = await readStatement(deps, call);
    const disposition = `attachment; filename="verbatim-${statement.month}.${extension}"`;
    return {
      status: 200,
      headers: { 'Content-Type': type, 'Content-Disposition': disposition },
      body: write(statement),
    };
  };
}
