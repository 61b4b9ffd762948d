/** POST /dashboard/billing/automatic and …/off: automatic top-up. */
import { CREDITS_RANGE, parseCredits } from '../../../accounts/amounts/credits.ts';
import { parseAmount } from '../../../accounts/amounts/price.ts';
import { VerbatimError } from '../../../errors.ts';
import type { TypedTopUp } from '../../components/automatic-top-up-form.tsx';
import type { DashboardDeps } from '../../page/dashboard-deps.ts';
import { expectedErrorOf } from '../../page/forms.ts';
import { type CustomerCall, type Reply, type View, withError } from '../../page/page.ts';
import { redirectAway, redirectTo } from '../../page/page-redirects.ts';
import { BILLING_PATH, billingView } from './billing.tsx';

/** Stores what the customer agrees to, and leads to the page where Stripe saves a card. */
export async function automaticForm(deps: DashboardDeps, call: CustomerCall): Promise<Reply> {
  const { offer, automatic } = deps.service.topUp;
  if (offer === undefined || automatic === undefined) throw new VerbatimError('top_up_off');
  const { form, session } = call;
  const read = (name: string): string => (form.get(name) ?? '').trim();
  const threshold = parseCredits(read('threshold'));
  const amountPerMonthMax = parseAmount(read('month_max'), offer.currency);
  const errors: TypedTopUp['errors'] = {
    ...(threshold === undefined ? { threshold: `Enter ${CREDITS_RANGE}.` } : {}),
    ...(amountPerMonthMax === undefined ? { amount: 'Enter an amount, such as 25.' } : {}),
    ...(read('agree') === 'yes' ? {} : { agree: 'Agree first.' }),
  };
  const typed = { threshold: read('threshold'), credits: read('pack'), amount: read('month_max') };
  const answer = async (faults: TypedTopUp['errors'], error: VerbatimError): Promise<View> =>
    withError(await billingView(deps, call, { automatic: { ...typed, errors: faults } }), error);
  if (threshold === undefined || amountPerMonthMax === undefined || errors.agree !== undefined) {
    return await answer(errors, new VerbatimError('invalid_field'));
  }
  try {
    const saving = await automatic.agree({
      customerId: session.customer.id,
      email: session.member.email,
      threshold,
      credits: Number(read('pack')),
      amountPerMonthMax,
      setUp: read('set_up'),
      keepsCard: read('card') === 'keep',
      successUrl: `${deps.baseUrl()}${BILLING_PATH}?done=card`,
      cancelUrl: `${deps.baseUrl()}${BILLING_PATH}?done=cancelled`,
    });
    if (saving === undefined) return redirectTo(`${BILLING_PATH}?done=saved`);
    return redirectAway(new URL(saving.url));
  } catch (error) {
    const expectedError = expectedErrorOf(error);
    return await answer({ form: expectedError.message }, expectedError);
  }
}

/** Turns automatic top-up off, and lets the card be removed at Stripe. */
export async function automaticOffForm(deps: DashboardDeps, call: CustomerCall): Promise<Reply> {
  const { automatic } = deps.service.topUp;
  if (automatic === undefined) throw new VerbatimError('top_up_off');
  await automatic.turnOff(call.session.customer.id);
  return redirectTo(`${BILLING_PATH}?done=off`);
}
