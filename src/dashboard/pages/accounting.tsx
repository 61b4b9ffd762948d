/** GET /dashboard/accounting: every change of the balance, newest first, with two entries for a search. */
import { ledgerTable } from '../../accounts/account-tables.ts';
import { ledgerPage as readPage } from '../../accounts/credit.ts';
import { entryLabel } from '../../accounts/credit-moves.ts';
import { listCustomerKeys } from '../../accounts/customer-keys.ts';
import type { LedgerPageEntry } from '../../accounts/sql/ledger-pages.ts';
import type { Table } from '../../accounts/write-table.ts';
import { Badge } from '../components/badge.tsx';
import { DataTable } from '../components/data-table.tsx';
import { Empty } from '../components/empty.tsx';
import { Select } from '../components/field.tsx';
import { DayFields, KeySelect } from '../components/filter-form.tsx';
import { Downloads, FilteredList, NoneMatches } from '../components/filtered-list.tsx';
import { formatChange, formatCount } from '../components/format-values.ts';
import { PageHead } from '../components/page-head.tsx';
import { RoleLink } from '../components/role-link.tsx';
import { Timestamp } from '../components/timestamp.tsx';
import type { DashboardDeps } from '../page/dashboard-deps.ts';
import { assertFilter, filterFaultOf, withFilterFault } from '../page/filter-faults.ts';
import { kindGroups, readLedgerFilter } from '../page/ledger-filter.ts';
import type { CustomerCall, View } from '../page/page.ts';

const PATH = '/dashboard/accounting';

export async function accountingPage(deps: DashboardDeps, call: CustomerCall): Promise<View> {
  const customerId = call.session.customer.id;
  const keys = await listCustomerKeys(deps.accounts, customerId);
  const read = readLedgerFilter(call.query, keys);
  const { fields, errors } = read;
  const kinds = Object.entries(kindGroups).map(([value, { label }]) => ({ value, label }));
  return withFilterFault(read, {
    title: 'Accounting view',
    main: (
      <>
        <PageHead title="Accounting view" action={<Downloads path={PATH} read={read} />}>
          Every change of your balance. A call holds a credit while it runs. The credit is then
          charged, or released if the call fails. A reversal takes back the credit of a refunded
          payment.{' '}
          <RoleLink href="/dashboard/billing" keepsWords>
            Billing
          </RoleLink>{' '}
          adds up each month.
        </PageHead>
        <FilteredList
          path={PATH}
          what="entries"
          read={read}
          page={
            filterFaultOf(read) === undefined
              ? await readPage(deps.accounts, { ...read.filter, customerId })
              : undefined
          }
          form={
            <>
              <Select
                label="Show"
                name="kind"
                value={fields.kind}
                error={errors.kind}
                options={[{ value: '', label: 'Everything' }, ...kinds]}
              />
              <KeySelect fields={fields} errors={errors} keys={keys} />
              <DayFields fields={fields} errors={errors} />
            </>
          }
          table={(entries) => <Entries entries={entries} />}
          none={(isFiltered) => (isFiltered ? <NoneMatches path={PATH} /> : <NoEntries />)}
        />
      </>
    ),
  });
}

function Entries({ entries }: { entries: readonly LedgerPageEntry[] }) {
  return (
    <DataTable
      caption="Entries, newest first"
      isCaptionHidden
      columns={[
        { head: 'Time' },
        { head: 'Entry' },
        { head: 'Credits', isNumber: true },
        { head: 'Balance', isNumber: true },
        { head: 'Key' },
        { head: 'Reference' },
      ]}
      rows={entries.map((entry) => [
        <Timestamp key="when" time={entry.createdAt} />,
        <EntryCell key="entry" entry={entry} />,
        formatChange(entry.credits),
        formatCount(entry.balance),
        entry.keyName === null ? (
          '–'
        ) : (
          <span key="key" title={entry.keyPrefix ?? undefined}>
            {entry.keyName}
          </span>
        ),
        <Reference key="reference" entry={entry} />,
      ])}
    />
  );
}

function EntryCell({ entry }: { entry: LedgerPageEntry }) {
  return (
    <>
      {entryLabel(entry)}
      {entry.kind === 'settle' && entry.refundedAt !== null ? (
        <Badge tone="good">refunded</Badge>
      ) : null}
    </>
  );
}

/** What an entry is about, by the ids that others know it by, and the note of its author. */
function Reference({ entry: { requestId, reference, note } }: { entry: LedgerPageEntry }) {
  return (
    <>
      {requestId === null ? null : <span class="mono id">{requestId}</span>}
      {reference === null ? null : <span class="mono id">{reference}</span>}
      {note === null ? null : <bdi class="soft"> {note}</bdi>}
    </>
  );
}

function NoEntries() {
  return (
    <Empty title="No entries yet">
      <p>Purchases, gifts, and calls will appear here, one line each.</p>
      <RoleLink class="button" href="/dashboard/billing">
        Top up
      </RoleLink>
    </Empty>
  );
}

/** Returns the filtered entries. Throws `bad_request` for a wrong filter. */
export async function accountingFile(deps: DashboardDeps, call: CustomerCall): Promise<Table> {
  const customerId = call.session.customer.id;
  const read = readLedgerFilter(call.query, await listCustomerKeys(deps.accounts, customerId));
  assertFilter(read);
  return ledgerTable(deps.accounts, { ...read.filter, customerId });
}
