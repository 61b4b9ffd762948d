/** GET and POST /dashboard/keys/PREFIX/cap: sets or removes a key's monthly cap. */

import { parseCredits } from '../../accounts/amounts/credits.ts';
import { setKeyCap } from '../../accounts/customer-keys.ts';
import type { OwnKey } from '../../accounts/sql/own-keys.ts';
import { VerbatimError } from '../../errors.ts';
import type { HttpResponse } from '../../http/messages.ts';
import { CapField } from '../components/field.tsx';
import { formatCounted } from '../components/format-values.ts';
import { PageHead } from '../components/page-head.tsx';
import { SaveForm } from '../components/save-form.tsx';
import type { DashboardDeps } from '../page/dashboard-deps.ts';
import { CREDITS_ADVICE } from '../page/forms.ts';
import { keyInUse } from '../page/key-state.ts';
import { type CustomerCall, type View, withError } from '../page/page.ts';
import { redirectTo } from '../page/page-redirects.ts';

/** Throws `not_found` if the customer has no such key, or it is revoked. */
export async function keyCapPage(deps: DashboardDeps, call: CustomerCall): Promise<View> {
  const key = await keyInUse(deps, call);
  return capView(call, key, { cap: String(key.creditsPerMonthMax ?? '') });
}

/** Throws like `keyCapPage`. */
export async function keyCapForm(
  deps: DashboardDeps,
  call: CustomerCall,
): Promise<View | HttpResponse> {
  const key = await keyInUse(deps, call);
  const cap = (call.form.get('cap') ?? '').trim();
  const creditsPerMonthMax = cap === '' ? null : parseCredits(cap);
  if (creditsPerMonthMax === undefined) {
    const view = capView(call, key, { cap, error: CREDITS_ADVICE });
    return withError(view, new VerbatimError('invalid_field'));
  }
  const { customerId, prefix } = key;
  await setKeyCap(deps.accounts, { customerId, prefix, creditsPerMonthMax });
  return redirectTo('/dashboard/keys?done=cap');
}

function capView(call: CustomerCall, key: OwnKey, entered: { cap: string; error?: string }): View {
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
          <CapField {...entered} />
        </SaveForm>
      </>
    ),
  };
}
