/** GET and POST /dashboard/keys/PREFIX/edit: changes the name of a key and when it expires. */
import { editKey, NAME_CHARACTERS_MAX } from '../../accounts/customer-keys.ts';
import type { OwnKey } from '../../accounts/sql/own-keys.ts';
import { VerbatimError } from '../../errors.ts';
import type { HttpResponse } from '../../http/messages.ts';
import { sentence } from '../components/error-view.tsx';
import { ExpiryField, Field } from '../components/field.tsx';
import { PageHead } from '../components/page-head.tsx';
import { SaveForm } from '../components/save-form.tsx';
import type { DashboardDeps } from '../page/dashboard-deps.ts';
import { expectedErrorOf } from '../page/forms.ts';
import { expiryText, readExpiry } from '../page/key-expiry.ts';
import { keyInUse } from '../page/key-state.ts';
import { type CustomerCall, type View, withError } from '../page/page.ts';
import { redirectTo } from '../page/page-redirects.ts';

/** The form's input and its errors. */
interface Entered {
  name: string;
  expires: string;
  errors?: { name?: string; expires?: string };
}

/** Throws `not_found` if the customer has no such key, or it is revoked. */
export async function keyEditPage(deps: DashboardDeps, call: CustomerCall): Promise<View> {
  const key = await keyInUse(deps, call);
  return editView(call, key, { name: key.name, expires: expiryText(key.expiresAt) });
}

/** Throws like `keyEditPage`. */
export async function keyEditForm(
  deps: DashboardDeps,
  call: CustomerCall,
): Promise<View | HttpResponse> {
  const key = await keyInUse(deps, call);
  const name = (call.form.get('name') ?? '').trim();
  const expires = (call.form.get('expires') ?? '').trim();
  const read = readExpiry(expires, deps.accounts.now());
  if ('error' in read) {
    const view = editView(call, key, { name, expires, errors: { expires: read.error } });
    return withError(view, new VerbatimError('invalid_field'));
  }
  try {
    const { customerId, prefix } = key;
    await editKey(deps.accounts, { customerId, prefix, name, expiresAt: read.expiresAt });
    return redirectTo('/dashboard/keys?done=edited');
  } catch (error) {
    const expectedError = expectedErrorOf(error);
    const errors = { name: sentence(expectedError.message) };
    return withError(editView(call, key, { name, expires, errors }), expectedError);
  }
}

function editView(call: CustomerCall, key: OwnKey, { name, expires, errors }: Entered): View {
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
            value={name}
            error={errors?.name}
            input={{ required: true, maxLength: NAME_CHARACTERS_MAX, autoComplete: 'off' }}
          />
          {key.client === null ? <ExpiryField expires={expires} error={errors?.expires} /> : null}
        </SaveForm>
      </>
    ),
  };
}
