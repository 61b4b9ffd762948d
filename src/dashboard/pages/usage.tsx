/** GET /dashboard/usage: searches, failures, latency, lanes, and credits in a range of days. */
import { usageTable } from '../../accounts/account-tables.ts';
import { listCustomerKeys } from '../../accounts/customer-keys.ts';
import {
  type StatusUsage,
  type UsageReport,
  usageByStatus,
  usageReport,
} from '../../accounts/usage.ts';
import type { Table } from '../../accounts/write-table.ts';
import { Card } from '../components/card.tsx';
import { DayChart, dayLabel } from '../components/day-chart.tsx';
import { Empty } from '../components/empty.tsx';
import { DayFields, FilterError, FilterForm, KeySelect } from '../components/filter-form.tsx';
import { Downloads } from '../components/filtered-list.tsx';
import { formatCount, formatMilliseconds } from '../components/format-values.ts';
import { PageHead } from '../components/page-head.tsx';
import { RoleLink } from '../components/role-link.tsx';
import { describeDays, UsageChart } from '../components/usage-chart.tsx';
import { UsageByDay, UsageByKey, UsageByStatus, UsageTiles } from '../components/usage-tables.tsx';
import type { DashboardDeps } from '../page/dashboard-deps.ts';
import { assertFilter, filterFaultOf, withFilterFault } from '../page/filter-faults.ts';
import { linkTo, type NamedKey } from '../page/filter-fields.ts';
import type { CustomerCall, View } from '../page/page.ts';
import { type ReadUsageFilter, readUsageFilter, SPANS } from '../page/usage-filter.ts';

const PATH = '/dashboard/usage';

export async function usagePage(deps: DashboardDeps, call: CustomerCall): Promise<View> {
  const { keys, read, range } = await readRange(deps, call);
  const isValid = filterFaultOf(read) === undefined;
  await deps.service.requests.flush();
  const report = isValid ? await usageReport(deps.accounts, range) : undefined;
  const statuses = isValid ? await usageByStatus(deps.accounts, range) : [];
  return withFilterFault(read, {
    title: 'Usage',
    main: (
      <>
        <PageHead title="Usage" action={<Spans read={read} />}>
          Requests to the API. Credits are net of refunds, and days are in UTC.
        </PageHead>
        {isValid ? null : <FilterError what="figures" hidden={[read.errors.days]} />}
        <FilterForm action={PATH}>
          <KeySelect fields={read.fields} errors={read.errors} keys={keys} />
          <DayFields fields={shownDays(read)} errors={read.errors} />
        </FilterForm>
        {report === undefined ? null : (
          <Figures report={report} statuses={statuses} range={read} keys={keys} />
        )}
      </>
    ),
  });
}

/** Returns the counts of the filtered days. Throws `bad_request` for a wrong filter. */
export async function usageFile(deps: DashboardDeps, call: CustomerCall): Promise<Table> {
  const { read, range } = await readRange(deps, call);
  assertFilter(read);
  await deps.service.requests.flush();
  return usageTable(deps.accounts, range);
}

async function readRange({ accounts }: DashboardDeps, { query, session }: CustomerCall) {
  const customerId = session.customer.id;
  const keys = await listCustomerKeys(accounts, customerId);
  const limits = { now: accounts.now(), daysMax: accounts.settings.usageDetailDaysMax };
  const read = readUsageFilter(query, keys, limits);
  const { firstDay, lastDay, filter } = read;
  return { keys, read, range: { customerId, keyId: filter.keyId, firstDay, lastDay } };
}

/** Fills the days of the range in, unless something else was entered. */
function shownDays({ fields, errors, firstDay, lastDay }: ReadUsageFilter) {
  if (Object.keys(errors).length > 0) return fields;
  return { ...fields, from: firstDay, to: lastDay };
}

interface FiguresProps {
  report: UsageReport;
  statuses: readonly StatusUsage[];
  range: ReadUsageFilter;
  keys: readonly NamedKey[];
}

function Figures({ report, statuses, range, keys }: FiguresProps) {
  if (keys.length === 0) {
    return (
      <Empty title="No usage yet">
        <p>Create a key or try a search. Your usage will appear here.</p>
        <RoleLink class="button" href="/dashboard/keys">
          Create a key
        </RoleLink>
      </Empty>
    );
  }
  const { days, total } = report;
  return (
    <>
      <UsageTiles total={total} />
      <Card id="by-day" title="Searches per day">
        <UsageChart days={days} title={titleOf('Searches per day', range, days.length)} />
        <p class="soft">{describeDays(days)}</p>
        {total.p95Ms === undefined ? null : (
          <>
            <h3>Latency per day, p95</h3>
            <LatencyChart report={report} range={range} />
          </>
        )}
        <details>
          <summary>Show as a table</summary>
          <UsageByDay days={days} />
        </details>
      </Card>
      <Card id="by-status" title="By status">
        <UsageByStatus statuses={statuses} days={days.length} />
        <Downloads path={PATH} read={{ ...range, fields: shownDays(range) }} />
      </Card>
      <Card id="by-key" title="By key">
        <UsageByKey figures={report.keys} keys={keys} />
      </Card>
    </>
  );
}

function LatencyChart({ report: { days }, range }: Pick<FiguresProps, 'report' | 'range'>) {
  const title = titleOf('95th percentile of latency', range, days.length);
  return (
    <DayChart
      id="latency-chart"
      title={title}
      description="The 95th percentile of each day, from the validated request to the answer."
      unit="ms"
      days={days.map(({ day, p50Ms, p95Ms }) => ({
        day,
        value: p95Ms ?? 0,
        label:
          p50Ms === undefined || p95Ms === undefined
            ? 'nothing measured'
            : `p95 ${formatMilliseconds(p95Ms)}, p50 ${formatMilliseconds(p50Ms)}`,
      }))}
      formatValue={formatCount}
    />
  );
}

function titleOf(
  what: string,
  { fields, firstDay, lastDay }: ReadUsageFilter,
  days: number,
): string {
  const isLast = fields.from === undefined && fields.to === undefined;
  return `${what}, ${isLast ? `last ${days} days` : `${dayLabel(firstDay)} to ${dayLabel(lastDay)}`}`;
}

function Spans({ read: { fields, filter } }: { read: ReadUsageFilter }) {
  const isSpan = fields.from === undefined && fields.to === undefined;
  const current = filter.days ?? SPANS[0];
  const key: Record<string, string> = fields.key === undefined ? {} : { key: fields.key };
  return (
    <nav class="tabs" aria-label="Days shown">
      {SPANS.map((days) => (
        <a
          key={days}
          href={linkTo(PATH, { days: String(days), ...key })}
          {...(isSpan && days === current ? { 'aria-current': 'page' } : {})}
        >
          {days} days
        </a>
      ))}
    </nav>
  );
}
