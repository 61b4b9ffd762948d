/** GET and POST /operator/customers/:id/credit/:entry: takes back credit that was given by mistake. */
import { CREDITS_RANGE, parseCredits } from '../../../accounts/amounts/credits.ts';
import type { GivenCredit } from '../../../accounts/sql/given-credit.ts';
import type { ShownCustomer } from '../../../accounts/sql/operator-reads.ts';
import { VerbatimError } from '../../../errors.ts';
import { Field } from '../../components/field.tsx';
import { formatCounted } from '../../components/format-values.ts';
import { Timestamp } from '../../components/timestamp.tsx';
import { typed } from '../../page/forms.ts';
import { redirectTo } from '../../page/page-redirects.ts';
import { confirmationView } from '../components/confirmation.tsx';
import { GIVEN_SHOWN } from '../components/given-credit.tsx';
import { type ConfirmPage, changeHandler, reasonOf } from '../page/change-handler.ts';
import { changeOnce, readsOf } from '../page/change-once.ts';
import type { OperatorCall } from '../page/operator-call.ts';
import type { OperatorDeps } from '../page/operator-deps.ts';
import { findShown } from './customer.tsx';

/** Throws `not_found` unless the customer's page shows the entry. */
async function findGiven(
  deps: OperatorDeps,
  call: OperatorCall,
): Promise<{ customer: ShownCustomer; gift: GivenCredit }> {
  const customer = await findShown(deps, call);
  const given = { customerId: customer.id, limit: GIVEN_SHOWN };
  const gifts = await readsOf(deps, call).listGivenCredit(given);
  const gift = gifts.find(({ id }) => String(id) === call.parameters['entry']);
  if (gift === undefined) throw new VerbatimError('not_found');
  return { customer, gift };
}

export const takeBackPage: ConfirmPage = async (deps, call, error) => {
  const { customer, gift } = await findGiven(deps, call);
  const { id, email, balance } = customer;
  return confirmationView({
    title: 'Take back credit?',
    lead: (
      <>
        {email} was given {formatCounted(gift.credits, 'credit')} on{' '}
        <Timestamp time={gift.createdAt} />, and has {formatCounted(balance, 'credit')} now. This
        credit can be taken back once.
      </>
    ),
    action: `/operator/customers/${id}/credit/${gift.id}`,
    token: call.formToken(),
    button: 'Take back',
    back: `/operator/customers/${id}`,
    reasonHint: 'The customer sees it next to the credit.',
    reason: call.form.get('reason') ?? undefined,
    error,
    children: (
      <>
        <Field
          label="Credits"
          name="credits"
          value={call.form.get('credits') ?? String(gift.credits)}
          input={{ required: true, inputMode: 'numeric', autoComplete: 'off' }}
        />
        <label class="box">
          <input type="checkbox" name="may_owe" value="yes" />
          <span>The balance may fall below zero.</span>
        </label>
      </>
    ),
  });
};

export const takeBackForm = changeHandler(takeBackPage, async (deps, call) => {
  const { customer, gift } = await findGiven(deps, call);
  const { id, email } = customer;
  const credits = parseCredits(typed(call, 'credits'));
  if (credits === undefined) throw new VerbatimError('invalid_field', `enter ${CREDITS_RANGE}`);
  const mayOwe = call.form.get('may_owe') === 'yes';
  const input = { email, entryId: gift.id, credits, mayOwe, note: reasonOf(call), now: deps.now() };
  const isFirst = await changeOnce(deps, call, (store) => store.takeBackCredit(input));
  return redirectTo(`/operator/customers/${id}?done=${isFirst ? 'taken' : 'repeated'}`);
});
