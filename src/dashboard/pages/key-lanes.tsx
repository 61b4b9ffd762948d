/** GET and POST /dashboard/keys/PREFIX/lanes: where questions asked with a key may go. */
import { setLanesOfKey } from '../../accounts/lane-choices.ts';
import type { HttpAnswer } from '../../http/messages.ts';
import { choiceOfForm } from '../components/lane-boxes.ts';
import { LaneChoiceForm } from '../components/lane-choice-form.tsx';
import { PageHead } from '../components/page-head.tsx';
import type { DashboardParts } from '../page/deps.ts';
import { keyInUse } from '../page/key-in-use.ts';
import type { CustomerCall } from '../page/page.ts';
import { redirectTo } from '../page/responses.ts';
import type { View } from '../page/view.ts';

/** Throws `not_found` for a key that is not the customer's, or has ended. */
export function keyLanesPage(parts: DashboardParts, call: CustomerCall): View {
  const key = keyInUse(parts, call);
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
export async function keyLanesForm(parts: DashboardParts, call: CustomerCall): Promise<HttpAnswer> {
  const { customerId, prefix } = keyInUse(parts, call);
  await setLanesOfKey(parts.accounts, { customerId, prefix, lanes: choiceOfForm(call.form) });
  return redirectTo('/dashboard/keys?done=lanes');
}
