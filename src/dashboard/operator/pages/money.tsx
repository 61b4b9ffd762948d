/** GET /operator/money: revenue, credits, balances, payments to review, and audits. */

import { formatPrice } from '../../../accounts/amounts/price.ts';
import { firstDayOf, type MoneySpan, moneySpans, sumByCurrency } from '../../../accounts/money.ts';
import type { KeptAudit } from '../../../accounts/sql/kept-audits.ts';
import type { Outstanding } from '../../../accounts/sql/money-sums.ts';
import { formatCount, formatCounted } from '../../components/format-values.ts';
import { PageHead } from '../../components/page-head.tsx';
import { Tile } from '../../components/tile.tsx';
import type { View } from '../../page/page.ts';
import { AUDITS_PATH, AuditResult, AuditRuns, StartAudit } from '../components/audit-section.tsx';
import { formatRevenue, MoneyCharts, MoneyTables } from '../components/money-tables.tsx';
import { PaymentsReview } from '../components/payments-to-review.tsx';
import type { RunningAudit } from '../page/audit-runner.ts';
import { readsOf } from '../page/change-once.ts';
import type { OperatorCall } from '../page/operator-call.ts';
import type { OperatorDeps } from '../page/operator-deps.ts';

const DAYS = 30;
const MONTHS = 12;
/** Of each list of payments. */
const PAYMENTS_SHOWN = 50;

export async function moneyPage(deps: OperatorDeps, call: OperatorCall): Promise<View> {
  const store = readsOf(deps, call);
  const spans = { now: deps.now(), days: DAYS, months: MONTHS };
  const [report, found, [latest]] = await Promise.all([
    store.readMoney({ firstDay: firstDayOf(spans) }),
    store.listPaymentsToReview({ limit: PAYMENTS_SHOWN }),
    store.listKeptAudits({ limit: 1 }),
  ]);
  const { days, months } = moneySpans(report, spans);
  const currency = sumByCurrency(report.revenue)[0]?.currency ?? deps.settings.creditCurrency;
  return {
    title: 'Money',
    main: (
      <>
        <PageHead title="Money">
          What customers paid, and what happened to the credits. Days and months are in UTC.
        </PageHead>
        <Figures month={months.at(-1)} outstanding={report.outstanding} currency={currency} />
        <MoneyCharts days={days} currency={currency} />
        <Tables days={days} months={months} />
        <PaymentsReview found={found} settings={deps.settings} />
        <Audit token={call.formToken()} running={deps.audits.running()} latest={latest} />
      </>
    ),
  };
}

interface FiguresProps {
  month: MoneySpan | undefined;
  outstanding: Outstanding;
  /** Of a month without revenue. */
  currency: string;
}

function Figures({ month, outstanding, currency }: FiguresProps) {
  const { customers, credits, debtors, debt, held } = outstanding;
  const { revenue = [], credits: moved } = month ?? {};
  const payments = revenue.reduce((sum, of) => sum + of.payments, 0);
  const { purchase = 0, gift = 0, call = 0, refund = 0 } = moved ?? {};
  return (
    <dl class="tiles in-threes">
      <Tile
        label="Revenue this month"
        value={revenue.length === 0 ? formatPrice(0, currency) : formatRevenue(revenue)}
        note={`${formatCounted(payments, 'payment')}, less refunds and disputes`}
        isFirst
      />
      <Tile
        label="Purchased this month"
        value={formatCount(purchase)}
        note={`credits, and ${formatCount(gift)} given`}
      />
      <Tile
        label="Used this month"
        value={formatCount(-call)}
        note={`credits, and ${formatCount(refund)} refunded`}
      />
      <div class="tile">
        <dt>Customer balances</dt>
        <dd class="figure">{formatCount(credits)}</dd>
        <dd class="small soft">
          credits,{' '}
          <a href="/operator/customers?order=balance">{formatCounted(customers, 'customer')}</a>
        </dd>
      </div>
      <div class="tile">
        <dt>Customer debt</dt>
        <dd class="figure">{formatCount(debt)}</dd>
        <dd class="small soft">
          credits, <a href="/operator/customers?state=debt">{formatCounted(debtors, 'customer')}</a>
        </dd>
      </div>
      <Tile label="Held now" value={formatCount(held)} note="credits, for searches in flight" />
    </dl>
  );
}

function Tables({ days, months }: { days: readonly MoneySpan[]; months: readonly MoneySpan[] }) {
  return (
    <section class="card" aria-labelledby="months">
      <h2 id="months">By month</h2>
      <p class="soft">
        Money counts on the day its credit was added, and so do later refunds and disputes of it.
        Revenue is what remains. An open dispute counts as lost. Credits count on the day they
        moved.
      </p>
      <MoneyTables name="month" head="Month" spans={months} />
      <details>
        <summary>Show the last {DAYS} days</summary>
        <MoneyTables name="day" head="Day" spans={days} />
      </details>
    </section>
  );
}

interface AuditProps {
  token: string;
  running: RunningAudit | undefined;
  latest: KeptAudit | undefined;
}

function Audit({ token, running, latest }: AuditProps) {
  return (
    <section class="card" aria-labelledby="audit">
      <h2 id="audit">Audit</h2>
      {latest === undefined ? null : <AuditResult audit={latest} />}
      {running === undefined ? <StartAudit token={token} /> : <AuditRuns running={running} />}
      <p>
        <a href={AUDITS_PATH}>All audits</a>
      </p>
    </section>
  );
}
