/** A filtered list of requests in pages, for their customer and for operators. */
import type { ComponentChildren } from 'preact';
import type { RequestView } from '../../accounts/sql/customer-reports.ts';
import type { NamedKey } from '../page/filter-fields.ts';
import { pathLabels, type ReadRequestFilter, statusLabels } from '../page/request-filter.ts';
import { Field, optionsOf, Select } from './field.tsx';
import { DayFields, KeySelect } from './filter-form.tsx';
import { FilteredList, NoneMatches } from './filtered-list.tsx';
import { formatCounted } from './format-values.ts';
import { RequestTable, RequestTotals } from './request-table.tsx';

export interface RequestListProps {
  /** The page that it filters. */
  path: string;
  read: ReadRequestFilter;
  keys: readonly NamedKey[];
  /** An id that no request has; empty: none was looked for; absent: ids are not looked for here. */
  missingId?: string;
  /** Undefined if the filter is wrong. */
  found: RequestView | undefined;
  /** Returns the address of the page of one request. */
  linkOf: (requestId: string) => string;
  /** Shown if there are none, and nothing is filtered. */
  children: ComponentChildren;
}

export function RequestList(props: RequestListProps) {
  const { path, read, keys, missingId, found, linkOf, children } = props;
  const { fields, errors } = read;
  const totals = found?.totals ?? [];
  return (
    <FilteredList
      path={path}
      what="requests"
      read={read}
      page={found?.page}
      form={
        <>
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
        </>
      }
      totals={totals.length === 0 ? null : <RequestTotals totals={totals} />}
      table={(requests) => (
        <RequestTable
          caption={`${formatCounted(requests.length, 'request')}, newest first`}
          requests={requests}
          linkOf={linkOf}
        />
      )}
      none={(isFiltered) => {
        if (totals.length > 0)
          return <p class="soft">None of these requests is kept any longer.</p>;
        return isFiltered ? <NoneMatches path={path} /> : children;
      }}
    />
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
