/** GET and POST /operator/keys/:prefix/revoke: asks for confirmation and a reason, then revokes a key. */
import { redirectTo } from '../../page/page-redirects.ts';
import { confirmationView } from '../components/confirmation.tsx';
import { type ConfirmPage, changeHandler, reasonOf } from '../page/change-handler.ts';
import { changeOnce } from '../page/change-once.ts';
import { findKey } from './key-rates.tsx';

export const revokeKeyPage: ConfirmPage = async (deps, call, error) => {
  const { prefix, name, customer, customerId } = await findKey(deps, call);
  return confirmationView({
    title: `Revoke “${name}”?`,
    lead: (
      <>
        Programs that use <code>{prefix}</code> of {customer} get 401 at once. You cannot undo this;
        the customer can create another key.
      </>
    ),
    action: `/operator/keys/${prefix}/revoke`,
    token: call.formToken(),
    button: 'Revoke key',
    back: `/operator/customers/${customerId}`,
    reason: call.form.get('reason') ?? undefined,
    error,
  });
};

export const revokeKeyForm = changeHandler(revokeKeyPage, async (deps, call) => {
  const { prefix, customerId } = await findKey(deps, call);
  const reason = reasonOf(call);
  const isFirst = await changeOnce(deps, call, (store) =>
    store.revokeKey({ prefix, at: deps.now(), reason }),
  );
  return redirectTo(`/operator/customers/${customerId}?done=${isFirst ? 'revoked' : 'repeated'}`);
});
