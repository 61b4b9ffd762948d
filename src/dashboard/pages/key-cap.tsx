/** GET and POST /dashboard/keys/PREFIX/cap: sets or removes a key's monthly cap. */

import { setKeyCap } from '../../accounts/customer-keys.ts';
import type { VerbatimError } from '../../errors.ts';
import { CapField } from '../components/field.tsx';
import { formatCounted } from '../components/format-values.ts';
import { PageHead } from '../components/page-head.tsx';
import { SaveForm } from '../components/save-form.tsx';
import type { DashboardDeps } from '../page/dashboard-deps.ts';
import { formHandler, readOptionalCredits, typed } from '../page/forms.ts';
import { keyInUse } from '../page/key-state.ts';
import type { CustomerCall, View } from '../page/page.ts';
import { redirectTo } from '../page/page-redirects.ts';

/** Throws `not_found` if the customer has no such key, or it is revoked. */
export async function keyCapPage(
  deps: DashboardDeps,
  call: CustomerCall,
  error?: VerbatimError,
): Promise<View> {
  const key = await keyInUse(deps, call);
  const cap = error === undefined ? String(key.creditsPerMonthMax ?? '') : typed(call, 'cap');
  return {
    title: 'Monthly cap of a key',
    isNarrow: true,
    main: (
      <>
        <PageHead title={`Monthly cap of “${key.name}”`}>
          This key has used {formatCounted(key.thisMonth.credits, 'credit')} this month. A new cap
          applies from the next search.
        </PageHead>
        <SaveForm
          action={`/dashboard/keys/${key.prefix}/cap`}
          token={call.formToken()}
          cancelHref="/dashboard/keys"
        >
          <CapField cap={cap} error={error?.message} />
        </SaveForm>
      </>
    ),
  };
}

/** Throws like `keyCapPage`. */
export const keyCapForm = formHandler(keyCapPage, async (deps, call) => {
  const { customerId, prefix } = await keyInUse(deps, call);
  const creditsPerMonthMax = readOptionalCredits(typed(call, 'cap'));
  await setKeyCap(deps.accounts, { customerId, prefix, creditsPerMonthMax });
  return redirectTo('/dashboard/keys?done=cap');
});
