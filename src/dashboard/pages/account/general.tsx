/** GET /dashboard/account, and its form: what happens to questions. */
import { setLanes } from '../../../accounts/lane-choices.ts';
import { keepAsked } from '../../../accounts/requests.ts';
import type { Session } from '../../../accounts/sql/sessions.ts';
import { VerbatimError } from '../../../errors.ts';
import type { HttpResponse } from '../../../http/messages.ts';
import { accountView } from '../../components/account-page.tsx';
import { PlainLink, Submit } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { optionsOf, Select } from '../../components/field.tsx';
import { Form } from '../../components/form.tsx';
import { choiceOfForm, LaneFields } from '../../components/lane-fields.tsx';
import { roleName } from '../../components/role-names.tsx';
import { Timestamp } from '../../components/timestamp.tsx';
import type { DashboardDeps } from '../../page/dashboard-deps.ts';
import type { CustomerCall, View } from '../../page/page.ts';
import { redirectTo } from '../../page/page-redirects.ts';
import { mayOpen } from '../../page/role-access.ts';

const PATH = '/dashboard/account';

/** Sets the lanes, and keeps what is asked from now on, or forgets what was kept. */
export async function questionsForm(
  { accounts }: DashboardDeps,
  call: CustomerCall,
): Promise<HttpResponse> {
  const { id: customerId } = call.session.customer;
  const days = Number(call.form.get('days'));
  if (!(days in askedLabels)) throw new VerbatimError('bad_request', 'choose one of the times');
  await setLanes(accounts, { customerId, lanes: choiceOfForm(call.form) });
  await keepAsked(accounts, { customerId, days });
  return redirectTo(`${PATH}?done=saved`);
}

export function accountPage(_deps: DashboardDeps, call: CustomerCall): View {
  const { customer, member } = call.session;
  return accountView({
    section: PATH,
    intro: (
      <>
        Signed in as {member.email}, {roleName(member.role)}. Customer since{' '}
        <Timestamp time={customer.createdAt} isDay />.
      </>
    ),
    note:
      call.query.get('done') === 'saved'
        ? 'Saved. The change applies from the next request.'
        : undefined,
    children: (
      <div class="split">
        {mayOpen(member.role, `${PATH}/questions`) ? (
          <Questions token={call.formToken()} customer={customer} />
        ) : null}
        {member.role === 'owner' ? null : <Leave />}
      </div>
    ),
  });
}

/** What can be chosen. */
const askedLabels: Readonly<Record<number, string>> = {
  0: 'Not at all',
  1: 'For a day',
  7: 'For a week',
  14: 'For two weeks',
};

function Questions({ token, customer }: { token: string; customer: Session['customer'] }) {
  const { lanes, askedDays } = customer;
  return (
    <Card id="questions-head" title="What happens to questions">
      <Form action={`${PATH}/questions`} token={token}>
        <LaneFields lanes={lanes} />
        <p class="hint">
          This applies to all your <a href="/dashboard/keys">keys</a>. A key or a request may allow
          fewer lanes.
        </p>
        <Select
          label="Keep the text of requests"
          name="days"
          value={String(askedDays)}
          options={optionsOf(askedLabels)}
        />
        <p class="hint">
          <a href="/dashboard/requests">Requests</a> can show what was asked, to owners and
          developers of this account. The service keeps it for that only. What was kept is deleted
          as soon as you choose “Not at all”.
        </p>
        <div>
          <Submit>Save</Submit>
        </div>
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
