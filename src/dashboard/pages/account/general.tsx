/** GET /dashboard/account and its form: lanes. */
import { setLanes } from '../../../accounts/lane-choices.ts';
import type { HttpResponse } from '../../../http/messages.ts';
import type { LaneChoice } from '../../../settings/lane-choice.ts';
import { accountView } from '../../components/account-page.tsx';
import { PlainLink } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
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
};

export async function lanesForm(deps: DashboardDeps, call: CustomerCall): Promise<HttpResponse> {
  const { id: customerId } = call.session.customer;
  await setLanes(deps.accounts, { customerId, lanes: choiceOfForm(call.form) });
  return redirectTo(`${PATH}?done=lanes`);
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
          <Lanes token={token} lanes={customer.lanes} />
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
