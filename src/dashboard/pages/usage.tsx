/** GET /dashboard/usage: searches per day and per key. */
import { searchesByDay } from '../../accounts/credit.ts';
import { listCustomerKeys } from '../../accounts/customer-keys.ts';
import { VerbatimError } from '../../errors.ts';
import type { OwnKey } from '../../store/accounts/own-keys.ts';
import type { DayUsage } from '../../store/accounts/search-usage.ts';
import { DataTable } from '../components/data-table.tsx';
import { Empty } from '../components/empty.tsx';
import { formatCount, formatDay } from '../components/format.ts';
import { PageHead } from '../components/page-head.tsx';
import { describeDays, UsageChart } from '../components/usage-chart.tsx';
import type { DashboardDeps } from '../page/dashboard-deps.ts';
import type { CustomerCall, View } from '../page/page.ts';

const SPANS = [30, 90] as const;

/** Returns the number of days. Throws `bad_request` if the page does not offer it. */
function readSpan(text: string | null): (typeof SPANS)[number] {
  const span = text === null ? SPANS[0] : SPANS.find((days) => String(days) === text);
  if (span === undefined) {
    throw new VerbatimError('bad_request', `“days” must be ${SPANS.join(' or ')}`);
  }
  return span;
}

export function usagePage(deps: DashboardDeps, call: CustomerCall): View {
  const customerId = call.session.customer.id;
  const span = readSpan(call.query.get('days'));
  const days = searchesByDay(deps.accounts, { customerId, days: span });
  const keys = listCustomerKeys(deps.accounts, customerId);
  return {
    title: 'Usage',
    main: (
      <>
        <PageHead title="Usage" action={<Spans current={span} />}>
          Served searches, and credits net of refunds. Days and months are in UTC.
        </PageHead>
        <section class="card" aria-labelledby="by-day">
          <h2 id="by-day">Searches per day</h2>
          <UsageChart days={days} />
          <p class="soft">{describeDays(days)}</p>
          <details>
            <summary>Show as a table</summary>
            <DayTable days={days} />
          </details>
        </section>
        <ByKey keys={keys} />
      </>
    ),
  };
}

function DayTable({ days }: { days: readonly DayUsage[] }) {
  return (
    <DataTable
      caption={`Searches per day, last ${days.length} days, newest first`}
      columns={[
        { head: 'Day' },
        { head: 'Searches', isNumber: true },
        { head: 'Credits', isNumber: true },
      ]}
      rows={days
        .toReversed()
        .map(({ day, requests, credits }) => [
          formatDay(Date.parse(`${day}T00:00:00Z`)),
          formatCount(requests),
          formatCount(credits),
        ])}
    />
  );
}

function ByKey({ keys }: { keys: readonly OwnKey[] }) {
  if (keys.length === 0) {
    return (
      <Empty title="No usage yet">
        <p>Create a key or try a search. Your searches will be counted here.</p>
        <a class="button" href="/dashboard/keys">
          Create a key
        </a>
      </Empty>
    );
  }
  return (
    <section class="card" aria-labelledby="by-key">
      <h2 id="by-key">By key</h2>
      <DataTable
        caption="Searches and credits of each key"
        isCaptionHidden
        columns={[
          { head: 'Key' },
          { head: 'Hash prefix' },
          { head: 'Searches this month', isNumber: true },
          { head: 'Credits this month', isNumber: true },
          { head: 'Searches to date', isNumber: true },
          { head: 'Credits to date', isNumber: true },
        ]}
        rows={keys.map(({ name, prefix, thisMonth, toDate }) => [
          name,
          <code key="prefix">{prefix}</code>,
          formatCount(thisMonth.requests),
          formatCount(thisMonth.credits),
          formatCount(toDate.requests),
          formatCount(toDate.credits),
        ])}
      />
    </section>
  );
}

function Spans({ current }: { current: number }) {
  return (
    <nav class="tabs" aria-label="Days shown">
      {SPANS.map((days) => (
        <a
          key={days}
          href={`/dashboard/usage?days=${days}`}
          {...(days === current ? { 'aria-current': 'page' } : {})}
        >
          {days} days
        </a>
      ))}
    </nav>
  );
}
