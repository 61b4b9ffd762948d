/** GET /dashboard/account and its forms: low-credit warning and lanes. */
import { setLowBalance } from '../../../accounts/credit.ts';
import { setLanes } from '../../../accounts/lane-choices.ts';
import { parseCredits } from '../../../credits.ts';
import { VerbatimError } from '../../../errors.ts';
import type { HttpResponse } from '../../../http/messages.ts';
import type { LaneChoice } from '../../../lane-choice.ts';
import { accountView } from '../../components/account-page.tsx';
import { Field } from '../../components/field.tsx';
import { Form } from '../../components/form.tsx';
import { choiceOfForm, LaneChoiceForm } from '../../components/lane-choice-form.tsx';
import { roleName } from '../../components/role-names.tsx';
import { Timestamp } from '../../components/timestamp.tsx';
import type { DashboardDeps } from '../../page/dashboard-deps.ts';
import { CREDITS_ADVICE } from '../../page/forms.ts';
import { type CustomerCall, type View, withError } from '../../page/page.ts';
import { redirectTo } from '../../page/redirects.ts';
import { mayOpen } from '../../page/role-access.ts';

const PATH = '/dashboard/account';

const notes: Readonly<Record<string, string>> = {
  'low-balance': 'Saved.',
  lanes: 'Saved. The change applies from the next search.',
};

/** The rejected input and the reason. */
interface WrongText {
  text: string;
  why: string;
}

export function accountPage(_deps: DashboardDeps, call: CustomerCall): View {
  return generalView(call);
}

export async function lowBalanceForm(
  deps: DashboardDeps,
  call: CustomerCall,
): Promise<View | HttpResponse> {
  const text = (call.form.get('low_balance') ?? '').trim();
  const credits = text === '' ? null : parseCredits(text);
  if (credits === undefined) {
    const view = generalView(call, { text, why: CREDITS_ADVICE });
    return withError(view, new VerbatimError('invalid_field'));
  }
  await setLowBalance(deps.accounts, { customerId: call.session.customer.id, credits });
  return redirectTo(`${PATH}?done=low-balance`);
}

export async function lanesForm(deps: DashboardDeps, call: CustomerCall): Promise<HttpResponse> {
  const { id: customerId } = call.session.customer;
  await setLanes(deps.accounts, { customerId, lanes: choiceOfForm(call.form) });
  return redirectTo(`${PATH}?done=lanes`);
}

function generalView(call: CustomerCall, wrongLowBalance?: WrongText): View {
  const { customer, member } = call.session;
  const token = call.formToken();
  return accountView({
    section: PATH,
    intro: (
      <>
        Signed in as {member.email}, {roleName(member.role)}. Customer since{' '}
        <Timestamp time={customer.createdAt} isDay />.
      </>
    ),
    note: notes[call.query.get('done') ?? ''],
    children: (
      <div class="split">
        {mayOpen(member.role, `${PATH}/low-balance`) ? (
          <LowBalance token={token} lowBalance={customer.lowBalance} wrong={wrongLowBalance} />
        ) : null}
        {mayOpen(member.role, `${PATH}/lanes`) ? (
          <Lanes token={token} lanes={customer.lanes} />
        ) : null}
        {member.role === 'owner' ? null : <Leave />}
      </div>
    ),
  });
}

interface LowBalanceProps {
  token: string;
  lowBalance: number | null;
  wrong: WrongText | undefined;
}

function LowBalance({ token, lowBalance, wrong }: LowBalanceProps) {
  return (
    <section class="card" aria-labelledby="warning-head">
      <h2 id="warning-head">Low-credit warning</h2>
      <Form action={`${PATH}/low-balance`} token={token}>
        <Field
          label="Warn me below this many credits"
          name="low_balance"
          value={wrong?.text ?? (lowBalance === null ? '' : String(lowBalance))}
          hint="The dashboard shows a warning on every page. Leave empty for no warning."
          wrong={wrong?.why}
          input={{ inputMode: 'numeric', autoComplete: 'off' }}
        />
        <div>
          <button class="button" type="submit">
            Save
          </button>
        </div>
      </Form>
    </section>
  );
}

function Lanes({ token, lanes }: { token: string; lanes: LaneChoice }) {
  return (
    <section class="card" aria-labelledby="lanes-head">
      <h2 id="lanes-head">Lanes</h2>
      <p class="soft">
        This applies to all your <a href="/dashboard/keys">keys</a>. A key or a request may allow
        fewer lanes.
      </p>
      <LaneChoiceForm action={`${PATH}/lanes`} token={token} lanes={lanes} />
    </section>
  );
}

function Leave() {
  return (
    <section class="card" aria-labelledby="leave-head">
      <h2 id="leave-head">Leave</h2>
      <p class="soft">You lose access to this account. Its keys and credit stay.</p>
      <div>
        <a class="button plain" href={`${PATH}/leave`}>
          Leave this account
        </a>
      </div>
    </section>
  );
}
