/** GET /dashboard: the balance, and usage. */
import { balanceView, readOverview } from '../../accounts/credit.ts';
import { isRevoked } from '../../accounts/sql/api-keys.ts';
import type { KeyUsage } from '../../accounts/sql/search-usage.ts';
import { CreditNotice } from '../components/credit-notice.tsx';
import { FirstSteps } from '../components/first-steps.tsx';
import { formatCount, formatCounted } from '../components/format-values.ts';
import { PageHead } from '../components/page-head.tsx';
import { RoleLink } from '../components/role-link.tsx';
import { Snippet } from '../components/snippet.tsx';
import { Tile } from '../components/tile.tsx';
import { type ChartDay, UsageChart } from '../components/usage-chart.tsx';
import { quickStart } from '../docs/examples.ts';
import type { DashboardDeps } from '../page/dashboard-deps.ts';
import type { CustomerCall, View } from '../page/page.ts';
import { mayOpen } from '../page/role-access.ts';

const CHART_DAYS = 30;

export async function overviewPage(deps: DashboardDeps, call: CustomerCall): Promise<View> {
  const { accounts } = deps;
  const { session } = call;
  const { id: customerId } = session.customer;
  const { email, role } = session.member;
  const { balance, keys, days } = await readOverview(accounts, { customerId, days: CHART_DAYS });
  const shownBalance = balanceView(session.customer, balance);
  const toDate = sumUsage(keys.map((key) => key.toDate));
  const isNew = toDate.requests === 0;
  const thisMonth = sumUsage(keys.map((key) => key.thisMonth));
  return {
    title: 'Overview',
    balance: shownBalance,
    main: (
      <>
        <PageHead title="Overview" action={isNew ? undefined : <Actions />}>
          Signed in as {email}.
        </PageHead>
        {/* The first step of a new customer says the same. */}
        {isNew && balance === 0 ? null : (
          <CreditNotice balance={balance} isLow={shownBalance.isLow} />
        )}
        {isNew ? (
          <FirstSteps
            balance={balance}
            keyPrefix={keys.find((key) => !isRevoked(key, accounts.now()))?.prefix}
            question={accounts.settings.frontPageQuestion}
            token={call.formToken()}
          />
        ) : (
          <>
            <Figures balance={balance} thisMonth={thisMonth} toDate={toDate} />
            <SearchesPerDay days={days} />
          </>
        )}
        {mayOpen(role, '/dashboard/keys') ? <QuickStart base={deps.baseUrl()} /> : null}
      </>
    ),
  };
}

function SearchesPerDay({ days }: { days: readonly ChartDay[] }) {
  return (
    <section class="card" aria-labelledby="searches-per-day">
      <div class="card-head">
        <h2 id="searches-per-day">Searches per day</h2>
        <a class="small" href="/dashboard/usage">
          All usage
        </a>
      </div>
      <UsageChart days={days} />
    </section>
  );
}

function QuickStart({ base }: { base: string }) {
  return (
    <section class="card" aria-labelledby="quick-start">
      <div class="card-head">
        <h2 id="quick-start">Quick start</h2>
        <a class="small" href="/docs">
          Documentation
        </a>
      </div>
      {quickStart(base).map((example, index) => (
        <details key={example.id} open={index === 0}>
          <summary>{example.label}</summary>
          <Snippet {...example} isLabelHidden />
        </details>
      ))}
    </section>
  );
}

interface FiguresProps {
  balance: number;
  thisMonth: KeyUsage;
  toDate: KeyUsage;
}

function Figures({ balance, thisMonth, toDate }: FiguresProps) {
  return (
    <dl class="tiles">
      <Tile
        label={balance < 0 ? 'Debt' : 'Balance'}
        value={formatCount(Math.abs(balance))}
        note={`${balance === 1 ? 'credit' : 'credits'} ${balance < 0 ? 'owed' : 'left'}`}
        isFirst
      />
      <UsageTile title="This month (UTC)" usage={thisMonth} />
      <UsageTile title="To date" usage={toDate} />
    </dl>
  );
}

function Actions() {
  return (
    <div class="row">
      <RoleLink class="button plain" href="/dashboard/try">
        Try a search
      </RoleLink>
      <RoleLink class="button" href="/dashboard/billing">
        Top up
      </RoleLink>
    </div>
  );
}

function UsageTile({ title, usage }: { title: string; usage: KeyUsage }) {
  const searches = usage.requests === 1 ? 'search' : 'searches';
  return (
    <Tile
      label={title}
      value={formatCount(usage.requests)}
      note={`${searches}, ${formatCounted(usage.credits, 'credit')}`}
    />
  );
}

function sumUsage(usages: readonly KeyUsage[]): KeyUsage {
  return {
    requests: usages.reduce((sum, { requests }) => sum + requests, 0),
    credits: usages.reduce((sum, { credits }) => sum + credits, 0),
  };
}
