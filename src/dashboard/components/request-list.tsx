/** A filtered list of requests in pages, for their customer and for operators. */
import type { ComponentChildren } from 'preact';
import type { RequestView } from '../../accounts/sql/customer-reports.ts';
import type { PageStart, RequestPage } from '../../accounts/sql/request-pages.ts';
import { linkTo, type NamedKey } from '../page/filter-fields.ts';
import { pathLabels, type ReadRequestFilter, statusLabels } from '../page/request-filter.ts';
import { PlainLink } from './button.tsx';
import { Empty } from './empty.tsx';
import { Field, optionsOf, Select } from './field.tsx';
import { DayFields, FilterForm, KeySelect } from './filter-form.tsx';
import { formatCounted } from './format-values.ts';
import { RequestTable, RequestTotals } from './request-table.tsx';

export interface RequestFilterFormProps {
  /** The page that it filters. */
  path: string;
  read: ReadRequestFilter;
  keys: readonly NamedKey[];
  /** An id that no request has; empty: none was looked for; absent: ids are not looked for here. */
  missingId?: string;
}

export function RequestFilterForm({ path, read, keys, missingId }: RequestFilterFormProps) {
  const { fields, errors } = read;
  return (
    <FilterForm action={path}>
      <Select
        label="Status"
        name="status"
        value={fields.status}
        error={errors.status}
        options={[{ value: '', label: 'Any status' }, ...optionsOf(statusLabels)]}
      />
      <Select
        label="Path"
        name="path"
        value={fields.path}
        error={errors.path}
        options={[{ value: '', label: 'Any path' }, ...optionsOf(pathLabels)]}
      />
      <KeySelect fields={fields} errors={errors} keys={keys} />
      <DayFields fields={fields} errors={errors} />
      {missingId === undefined ? null : <RequestIdField missing={missingId} />}
    </FilterForm>
  );
}

/** `missing` is an id that no request has. */
export function RequestIdField({ missing }: { missing: string }) {
  return (
    <Field
      label="Request id"
      name="id"
      value={missing}
      error={missing === '' ? undefined : 'No request with this id is kept.'}
      input={{ maxLength: 64, autoComplete: 'off' }}
    />
  );
}

export interface FoundRequestsProps {
  path: string;
  found: RequestView;
  start: PageStart;
  fields: Readonly<Record<string, string>>;
  /** Returns the address of the page of one request. */
  linkOf: (requestId: string) => string;
  /** Shown if there are none, and nothing is filtered. */
  children: ComponentChildren;
}

export function FoundRequests(props: FoundRequestsProps): ComponentChildren {
  const { path, found, start, fields, linkOf, children } = props;
  const { page, totals } = found;
  if (page.requests.length === 0 && totals.length === 0) {
    const isFiltered = start !== undefined || Object.keys(fields).length > 0;
    return isFiltered ? <NoneMatches path={path} /> : children;
  }
  return (
    <>
      <RequestTotals totals={totals} />
      {page.requests.length === 0 ? (
        <p class="soft">None of these requests is kept any longer.</p>
      ) : (
        <section class="card" aria-label="Requests">
          <RequestTable
            caption={`${formatCounted(page.requests.length, 'request')}, newest first`}
            requests={page.requests}
            linkOf={linkOf}
          />
        </section>
      )}
      <Pager path={path} page={page} fields={fields} />
    </>
  );
}

function NoneMatches({ path }: { path: string }) {
  return (
    <Empty title="Nothing matches this filter">
      <p>Try other days, another key, or another status, or show everything.</p>
      <PlainLink href={path}>Show everything</PlainLink>
    </Empty>
  );
}

interface PagerProps {
  path: string;
  page: RequestPage;
  fields: Readonly<Record<string, string>>;
}

function Pager({ path, page: { requests, hasNewer, hasOlder }, fields }: PagerProps) {
  if (!hasNewer && !hasOlder) return null;
  const [first, last] = [requests[0], requests.at(-1)];
  return (
    <nav class="pager" aria-label="Pages">
      {hasNewer && first !== undefined ? (
        <span class="row">
          <PlainLink href={linkTo(path, fields)}>Newest</PlainLink>
          <PlainLink href={linkTo(path, { ...fields, after: String(first.id) })}>Newer</PlainLink>
        </span>
      ) : (
        <span />
      )}
      {hasOlder && last !== undefined ? (
        <PlainLink href={linkTo(path, { ...fields, before: String(last.id) })}>Older</PlainLink>
      ) : null}
    </nav>
  );
}
