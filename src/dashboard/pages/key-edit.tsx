/** GET and POST /dashboard/keys/PREFIX/edit: changes the name of a key, its end, its cap, and its lanes. */
import { editKey, NAME_CHARACTERS_MAX } from '../../accounts/customer-keys.ts';
import { VerbatimError } from '../../errors.ts';
import { CapField, ExpiryField, Field } from '../components/field.tsx';
import { formatCounted } from '../components/format-values.ts';
import { choiceOfForm, LaneFields } from '../components/lane-fields.tsx';
import { PageHead } from '../components/page-head.tsx';
import { SaveForm } from '../components/save-form.tsx';
import type { DashboardDeps } from '../page/dashboard-deps.ts';
import { CREDITS_ADVICE, formHandler, readOptionalCredits, typed } from '../page/forms.ts';
import { expiryText, readExpiry } from '../page/key-expiry.ts';
import { keyInUse } from '../page/key-state.ts';
import type { CustomerCall, View } from '../page/page.ts';
import { redirectTo } from '../page/page-redirects.ts';

/** Throws `not_found` if the customer has no such key, or it is revoked. */
export async function keyEditPage(
  deps: DashboardDeps,
  call: CustomerCall,
  error?: VerbatimError,
): Promise<View> {
  const key = await keyInUse(deps, call);
  const shown = (name: string, stored: string): string =>
    error === undefined ? stored : typed(call, name);
  const said = error?.message;
  const [wrong] = error?.code === 'invalid_field' ? [said === CREDITS_ADVICE ? 'cap' : 'day'] : [];
  return {
    title: 'Edit a key',
    isNarrow: true,
    main: (
      <>
        <PageHead title={`Edit “${key.name}”`}>
          The secret stays the same. Changes apply from the next search. This key has used{' '}
          {formatCounted(key.thisMonth.credits, 'credit')} this month.
        </PageHead>
        <SaveForm
          action={`/dashboard/keys/${key.prefix}/edit`}
          token={call.formToken()}
          cancelHref="/dashboard/keys"
        >
          <Field
            label="Name"
            name="name"
            value={shown('name', key.name)}
            error={wrong === undefined ? said : undefined}
            input={{ required: true, maxLength: NAME_CHARACTERS_MAX, autoComplete: 'off' }}
          />
          <CapField
            cap={shown('cap', String(key.creditsPerMonthMax ?? ''))}
            error={wrong === 'cap' ? said : undefined}
          />
          {key.client === null ? (
            <ExpiryField
              expires={shown('expires', expiryText(key.expiresAt))}
              error={wrong === 'day' ? said : undefined}
            />
          ) : null}
          <LaneFields lanes={error === undefined ? key.lanes : choiceOfForm(call.form)} />
          <p class="hint">
            Your <a href="/dashboard/account">account</a> must allow a lane too, and so must the
            request if it names lanes.
          </p>
        </SaveForm>
      </>
    ),
  };
}

/** Throws like `keyEditPage`. */
export const keyEditForm = formHandler(keyEditPage, async (deps, call) => {
  const { customerId, prefix } = await keyInUse(deps, call);
  const read = readExpiry(typed(call, 'expires'), deps.accounts.now());
  if ('error' in read) throw new VerbatimError('invalid_field', read.error);
  await editKey(deps.accounts, {
    customerId,
    prefix,
    name: typed(call, 'name'),
    expiresAt: read.expiresAt,
    creditsPerMonthMax: readOptionalCredits(typed(call, 'cap')),
    lanes: choiceOfForm(call.form),
  });
  return redirectTo('/dashboard/keys?done=edited');
});
