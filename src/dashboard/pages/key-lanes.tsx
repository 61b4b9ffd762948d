/** GET and POST /dashboard/keys/PREFIX/lanes: sets the lanes that may receive a key's questions. */
import { setLanesOfKey } from '../../accounts/lane-choices.ts';
import type { HttpResponse } from '../../http/messages.ts';
import { PlainLink } from '../components/button.tsx';
import { choiceOfForm, LaneChoiceForm } from '../components/lane-choice-form.tsx';
import { PageHead } from '../components/page-head.tsx';
import type { DashboardDeps } from '../page/dashboard-deps.ts';
import { keyInUse } from '../page/key-state.ts';
import type { CustomerCall, View } from '../page/page.ts';
import { redirectTo } from '../page/page-redirects.ts';

/** Throws `not_found` if the customer has no such key, or it is revoked. */
export async function keyLanesPage(deps: DashboardDeps, call: CustomerCall): Promise<View> {
  const key = await keyInUse(deps, call);
  return {
    title: 'Lanes of a key',
    isNarrow: true,
    main: (
      <>
        <PageHead title={`Lanes of “${key.name}”`}>
          Changes apply from the next search. Your <a href="/dashboard/account">account</a> must
          allow a lane too, and so must the request if it names lanes.
        </PageHead>
        <div class="card">
          <LaneChoiceForm
            action={`/dashboard/keys/${key.prefix}/lanes`}
            token={call.formToken()}
            lanes={key.lanes}
          >
            <PlainLink href="/dashboard/keys">Cancel</PlainLink>
          </LaneChoiceForm>
        </div>
      </>
    ),
  };
}

/** Throws like `keyLanesPage`. */
export async function keyLanesForm(deps: DashboardDeps, call: CustomerCall): Promise<HttpResponse> {
  const { customerId, prefix } = await keyInUse(deps, call);
  await setLanesOfKey(deps.accounts, { customerId, prefix, lanes: choiceOfForm(call.form) });
  return redirectTo('/dashboard/keys?done=lanes');
}
