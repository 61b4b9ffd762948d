/** GET /dashboard/ledger: every change of the balance, newest first, a page at a time. */
import { ledgerPage as readPage } from '../../accounts/credit.ts';
import { listKeys } from '../../accounts/keys.ts';
import type { LedgerPageEntry } from '../../store/ledger-pages.ts';
import { formatChange, formatCount } from '../format.ts';
import { entryLabel, kindGroups, type ReadFilter, readFilter } from '../ledger-filter.ts';
import type { CustomerCall } from '../page.ts';
import { DataTable } from '../parts/data-table.tsx';
import { Empty } from '../parts/empty.tsx';
import { Field } from '../parts/field.tsx';
import { Moment } from '../parts/moment.tsx';
import { Notice } from '../parts/notice.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { Select } from '../parts/select.tsx';
import type { DashboardParts } from '../parts.ts';
import type { View } from '../view.ts';

export function ledgerPage(parts: DashboardParts, call: CustomerCall): View {
  const customerId = call.session.customer.id;
  const filter = readFilter(call.query);
  const before = parseId(call.query.get('before'));
  const page = readPage(parts.accounts, {
    ...{ ...filter.filter, customerId },
    ...(before === undefined ? {} : { before }),
  });
  return {
    title: 'Ledger',
    main: (
      <>
        <PageHead
          title="Ledger"
          action={
            <a class="button plain" href={linkTo('/dashboard/ledger.csv', filter.fields)}>
              Download CSV
            </a>
          }
        >
          Every change of your balance. A search is held while it runs, then charged, or given back
          where it had no result.
        </PageHead>
        {filter.wrong === undefined ? null : (
          <Notice tone="warn">
            <p>{filter.wrong}</p>
          </Notice>
        )}
        <FilterForm
          filter={filter}
          keys={listKeys(parts.accounts, customerId).map(({ name, prefix }) => ({ name, prefix }))}
        />
        {page.entries.length === 0 ? (
          <NoEntries isFiltered={Object.keys(filter.fields).length > 0} />
        ) : (
          <section class="card" aria-label="Entries">
            <Entries entries={page.entries} />
          </section>
        )}
        {before === undefined && page.next === undefined ? null : (
          <nav class="pager" aria-label="Pages">
            {before === undefined ? (
              <span />
            ) : (
              <a class="button plain" href={linkTo('/dashboard/ledger', filter.fields)}>
                Newest
              </a>
            )}
            {page.next === undefined ? null : (
              <a
                class="button plain"
                href={linkTo('/dashboard/ledger', { ...filter.fields, before: String(page.next) })}
              >
                Older
              </a>
            )}
          </nav>
        )}
      </>
    ),
  };
}

interface FilterFormProps {
  filter: ReadFilter;
  keys: readonly { name: string; prefix: string }[];
}

function FilterForm({ filter: { fields }, keys }: FilterFormProps) {
  const kinds = Object.entries(kindGroups).map(([value, { label }]) => ({ value, label }));
  return (
    <form class="filters" method="get" action="/dashboard/ledger" aria-label="Filter">
      <Select
        label="Show"
        name="kind"
        value={fields['kind']}
        options={[{ value: '', label: 'Everything' }, ...kinds]}
      />
      <Select
        label="Key"
        name="key"
        value={fields['key']}
        options={[
          { value: '', label: 'All keys' },
          ...keys.map(({ name, prefix }) => ({ value: prefix, label: `${name} (${prefix})` })),
        ]}
      />
      <Field label="From (UTC)" name="from" type="date" value={fields['from']} />
      <Field label="Until (UTC)" name="until" type="date" value={fields['until']} />
      <button class="button" type="submit">
        Filter
      </button>
    </form>
  );
}

function Entries({ entries }: { entries: readonly LedgerPageEntry[] }) {
  return (
    <DataTable
      caption="Entries, newest first"
      isCaptionHidden
      columns={[
        { head: 'When' },
        { head: 'What' },
        { head: 'Credits', isNumber: true },
        { head: 'Balance', isNumber: true },
        { head: 'Key' },
        { head: 'Reference' },
      ]}
      rows={entries.map((entry) => [
        <Moment key="when" time={entry.createdAt} />,
        <What key="what" entry={entry} />,
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

function What({ entry }: { entry: LedgerPageEntry }) {
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
      <Empty title="Nothing fits this filter">
        <p>Other days, another key, or everything?</p>
        <a class="button plain" href="/dashboard/ledger">
          Show everything
        </a>
      </Empty>
    );
  }
  return (
    <Empty title="Nothing has happened yet">
      <p>Credit that you add and searches that you run will stand here, one line each.</p>
      <a class="button" href="/dashboard/top-up">
        Top up
      </a>
    </Empty>
  );
}

function linkTo(path: string, fields: Readonly<Record<string, string>>): string {
  const query = new URLSearchParams(fields).toString();
  return query === '' ? path : `${path}?${query}`;
}

function parseId(text: string | null): number | undefined {
  return text !== null && /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined;
}
