/** GET and POST /dashboard/register, where customers may add themselves. */
import { VerbatimError } from '../../errors.ts';
import type { HttpResponse } from '../../http/messages.ts';
import { AddressForm } from '../components/address-form.tsx';
import { Notice } from '../components/notice.tsx';
import { PageHead } from '../components/page-head.tsx';
import type { DashboardDeps } from '../page/dashboard-deps.ts';
import { respondToLinkRequest } from '../page/forms.ts';
import type { PageCall, View } from '../page/page.ts';

const PATH = '/dashboard/register';

/** Throws `not_found` where only the operator adds customers. */
export function registerPage(deps: DashboardDeps, call: PageCall): View {
  assertOpen(deps);
  return registerView(deps, call);
}

export function registerForm(deps: DashboardDeps, call: PageCall): View | HttpResponse {
  assertOpen(deps);
  return respondToLinkRequest(deps, call, {
    path: PATH,
    view: (wrong) => registerView(deps, call, wrong),
  });
}

function assertOpen({ accounts }: DashboardDeps): void {
  if (accounts.settings.selfRegistration === 0) throw new VerbatimError('not_found');
}

function registerView({ accounts }: DashboardDeps, call: PageCall, wrong?: string): View {
  return {
    title: 'Register',
    isNarrow: true,
    main: (
      <>
        <PageHead title="Register">
          One credit a search, no subscription. You start without credit and top up as you need it.
        </PageHead>
        {call.query.get('done') === 'asked' ? (
          <Notice tone="good">
            <p>
              {accounts.sendMail === undefined
                ? 'You are registered. The operator hands out the link by which you choose a password.'
                : 'A link is on its way to this address: with it you choose a password.'}
            </p>
          </Notice>
        ) : (
          <AddressForm action={PATH} token={call.formToken()} button="Register" wrong={wrong} />
        )}
        <p class="small">
          <a href="/dashboard/sign-in">I have a password already</a>
        </p>
      </>
    ),
  };
}
