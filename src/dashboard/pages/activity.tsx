/** GET /dashboard/activity and activity.csv: one line for each paid call and payment, newest first. */

import { activityCsv, readActivity } from '../../accounts/activity.ts';
import { activityKindLabels, outcomeLabels } from '../../accounts/activity-labels.ts';
import { listCustomerKeys } from '../../accounts/customer-keys.ts';
import type { ActivityFilter, ActivityPage, PageStart } from '../../accounts/sql/activity-rows.ts';
import type { ActivityView } from '../../accounts/sql/customer-reports.ts';
import { VerbatimError } from '../../errors.ts';
import { ActivityTable, Totals } from '../components/activity-table.tsx';
import { PlainLink } from '../components/button.tsx';
import { Empty } from '../components/empty.tsx';
import { optionsOf, Select } from '../components/field.tsx';
import { DayFields, FilterError, FilterForm, KeySelect } from '../components/filter-form.tsx';
import { PageHead } from '../components/page-head.tsx';
import { RoleLink } from '../components/role-link.tsx';
import {
  pageStartOf,
  type ReadActivityFilter,
  readActivityFilter,
} from '../page/activity-filter.ts';
import type { DashboardDeps } from '../page/dashboard-deps.ts';
import { CSV_TYPE, download } from '../page/download.ts';
import { describeErrors, linkTo, type NamedKey } from '../page/filter-fields.ts';
import { type CustomerCall, type Reply, type View, withError } from '../page/page.ts';

const PATH = '/dashboard/activity';

export async function activityPage(deps: DashboardDeps, call: CustomerCall): Promise<View> {
  const customerId = call.session.customer.id;
  const keys = await listCustomerKeys(deps.accounts, customerId);
  const read = readActivityFilter(call.query, keys);
  const error = describeErrors(read.errors);
  const { before: _before, after: _after, ...fields } = read.fields;
  const start = pageStartOf(read.filter);
  const activity =
    error === undefined
      ? await readActivity(deps.accounts, { ...filterOf(read), customerId, start })
      : undefined;
  const view: View = {
    title: 'Activity',
    main: (
      <>
        <PageHead
          title="Activity"
          {...(error === undefined ? { action: <Actions fields={fields} /> } : {})}
        >
          One line for each search, other paid call, and payment. A call that fails is free.
        </PageHead>
        {error === undefined ? null : (
          <FilterError what="lines" hidden={[read.errors.before, read.errors.after]} />
        )}
        <ActivityFilterForm read={read} keys={keys} />
        {activity === undefined ? null : (
          <FilteredLines activity={activity} start={start} fields={fields} />
        )}
      </>
    ),
  };
  return error === undefined ? view : withError(view, new VerbatimError('bad_request', error));
}

type Fields = Readonly<Record<string, string>>;

function Actions({ fields }: { fields: Fields }) {
  return (
    <div class="row">
      <PlainLink href={`${PATH}/accounting`}>Accounting view</PlainLink>
      <PlainLink href={linkTo(`${PATH}.csv`, fields)}>Download CSV</PlainLink>
    </div>
  );
}

/** Returns what the filter selects, without the place of a page in it. */
function filterOf({ filter }: ReadActivityFilter): ActivityFilter {
  const { before: _before, after: _after, ...selected } = filter;
  return selected;
}

interface FilteredLinesProps {
  activity: ActivityView;
  start: PageStart;
  fields: Fields;
}

function FilteredLines({ activity: { page, totals }, start, fields }: FilteredLinesProps) {
  if (page.lines.length === 0)
    return <NoLines isFiltered={start !== undefined || isSome(fields)} />;
  return (
    <>
      <Totals totals={totals} />
      <section class="card" aria-label="Lines">
        <ActivityTable lines={page.lines} />
      </section>
      <Pager page={page} fields={fields} />
    </>
  );
}

function isSome(fields: Fields): boolean {
  return Object.keys(fields).length > 0;
}

function Pager({
  page: { lines, hasNewer, hasOlder },
  fields,
}: {
  page: ActivityPage;
  fields: Fields;
}) {
  if (!hasNewer && !hasOlder) return null;
  const [first, last] = [lines[0], lines.at(-1)];
  return (
    <nav class="pager" aria-label="Pages">
      {hasNewer && first !== undefined ? (
        <span class="row">
          <PlainLink href={linkTo(PATH, fields)}>Newest</PlainLink>
          <PlainLink href={linkTo(PATH, { ...fields, after: String(first.id) })}>Newer</PlainLink>
        </span>
      ) : (
        <span />
      )}
      {hasOlder && last !== undefined ? (
        <PlainLink href={linkTo(PATH, { ...fields, before: String(last.id) })}>Older</PlainLink>
      ) : null}
    </nav>
  );
}

interface ActivityFilterFormProps {
  read: ReadActivityFilter;
  keys: readonly NamedKey[];
}

function ActivityFilterForm({ read: { fields, errors }, keys }: ActivityFilterFormProps) {
  return (
    <FilterForm action={PATH}>
      <Select
        label="What"
        name="kind"
        value={fields.kind}
        error={errors.kind}
        options={[{ value: '', label: 'Everything' }, ...optionsOf(activityKindLabels)]}
      />
      <Select
        label="Outcome"
        name="outcome"
        value={fields.outcome}
        error={errors.outcome}
        options={[{ value: '', label: 'Any outcome' }, ...optionsOf(outcomeLabels)]}
      />
      <KeySelect fields={fields} errors={errors} keys={keys} />
      <DayFields fields={fields} errors={errors} />
    </FilterForm>
  );
}

function NoLines({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered) {
    return (
      <Empty title="Nothing matches this filter">
        <p>Try other days, another key, or another outcome, or show everything.</p>
        <PlainLink href={PATH}>Show everything</PlainLink>
      </Empty>
    );
  }
  return (
    <Empty title="No activity yet">
      <p>Your searches and top-ups will appear here, one line each.</p>
      <RoleLink class="button" href="/dashboard/try">
        Try a search
      </RoleLink>
    </Empty>
  );
}

/**
 * Sends the filtered lines as CSV while they are read. Throws `bad_request` naming the invalid
 * fields.
 */
export async function activityCsvPage(deps: DashboardDeps, call: CustomerCall): Promise<Reply> {
  const customerId = call.session.customer.id;
  const read = readActivityFilter(call.query, await listCustomerKeys(deps.accounts, customerId));
  const error = describeErrors(read.errors);
  if (error !== undefined) throw new VerbatimError('bad_request', error);
  const pieces = activityCsv(deps.accounts, { ...filterOf(read), customerId });
  return download(deps, call, { type: CSV_TYPE, name: 'verbatim-activity.csv', pieces });
}
