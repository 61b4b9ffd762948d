/** GET /dashboard: the balance, usage and keys. */
import { readBalanceView, searchesByDay } from '../../accounts/credit.ts';
import { listCustomerKeys } from '../../accounts/customer-keys.ts';
import type { OwnKey } from '../../store/accounts/own-keys.ts';
import type { KeyUsage } from '../../store/accounts/search-usage.ts';
import { CreditNotice } from '../components/credit-notice.tsx';
import { Empty } from '../components/empty.tsx';
import { formatCount, formatCounted } from '../components/format.ts';
import { KeyTable } from '../components/key-table.tsx';
import { PageHead } from '../components/page-head.tsx';
import { Snippet } from '../components/snippet.tsx';
import { UsageChart } from '../components/usage-chart.tsx';
import { quickStart } from '../docs/examples.ts';
import type { DashboardDeps } from '../page/dashboard-deps.ts';
import { keyState } from '../page/key-state.ts';
import type { CustomerCall, View } from '../page/page.ts';

const CHART_DAYS = 30;

export function overviewPage(deps: DashboardDeps, { session }: CustomerCall): View {
  const { accounts } = deps;
  const now = accounts.now();
  const { id: customerId, email } = session.customer;
  const { balance, isLow } = readBalanceView(accounts, session);
  const keys = listCustomerKeys(accounts, customerId);
  const inUse = keys.filter((key) => keyState(key, now) !== 'revoked');
  const days = searchesByDay(accounts, { customerId, days: CHART_DAYS });
  return {
    title: 'Overview',
    main: (
      <>
        <PageHead title="Overview">Signed in as {email}.</PageHead>
        <CreditNotice balance={balance} isLow={isLow} />
        <Figures
          balance={balance}
          thisMonth={sumUsage(keys.map((key) => key.thisMonth))}
          toDate={sumUsage(keys.map((key) => key.toDate))}
        />
        <section class="card" aria-labelledby="searches-per-day">
          <div class="card-head">
            <h2 id="searches-per-day">Searches per day</h2>
            <a class="small" href="/dashboard/usage">
              All usage
            </a>
          </div>
          <UsageChart days={days} />
        </section>
        <Keys keys={inUse} now={now} />
        <section class="card" aria-labelledby="quick-start">
          <div class="card-head">
            <h2 id="quick-start">Quick start</h2>
            <a class="small" href="/docs">
              Documentation
            </a>
          </div>
          {quickStart(deps.baseUrl()).map((example, index) => (
            <details key={example.id} open={index === 0}>
              <summary>{example.label}</summary>
              <Snippet {...example} />
            </details>
          ))}
        </section>
      </>
    ),
  };
}

interface FiguresProps {
  balance: number;
  thisMonth: KeyUsage;
  toDate: KeyUsage;
}

function Figures({ balance, thisMonth, toDate }: FiguresProps) {
  return (
    <div class="stack">
      <dl class="tiles">
        <div class="tile first">
          <dt>{balance < 0 ? 'Debt' : 'Balance'}</dt>
          <dd class="figure">{formatCount(Math.abs(balance))}</dd>
          <dd class="small soft">
            {balance === 1 ? 'credit' : 'credits'} {balance < 0 ? 'owed' : 'left'}
          </dd>
        </div>
        <UsageTile title="This month (UTC)" usage={thisMonth} />
        <UsageTile title="To date" usage={toDate} />
      </dl>
      <div class="row">
        <a class="button" href="/dashboard/top-up">
          Top up
        </a>
        <a class="button plain" href="/dashboard/try">
          Try a search
        </a>
      </div>
    </div>
  );
}

function UsageTile({ title, usage }: { title: string; usage: KeyUsage }) {
  return (
    <div class="tile">
      <dt>{title}</dt>
      <dd class="figure">{formatCount(usage.requests)}</dd>
      <dd class="small soft">
        {usage.requests === 1 ? 'search' : 'searches'}, {formatCounted(usage.credits, 'credit')}
      </dd>
    </div>
  );
}

function Keys({ keys, now }: { keys: readonly OwnKey[]; now: number }) {
  if (keys.length === 0) {
    return (
      <Empty title="No keys yet">
        <p>Programs search with a key. Create one and save its secret, which is shown only once.</p>
        <a class="button" href="/dashboard/keys">
          Create a key
        </a>
      </Empty>
    );
  }
  return (
    <section class="card" aria-labelledby="active-keys">
      <div class="card-head">
        <h2 id="active-keys">Active keys</h2>
        <a class="small" href="/dashboard/keys">
          Manage keys
        </a>
      </div>
      <KeyTable caption="Active keys" keys={keys} now={now} />
    </section>
  );
}

function sumUsage(usages: readonly KeyUsage[]): KeyUsage {
  return {
    requests: usages.reduce((sum, { requests }) => sum + requests, 0),
    credits: usages.reduce((sum, { credits }) => sum + credits, 0),
  };
}
