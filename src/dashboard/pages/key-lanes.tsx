/** GET and POST /dashboard/keys/PREFIX/lanes: where questions asked with a key may go. */
import { setLanesOfKey } from '../../accounts/lane-choices.ts';
import type { HttpResponse } from '../../http/messages.ts';
import { choiceOfForm, LaneChoiceForm } from '../components/lane-choice-form.tsx';
import { PageHead } from '../components/page-head.tsx';
import type { DashboardDeps } from '../page/dashboard-deps.ts';
import { keyInUse } from '../page/key-state.ts';
import type { CustomerCall, View } from '../page/page.ts';
import { redirectTo } from '../page/redirects.ts';

/** Throws `not_found` for a key that is not the customer's, or has ended. */
export function keyLanesPage(deps: DashboardDeps, call: CustomerCall): View {
  const key = keyInUse(deps, call);
  return {
    title: 'Lanes of a key',
    isNarrow: true,
    main: (
      <>
        <PageHead title={`Lanes of “${key.name}”`}>
          What is set here counts from its next search on. A lane must be allowed by your{' '}
          <a href="/dashboard/account">account</a> too, and by the request where it says so.
        </PageHead>
        <div class="card">
          <LaneChoiceForm
            action={`/dashboard/keys/${key.prefix}/lanes`}
            token={call.formToken()}
            lanes={key.lanes}
          >
            <a class="button plain" href="/dashboard/keys">
              Cancel
            </a>
          </LaneChoiceForm>
        </div>
      </>
    ),
  };
}

/** The same. */
export async function keyLanesForm(deps: DashboardDeps, call: CustomerCall): Promise<HttpResponse> {
  const { customerId, prefix } = keyInUse(deps, call);
  await setLanesOfKey(deps.accounts, { customerId, prefix, lanes: choiceOfForm(call.form) });
  return redirectTo('/dashboard/keys?done=lanes');
}
