/** GET and POST /operator/customers/:id/disable: asks for confirmation and a reason, then disables. */
import { redirectTo } from '../../page/page-redirects.ts';
import { confirmationView } from '../components/confirmation.tsx';
import { type ConfirmPage, changeHandler, reasonOf } from '../page/change-handler.ts';
import { changeOnce } from '../page/change-once.ts';
import { findShown } from './customer.tsx';

export const disablePage: ConfirmPage = async (deps, call, error) => {
  const { id, email } = await findShown(deps, call);
  return confirmationView({
    title: `Disable ${email}?`,
    lead: 'Keys get 401 at once, and sessions and links stop working. Credit and keys stay, and you can enable the customer again.',
    action: `/operator/customers/${id}/disable`,
    token: call.formToken(),
    button: 'Disable',
    back: `/operator/customers/${id}`,
    reason: call.form.get('reason') ?? undefined,
    error,
  });
};

export const disableForm = changeHandler(disablePage, async (deps, call) => {
  const { id, email } = await findShown(deps, call);
  const reason = reasonOf(call);
  const isFirst = await changeOnce(deps, call, (store) =>
    store.disableCustomer({ email, reason, now: deps.now() }),
  );
  return redirectTo(`/operator/customers/${id}?done=${isFirst ? 'disabled' : 'repeated'}`);
});
