/** GET /dashboard/keys/created/NAME: shows the secret of a new key once, and to new customers what to do with it. */
import { balanceView, readOverview } from '../../accounts/credit.ts';
import { VerbatimError } from '../../errors.ts';
import { ButtonLink, PlainLink } from '../components/button.tsx';
import { CreditNotice } from '../components/credit-notice.tsx';
import { FirstSteps } from '../components/first-steps.tsx';
import { Notice } from '../components/notice.tsx';
import { PageHead } from '../components/page-head.tsx';
import { CopyButton, Snippet } from '../components/snippet.tsx';
import { Timestamp } from '../components/timestamp.tsx';
import { curlSearch } from '../docs/examples.ts';
import type { DashboardDeps } from '../page/dashboard-deps.ts';
import { type CustomerCall, type View, withError } from '../page/page.ts';

export async function keyCreatedPage(deps: DashboardDeps, call: CustomerCall): Promise<View> {
  const { id: customerId } = call.session.customer;
  const name = call.parameters['name'] ?? '';
  // A HEAD request does not use up the secret.
  const created = call.request.method === 'GET' ? deps.newKeys.take(customerId, name) : undefined;
  if (created === undefined) return goneView();
  const { key, secret, oldKeyEnds } = created;
  const isRotated = oldKeyEnds !== undefined;
  const { balance, keys } = await readOverview(deps.accounts, { customerId, days: 1 });
  const shown = balanceView(call.session.customer, balance);
  const isNew = keys.every(({ toDate }) => toDate.requests === 0);
  // A new customer has another next step.
  const Saved = isNew ? PlainLink : ButtonLink;
  return {
    title: isRotated ? 'Key rotated' : 'Key created',
    balance: shown,
    main: (
      <>
        <PageHead title={`Key “${key.name}” ${isRotated ? 'rotated' : 'created'}`}>
          Copy the secret now. It is shown only once, and only its hash is stored.
        </PageHead>
        {/* The first step of a new customer says the same. */}
        {isNew && balance === 0 ? null : <CreditNotice balance={balance} isLow={shown.isLow} />}
        {isRotated ? <OldSecret endsAt={oldKeyEnds} now={deps.accounts.now()} /> : null}
        <section class="card" aria-labelledby="secret-label">
          <div class="snippet-bar">
            <h2 id="secret-label">Secret</h2>
            <CopyButton of="secret" what="the secret" />
          </div>
          <p class="secret" id="secret">
            {secret}
          </p>
          <p class="small soft">
            Keep it in an environment variable or a secret manager, never in shared code. The
            dashboard lists this key as <code>{key.prefix}</code>.
          </p>
        </section>
        <Snippet id="curl" label="Try it in a shell" code={curlSearch(deps.baseUrl(), secret)} />
        {isNew ? (
          <FirstSteps
            balance={balance}
            keyPrefix={key.prefix}
            question={deps.accounts.settings.frontPageQuestion}
            token={call.formToken()}
          />
        ) : null}
        <div>
          <Saved href="/dashboard/keys">I have saved the secret</Saved>
        </div>
      </>
    ),
  };
}

function OldSecret({ endsAt, now }: { endsAt: number; now: number }) {
  return (
    <Notice tone="warn">
      <p>
        {endsAt <= now ? (
          'The old secret no longer works.'
        ) : (
          <>
            The old secret works until <Timestamp time={endsAt} />. Until then, both count toward
            the same limits.
          </>
        )}
      </p>
    </Notice>
  );
}

function goneView(): View {
  const view: View = {
    title: 'Secret already shown',
    isNarrow: true,
    main: (
      <>
        <PageHead title="This secret is no longer available" />
        <Notice tone="warn">
          <p>
            A secret is shown once, right after its key is created, and is not stored. If you did
            not copy it, rotate the key to get another one.
          </p>
        </Notice>
        <div>
          <ButtonLink href="/dashboard/keys">Go to keys</ButtonLink>
        </div>
      </>
    ),
  };
  return withError(view, new VerbatimError('secret_shown'));
}
