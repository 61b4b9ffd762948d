/**
 * GET /dashboard/activity/accounting and accounting.csv: every change of the balance, newest first,
 * with two entries for a search.
 */

import { ledgerPage as readPage } from '../../accounts/credit.ts';
import { entryLabel } from '../../accounts/credit-moves.ts';
import { listCustomerKeys } from '../../accounts/customer-keys.ts';
import { ledgerCsv } from '../../accounts/ledger-csv.ts';
import type { LedgerPage, LedgerPageEntry } from '../../accounts/sql/ledger-pages.ts';
import { VerbatimError } from '../../errors.ts';
import { Badge } from '../components/badge.tsx';
import { PlainLink } from '../components/button.tsx';
import { DataTable } from '../components/data-table.tsx';
import { Empty } from '../components/empty.tsx';
import { keyCell, Reference } from '../components/entry-cells.tsx';
import { Select } from '../components/field.tsx';
import { DayFields, FilterError, FilterForm, KeySelect } from '../components/filter-form.tsx';
import { formatChange, formatCount } from '../components/format-values.ts';
import { PageHead } from '../components/page-head.tsx';
import { RoleLink } from '../components/role-link.tsx';
import { Timestamp } from '../components/timestamp.tsx';
import type { DashboardDeps } from '../page/dashboard-deps.ts';
import { CSV_TYPE, download } from '../page/download.ts';
import { describeErrors, linkTo } from '../page/filter-fields.ts';
import { kindGroups, type ReadLedgerFilter, readLedgerFilter } from '../page/ledger-filter.ts';
import { type CustomerCall, type Reply, type View, withError } from '../page/page.ts';

const PATH = '/dashboard/activity/accounting';

export async function accountingPage(deps: DashboardDeps, call: CustomerCall): Promise<View> {
  const customerId = call.session.customer.id;
  const keys = await listCustomerKeys(deps.accounts, customerId);
  const read = readLedgerFilter(call.query, keys);
  const error = describeErrors(read.errors);
  const { before: _page, ...fields } = read.fields;
  const page =
    error === undefined ? await readPage(deps.accounts, { ...read.filter, customerId }) : undefined;
  const billing = (
    <RoleLink href="/dashboard/billing" keepsWords>
      Billing
    </RoleLink>
  );
  const view: View = {
    title: 'Accounting view',
    main: (
      <>
        <PageHead
          title="Accounting view"
          {...(error === undefined ? { action: <Actions fields={fields} /> } : {})}
        >
          Every change of your balance. A call holds a credit while it runs. The credit is then
          charged, or released if the call fails. A reversal takes back the credit of a refunded
          payment. {billing} adds up each month.
        </PageHead>
        {error === undefined ? null : <FilterError what="entries" hidden={[read.errors.before]} />}
        <EntryFilterForm read={read} keys={keys} />
        {page === undefined ? null : (
          <FilteredEntries page={page} fields={fields} isFirst={read.filter.before === undefined} />
        )}
      </>
    ),
  };
  return error === undefined ? view : withError(view, new VerbatimError('bad_request', error));
}

type Fields = Readonly<Record<string, string>>;

function Actions({ fields }: { fields: Fields }) {
  return <PlainLink href={linkTo(`${PATH}.csv`, fields)}>Download CSV</PlainLink>;
}

interface FilteredEntriesProps {
  page: LedgerPage;
  fields: Fields;
  /** Whether this is the page with the newest entries. */
  isFirst: boolean;
}

function FilteredEntries({ page, fields, isFirst }: FilteredEntriesProps) {
  return (
    <>
      {page.entries.length === 0 ? (
        <NoEntries isFiltered={Object.keys(fields).length > 0} />
      ) : (
        <section class="card" aria-label="Entries">
          <Entries entries={page.entries} />
        </section>
      )}
      {isFirst && page.next === undefined ? null : (
        <nav class="pager" aria-label="Pages">
          {isFirst ? <span /> : <PlainLink href={linkTo(PATH, fields)}>Newest</PlainLink>}
          {page.next === undefined ? null : (
            <PlainLink href={linkTo(PATH, { ...fields, before: String(page.next) })}>
              Older
            </PlainLink>
          )}
        </nav>
      )}
    </>
  );
}

interface EntryFilterFormProps {
  read: ReadLedgerFilter;
  keys: readonly { name: string; prefix: string }[];
}

function EntryFilterForm({ read: { fields, errors }, keys }: EntryFilterFormProps) {
  const kinds = Object.entries(kindGroups).map(([value, { label }]) => ({ value, label }));
  return (
    <FilterForm action={PATH}>
      <Select
        label="Show"
        name="kind"
        value={fields.kind}
        error={errors.kind}
        options={[{ value: '', label: 'Everything' }, ...kinds]}
      />
      <KeySelect fields={fields} errors={errors} keys={keys} />
      <DayFields fields={fields} errors={errors} />
    </FilterForm>
  );
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
        keyCell(entry),
        <Reference key="reference" line={entry} />,
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

function NoEntries({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered) {
    return (
      <Empty title="No entries match this filter">
        <p>Try other days or another key, or show everything.</p>
        <PlainLink href={PATH}>Show everything</PlainLink>
      </Empty>
    );
  }
  return (
    <Empty title="No entries yet">
      <p>Purchases, gifts, and calls will appear here, one line each.</p>
      <RoleLink class="button" href="/dashboard/billing">
        Top up
      </RoleLink>
    </Empty>
  );
}

/**
 * Sends the filtered entries as CSV while they are read. Throws `bad_request` naming the invalid
 * fields.
 */
export async function accountingCsvPage(deps: DashboardDeps, call: CustomerCall): Promise<Reply> {
  const customerId = call.session.customer.id;
  const keys = await listCustomerKeys(deps.accounts, customerId);
  const { filter, errors } = readLedgerFilter(call.query, keys);
  const error = describeErrors(errors);
  if (error !== undefined) throw new VerbatimError('bad_request', error);
  const pieces = ledgerCsv(deps.accounts, { ...filter, customerId });
  return download(deps, call, { type: CSV_TYPE, name: 'verbatim-accounting.csv', pieces });
}
