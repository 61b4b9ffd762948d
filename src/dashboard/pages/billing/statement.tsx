/** GET /dashboard/billing/statements/MONTH: a statement to print, and the same as CSV and JSON. */
import { buyerLines, sellerLines } from '../../../accounts/payments/receipt.ts';
import { periodOf } from '../../../accounts/sql/calendar-month.ts';
import {
  type StatementRow,
  statementRows,
  statementsOf,
  statementTable,
} from '../../../accounts/statements.ts';
import type { Table } from '../../../accounts/write-table.ts';
import { VerbatimError } from '../../../errors.ts';
import { PlainLink } from '../../components/button.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { FactList } from '../../components/fact-list.tsx';
import { Downloads } from '../../components/filtered-list.tsx';
import { formatChange, formatCount, formatMonth } from '../../components/format-values.ts';
import { PageHead } from '../../components/page-head.tsx';
import type { DashboardDeps } from '../../page/dashboard-deps.ts';
import type { CustomerCall, View } from '../../page/page.ts';

export const STATEMENTS_PATH = '/dashboard/billing/statements';

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
  const title = `Statement for ${formatMonth(Date.parse(`${month}-01`))}`;
  const parties = [
    { label: 'Seller', lines: sellerLines(settings, deps.baseUrl()) },
    { label: 'Customer', lines: buyerLines(buyer, customer.email) },
  ];
  return {
    title,
    main: (
      <>
        <PageHead
          title={title}
          action={<Downloads path={`${STATEMENTS_PATH}/${month}/statement`} />}
        >
          {month === periodOf(now()) ? 'The month is not over: these are the sums so far. ' : null}
          Days are in UTC.
        </PageHead>
        <section class="card" aria-label="Statement">
          <FactList facts={parties} />
          <Rows rows={rows} />
        </section>
        <p>
          <PlainLink href="/dashboard/billing">Back to billing</PlainLink>
        </p>
      </>
    ),
  };
}

function Rows({ rows }: { rows: readonly StatementRow[] }) {
  return (
    <DataTable
      caption="Credits, and the payments of this month with their refunds and disputes to date"
      isCompact
      columns={[
        { head: 'Line' },
        { head: 'Entries', isNumber: true },
        { head: 'Credits', isNumber: true },
        { head: 'Money', isNumber: true },
      ]}
      rows={rows.map(({ line, entries, credits, amount, currency }) => [
        line,
        entries === undefined ? null : formatCount(entries),
        // Balances have no sign, and no entries.
        credits === undefined
          ? null
          : (entries === undefined ? formatCount : formatChange)(credits),
        amount === undefined ? null : `${amount} ${currency}`,
      ])}
    />
  );
}

/** Returns the rows of a statement. Throws `not_found` for a month without one. */
export async function statementFile(deps: DashboardDeps, call: CustomerCall): Promise<Table> {
  const { month, rows } = await readStatement(deps, call);
  return statementTable(month, rows);
}
