/** GET /dashboard/ledger and /dashboard/ledger.csv: every change of the balance, newest first. */

import { ledgerPage as readPage } from '../../accounts/credit.ts';
import { listCustomerKeys } from '../../accounts/customer-keys.ts';
import { ledgerCsv } from '../../accounts/ledger-csv.ts';
import { detailsOf, VerbatimError } from '../../errors.ts';
import type { HttpResponse } from '../../http/messages.ts';
import type { LedgerPage, LedgerPageEntry } from '../../store/accounts/ledger-pages.ts';
import { DataTable } from '../components/data-table.tsx';
import { Empty } from '../components/empty.tsx';
import { Field, type FieldProps, Select } from '../components/field.tsx';
import { formatChange, formatCount } from '../components/format.ts';
import { Notice } from '../components/notice.tsx';
import { PageHead } from '../components/page-head.tsx';
import { Timestamp } from '../components/timestamp.tsx';
import type { DashboardDeps } from '../page/dashboard-deps.ts';
import {
  describeWrong,
  entryLabel,
  kindGroups,
  type ReadFilter,
  readFilter,
} from '../page/ledger-filter.ts';
import { type CustomerCall, type View, withError } from '../page/page.ts';

export function ledgerPage(deps: DashboardDeps, call: CustomerCall): View {
  const customerId = call.session.customer.id;
  const keys = listCustomerKeys(deps.accounts, customerId);
  const filter = readFilter(
    call.query,
    keys.map(({ prefix }) => prefix),
  );
  const isWrong = Object.keys(filter.wrong).length > 0;
  const { before: _page, ...fields } = filter.fields;
  const view: View = {
    title: 'Ledger',
    main: (
      <>
        <PageHead
          title="Ledger"
          {...(isWrong ? {} : { action: <DownloadButton fields={fields} /> })}
        >
          Every change of your balance. A search holds a credit while it runs. The credit is then
          charged, or released if the search fails.
        </PageHead>
        {isWrong ? (
          <Notice tone="bad">
            <p>
              This filter is invalid, so no entries are shown.{' '}
              {filter.wrong.before === undefined ? null : `“before”: ${filter.wrong.before}`}
            </p>
          </Notice>
        ) : null}
        <FilterForm filter={filter} keys={keys} />
        {isWrong ? null : (
          <FilteredEntries
            page={readPage(deps.accounts, { ...filter.filter, customerId })}
            fields={fields}
            isFirst={filter.filter.before === undefined}
          />
        )}
      </>
    ),
  };
  return isWrong ? withError(view, new VerbatimError('bad_request', describeWrong(filter))) : view;
}

type Fields = Readonly<Record<string, string>>;

function DownloadButton({ fields }: { fields: Fields }) {
  return (
    <a class="button plain" href={linkTo('/dashboard/ledger.csv', fields)}>
      Download CSV
    </a>
  );
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
          {isFirst ? (
            <span />
          ) : (
            <a class="button plain" href={linkTo('/dashboard/ledger', fields)}>
              Newest
            </a>
          )}
          {page.next === undefined ? null : (
            <a
              class="button plain"
              href={linkTo('/dashboard/ledger', { ...fields, before: String(page.next) })}
            >
              Older
            </a>
          )}
        </nav>
      )}
    </>
  );
}

interface FilterFormProps {
  filter: ReadFilter;
  keys: readonly { name: string; prefix: string }[];
}

function FilterForm({ filter: { fields, wrong }, keys }: FilterFormProps) {
  const kinds = Object.entries(kindGroups).map(([value, { label }]) => ({ value, label }));
  return (
    <form class="filters" method="get" action="/dashboard/ledger" aria-label="Filter">
      <Select
        label="Show"
        name="kind"
        value={fields.kind}
        wrong={wrong.kind}
        options={[{ value: '', label: 'Everything' }, ...kinds]}
      />
      <Select
        label="Key"
        name="key"
        value={fields.key}
        wrong={wrong.key}
        options={[
          { value: '', label: 'All keys' },
          ...keys.map(({ name, prefix }) => ({ value: prefix, label: `${name} (${prefix})` })),
        ]}
      />
      <DayField label="From (UTC)" name="from" value={fields.from} wrong={wrong.from} />
      <DayField label="Until (UTC)" name="until" value={fields.until} wrong={wrong.until} />
      <button class="button" type="submit">
        Filter
      </button>
    </form>
  );
}

/** An invalid day is shown as text, because a date input would show nothing. */
function DayField(field: Pick<FieldProps, 'label' | 'name' | 'value' | 'wrong'>) {
  return <Field {...field} type={field.wrong === undefined ? 'date' : 'text'} />;
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
        <>
          {' '}
          <span class="badge good">refunded</span>
        </>
      ) : null}
    </>
  );
}

function Reference({ entry: { requestId, reference, note } }: { entry: LedgerPageEntry }) {
  return (
    <>
      {requestId === null ? null : <span class="mono">{requestId}</span>}
      {reference === null ? null : <span class="mono">{reference}</span>}
      {note === null ? null : <span class="soft"> {note}</span>}
    </>
  );
}

function NoEntries({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered) {
    return (
      <Empty title="No entries match this filter">
        <p>Try other days or another key, or show everything.</p>
        <a class="button plain" href="/dashboard/ledger">
          Show everything
        </a>
      </Empty>
    );
  }
  return (
    <Empty title="No entries yet">
      <p>Top-ups and searches will appear here, one line each.</p>
      <a class="button" href="/dashboard/top-up">
        Top up
      </a>
    </Empty>
  );
}

function linkTo(path: string, fields: Fields): string {
  const query = new URLSearchParams(fields).toString();
  return query === '' ? path : `${path}?${query}`;
}

/**
 * Sends the filtered ledger as CSV while it is read. Throws `bad_request` naming the invalid
 * fields.
 */
export function ledgerCsvPage(deps: DashboardDeps, call: CustomerCall): HttpResponse {
  const keys = listCustomerKeys(deps.accounts, call.session.customer.id);
  const read = readFilter(
    call.query,
    keys.map(({ prefix }) => prefix),
  );
  const wrong = describeWrong(read);
  if (wrong !== undefined) throw new VerbatimError('bad_request', wrong);
  return {
    status: 200,
    headers: {
      'Content-Type': 'text/csv; charset=utf-8; header=present',
      'Content-Disposition': 'attachment; filename="verbatim-ledger.csv"',
    },
    body: loggedCsv(deps, call, read.filter),
  };
}

/**
 * If reading fails, the response has already started and breaks off, so the cause is logged here.
 */
async function* loggedCsv(
  deps: DashboardDeps,
  call: CustomerCall,
  filter: ReadFilter['filter'],
): AsyncGenerator<string> {
  try {
    yield* ledgerCsv(deps.accounts, { ...filter, customerId: call.session.customer.id });
  } catch (error) {
    const reason = detailsOf(error);
    deps.service.log.error('download_failed', { request_id: call.requestId, reason });
    throw error;
  }
}
