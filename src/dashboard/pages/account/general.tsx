/** GET /dashboard/account and its form: lanes. */
import { setLanes } from '../../../accounts/lane-choices.ts';
import { keepAsked } from '../../../accounts/requests.ts';
import { VerbatimError } from '../../../errors.ts';
import type { HttpResponse } from '../../../http/messages.ts';
import type { LaneChoice } from '../../../settings/lane-choice.ts';
import { accountView } from '../../components/account-page.tsx';
import { PlainLink, Submit } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { optionsOf, Select } from '../../components/field.tsx';
import { Form } from '../../components/form.tsx';
import { choiceOfForm, LaneChoiceForm } from '../../components/lane-choice-form.tsx';
import { roleName } from '../../components/role-names.tsx';
import { Timestamp } from '../../components/timestamp.tsx';
import type { DashboardDeps } from '../../page/dashboard-deps.ts';
import type { CustomerCall, View } from '../../page/page.ts';
import { redirectTo } from '../../page/page-redirects.ts';
import { mayOpen } from '../../page/role-access.ts';

const PATH = '/dashboard/account';

const notes: Readonly<Record<string, string>> = {
  lanes: 'Saved. The change applies from the next search.',
  asked: 'Saved. The change applies from the next request.',
};

export async function lanesForm(deps: DashboardDeps, call: CustomerCall): Promise<HttpResponse> {
  const { id: customerId } = call.session.customer;
  await setLanes(deps.accounts, { customerId, lanes: choiceOfForm(call.form) });
  return redirectTo(`${PATH}?done=lanes`);
}

/** Keeps what is asked from now on, or forgets what was kept. */
export async function askedForm(deps: DashboardDeps, call: CustomerCall): Promise<HttpResponse> {
  const { id: customerId } = call.session.customer;
  const days = Number(call.form.get('days'));
  if (!(days in askedLabels)) throw new VerbatimError('bad_request', 'choose one of the times');
  await keepAsked(deps.accounts, { customerId, days });
  return redirectTo(`${PATH}?done=asked`);
}

export function accountPage(_deps: DashboardDeps, call: CustomerCall): View {
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
        {mayOpen(member.role, `${PATH}/lanes`) ? (
          <>
            <Lanes token={token} lanes={customer.lanes} />
            <Asked token={token} days={customer.askedDays} />
          </>
        ) : null}
        {member.role === 'owner' ? null : <Leave />}
      </div>
    ),
  });
}

function Lanes({ token, lanes }: { token: string; lanes: LaneChoice }) {
  return (
    <Card id="lanes-head" title="Lanes">
      <p class="soft">
        This applies to all your <a href="/dashboard/keys">keys</a>. A key or a request may allow
        fewer lanes.
      </p>
      <LaneChoiceForm action={`${PATH}/lanes`} token={token} lanes={lanes} />
    </Card>
  );
}

/** What can be chosen. */
const askedLabels: Readonly<Record<number, string>> = {
  0: 'Not at all',
  1: 'For a day',
  7: 'For a week',
  14: 'For two weeks',
};

function Asked({ token, days }: { token: string; days: number }) {
  return (
    <Card id="asked-head" title="Text of requests">
      <p class="soft">
        <a href="/dashboard/requests">Requests</a> can show what was asked, to owners and developers
        of this account. The service keeps it for that only. What was kept is deleted as soon as you
        choose “Not at all”.
      </p>
      <Form action={`${PATH}/asked`} token={token}>
        <Select label="Keep it" name="days" value={String(days)} options={optionsOf(askedLabels)} />
        <Submit>Save</Submit>
      </Form>
    </Card>
  );
}

function Leave() {
  return (
    <Card id="leave-head" title="Leave">
      <p class="soft">You lose access to this account. Its keys and credit stay.</p>
      <div>
        <PlainLink href={`${PATH}/leave`}>Leave this account</PlainLink>
      </div>
    </Card>
  );
}
