/** GET and POST /dashboard/reset-password: how somebody who is locked out gets in again. */
import type { HttpResponse } from '../../http/messages.ts';
import { AddressForm } from '../components/address-form.tsx';
import { Notice } from '../components/notice.tsx';
import { PageHead } from '../components/page-head.tsx';
import type { DashboardDeps } from '../page/dashboard-deps.ts';
import { respondToLinkRequest } from '../page/forms.ts';
import type { PageCall, View } from '../page/page.ts';

const PATH = '/dashboard/reset-password';

export function resetPage(deps: DashboardDeps, call: PageCall): View {
  return resetView(deps, call);
}

export function resetForm(deps: DashboardDeps, call: PageCall): View | HttpResponse {
  return respondToLinkRequest(deps, call, {
    path: PATH,
    view: (wrong) => resetView(deps, call, wrong),
  });
}

function resetView({ accounts }: DashboardDeps, call: PageCall, wrong?: string): View {
  return {
    title: 'Forgotten password',
    isNarrow: true,
    main: (
      <>
        <PageHead title="Forgotten the password?" />
        {call.query.get('done') === 'asked' ? <Asked /> : null}
        {accounts.sendMail === undefined ? (
          <div class="stack">
            <p>
              Ask the operator of this service for a new link. It works once, for{' '}
              {accounts.settings.linkHoursMax} hours: you choose a new password and are signed in.
            </p>
            <p class="soft">
              Your keys and your credit stay as they are, and programs go on meanwhile.
            </p>
          </div>
        ) : (
          <AddressForm
            action={PATH}
            token={call.formToken()}
            button="Send me a link"
            wrong={wrong}
          />
        )}
        <p class="small">
          <a href="/dashboard/sign-in">Back to signing in</a>
        </p>
      </>
    ),
  };
}

/** The same for every address, known or not. */
function Asked() {
  return (
    <Notice tone="good">
      <p>If there is an account with this address, a link is on its way to it.</p>
    </Notice>
  );
}
