/** GET /dashboard/keys/created/NAME: the secret of a new key, once. */
import { VerbatimError } from '../../errors.ts';
import { Notice } from '../components/notice.tsx';
import { PageHead } from '../components/page-head.tsx';
import { CopyButton, Snippet } from '../components/snippet.tsx';
import { curlSearch } from '../docs/examples.ts';
import type { DashboardDeps } from '../page/dashboard-deps.ts';
import { type CustomerCall, type View, withError } from '../page/page.ts';

export function keyCreatedPage(deps: DashboardDeps, call: CustomerCall): View {
  const name = call.parameters['name'] ?? '';
  // A HEAD is no look at it.
  const created =
    call.request.method === 'GET' ? deps.newKeys.take(call.session.customer.id, name) : undefined;
  if (created === undefined) return goneView();
  const { key, secret } = created;
  return {
    title: 'Key created',
    main: (
      <>
        <PageHead title={`Key “${key.name}” created`}>
          This is its secret. Copy it now: it is shown this once, and only its hash is kept.
        </PageHead>
        <section class="card" aria-labelledby="secret-label">
          <div class="snippet-bar">
            <h2 id="secret-label">Secret</h2>
            <CopyButton of="secret" what="the secret" />
          </div>
          <p class="secret" id="secret">
            {secret}
          </p>
          <p class="small soft">
            Keep it in an environment variable or a secret manager, never in code that others see.
            On the dashboard the key is known as <code>{key.prefix}</code>.
          </p>
        </section>
        <Snippet id="curl" label="Try it in a shell" code={curlSearch(deps.baseUrl(), secret)} />
        <div>
          <a class="button" href="/dashboard/keys">
            I have kept it
          </a>
        </div>
      </>
    ),
  };
}

function goneView(): View {
  const view: View = {
    title: 'Secret shown already',
    isNarrow: true,
    main: (
      <>
        <PageHead title="The secret is not here any more" />
        <Notice tone="warn">
          <p>
            A secret is shown once, right after its key was created, and is kept nowhere. If you
            have not copied it, revoke that key and create another one.
          </p>
        </Notice>
        <div>
          <a class="button" href="/dashboard/keys">
            To the keys
          </a>
        </div>
      </>
    ),
  };
  return withError(view, new VerbatimError('secret_shown'));
}
