/** GET /dashboard/account, and its forms: name and time zone, and what happens to questions. */
import {
  ACCOUNT_NAME_CHARACTERS_MAX,
  saveProfile,
  timeZones,
} from '../../../accounts/account-profile.ts';
import { setLanes } from '../../../accounts/lane-choices.ts';
import { keepAsked } from '../../../accounts/requests.ts';
import type { CustomerProfile } from '../../../accounts/sql/customers.ts';
import type { Session } from '../../../accounts/sql/sessions.ts';
import { VerbatimError } from '../../../errors.ts';
import type { HttpResponse } from '../../../http/messages.ts';
import { accountView } from '../../components/account-page.tsx';
import { PlainLink, Submit } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { Field, optionsOf, Select } from '../../components/field.tsx';
import { Form } from '../../components/form.tsx';
import { choiceOfForm, LaneFields } from '../../components/lane-fields.tsx';
import { roleName } from '../../components/role-names.tsx';
import { Timestamp } from '../../components/timestamp.tsx';
import type { DashboardDeps } from '../../page/dashboard-deps.ts';
import { formHandler } from '../../page/forms.ts';
import type { CustomerCall, View } from '../../page/page.ts';
import { redirectTo } from '../../page/page-redirects.ts';
import { mayOpen } from '../../page/role-access.ts';

const PATH = '/dashboard/account';

export const profileForm = formHandler(accountPage, async ({ accounts }, call) => {
  const { id: customerId } = call.session.customer;
  const [name = '', timeZone = ''] = ['name', 'zone'].map((field) => call.form.get(field) ?? '');
  await saveProfile(accounts, { customerId, name, timeZone });
  return redirectTo(`${PATH}?done=profile`);
});

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

export function accountPage(_deps: DashboardDeps, call: CustomerCall, error?: VerbatimError): View {
  const { customer, member } = call.session;
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
        {mayOpen(member.role, `${PATH}/profile`) ? (
          <Profile
            token={call.formToken()}
            name={call.form.get('name') ?? customer.name}
            timeZone={call.form.get('zone') ?? customer.timeZone}
            error={error}
          />
        ) : null}
        {mayOpen(member.role, `${PATH}/questions`) ? (
          <Questions token={call.formToken()} customer={customer} />
        ) : null}
        {member.role === 'owner' ? null : <Leave />}
      </div>
    ),
  });
}

const notes: Readonly<Record<string, string>> = {
  profile: 'Saved.',
  saved: 'Saved. The change applies from the next request.',
};

interface ProfileProps extends CustomerProfile {
  token: string;
  error: VerbatimError | undefined;
}

function Profile({ token, name, timeZone, error }: ProfileProps) {
  return (
    <Card id="profile-head" title="Name and time zone">
      <Form action={`${PATH}/profile`} token={token}>
        <Field
          label="Name of the account"
          name="name"
          value={name}
          error={error?.message}
          hint="Such as your company or lab. Members and the operator see it."
          input={{ maxLength: ACCOUNT_NAME_CHARACTERS_MAX, autoComplete: 'off' }}
        />
        <Select
          label="Time zone"
          name="zone"
          value={timeZone}
          options={timeZones(timeZone).map((zone) => ({
            value: zone,
            label: zone.replaceAll('_', ' '),
          }))}
        />
        <p class="hint">
          Pages show times in this zone, with UTC beside them. Months, statements, and downloads are
          in UTC.
        </p>
        <div>
          <Submit look="plain">Save profile</Submit>
        </div>
      </Form>
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
