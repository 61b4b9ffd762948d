/** GET and POST /dashboard/keys/PREFIX/edit: changes the name of a key and when it expires. */
import { editKey, NAME_CHARACTERS_MAX } from '../../accounts/customer-keys.ts';
import { VerbatimError } from '../../errors.ts';
import { ExpiryField, Field } from '../components/field.tsx';
import { PageHead } from '../components/page-head.tsx';
import { SaveForm } from '../components/save-form.tsx';
import type { DashboardDeps } from '../page/dashboard-deps.ts';
import { formHandler, typed } from '../page/forms.ts';
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
  const isAboutDay = error?.code === 'invalid_field';
  return {
    title: 'Edit a key',
    isNarrow: true,
    main: (
      <>
        <PageHead title={`Edit “${key.name}”`}>
          The secret stays the same. Programs that use it are not affected.
        </PageHead>
        <SaveForm
          action={`/dashboard/keys/${key.prefix}/edit`}
          token={call.formToken()}
          cancelHref="/dashboard/keys"
        >
          <Field
            label="Name"
            name="name"
            value={error === undefined ? key.name : typed(call, 'name')}
            error={isAboutDay ? undefined : error?.message}
            input={{ required: true, maxLength: NAME_CHARACTERS_MAX, autoComplete: 'off' }}
          />
          {key.client === null ? (
            <ExpiryField
              expires={error === undefined ? expiryText(key.expiresAt) : typed(call, 'expires')}
              error={isAboutDay ? error.message : undefined}
            />
          ) : null}
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
  const { expiresAt } = read;
  await editKey(deps.accounts, { customerId, prefix, name: typed(call, 'name'), expiresAt });
  return redirectTo('/dashboard/keys?done=edited');
});
