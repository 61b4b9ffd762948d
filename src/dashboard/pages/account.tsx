/** GET /dashboard/account and its forms: password, low-credit warning, lanes and sessions. */
import { clearedCookie } from '../../accounts/cookies.ts';
import { setLowBalance } from '../../accounts/credit.ts';
import { setLanes } from '../../accounts/lane-choices.ts';
import { changePassword, signOutEverywhere } from '../../accounts/sign-in.ts';
import { parseCredits } from '../../credits.ts';
import { VerbatimError } from '../../errors.ts';
import type { HttpResponse } from '../../http/messages.ts';
import type { LaneChoice } from '../../lane-choice.ts';
import { sentence } from '../components/error-view.tsx';
import { Field, NewPasswordFields } from '../components/field.tsx';
import { Form } from '../components/form.tsx';
import { choiceOfForm, LaneChoiceForm } from '../components/lane-choice-form.tsx';
import { Notice } from '../components/notice.tsx';
import { PageHead } from '../components/page-head.tsx';
import { Timestamp } from '../components/timestamp.tsx';
import type { DashboardDeps } from '../page/dashboard-deps.ts';
import { CREDITS_ADVICE, expectedErrorOf } from '../page/forms.ts';
import { type CustomerCall, type View, withError } from '../page/page.ts';
import { redirectSignedIn, redirectTo } from '../page/redirects.ts';

const PATH = '/dashboard/account';

const notes: Readonly<Record<string, string>> = {
  password: 'Your password was changed. All other sessions were signed out.',
  'low-balance': 'Saved.',
  lanes: 'Saved. The change applies from the next search.',
};

/** The rejected input and the reason. */
interface Wrong {
  password?: string;
  newPassword?: string;
  lowBalance?: { text: string; why: string };
}

export function accountPage(_deps: DashboardDeps, call: CustomerCall): View {
  return accountView(call, {});
}

export async function changePasswordForm(
  deps: DashboardDeps,
  call: CustomerCall,
): Promise<View | HttpResponse> {
  const { id: customerId, email } = call.session.customer;
  const newPassword = call.form.get('new_password') ?? '';
  if (newPassword !== call.form.get('new_password_again')) {
    const why = 'The passwords do not match.';
    return withError(accountView(call, { newPassword: why }), new VerbatimError('invalid_field'));
  }
  try {
    const signedIn = await changePassword(deps.accounts, {
      customerId,
      email,
      newPassword,
      sessionToken: call.cookieToken ?? '',
      password: call.form.get('password') ?? '',
    });
    return redirectSignedIn(`${PATH}?done=password`, signedIn, deps);
  } catch (error) {
    const told = expectedErrorOf(error);
    const { code, message } = told;
    const why =
      code === 'wrong_sign_in' ? 'Your current password is incorrect.' : sentence(message);
    const wrong = code === 'weak_password' ? { newPassword: why } : { password: why };
    return withError(accountView(call, wrong), told);
  }
}

export async function lowBalanceForm(
  deps: DashboardDeps,
  call: CustomerCall,
): Promise<View | HttpResponse> {
  const text = (call.form.get('low_balance') ?? '').trim();
  const credits = text === '' ? null : parseCredits(text);
  if (credits === undefined) {
    const lowBalance = { text, why: CREDITS_ADVICE };
    return withError(accountView(call, { lowBalance }), new VerbatimError('invalid_field'));
  }
  await setLowBalance(deps.accounts, { customerId: call.session.customer.id, credits });
  return redirectTo(`${PATH}?done=low-balance`);
}

export async function lanesForm(deps: DashboardDeps, call: CustomerCall): Promise<HttpResponse> {
  const { id: customerId } = call.session.customer;
  await setLanes(deps.accounts, { customerId, lanes: choiceOfForm(call.form) });
  return redirectTo(`${PATH}?done=lanes`);
}

export async function signOutEverywhereForm(
  deps: DashboardDeps,
  call: CustomerCall,
): Promise<HttpResponse> {
  await signOutEverywhere(deps.accounts, call.session.customer.id);
  return redirectTo('/dashboard/sign-in?done=signed-out-everywhere', [
    clearedCookie('session', deps.isSecure),
    clearedCookie('browser', deps.isSecure),
  ]);
}

function accountView(call: CustomerCall, wrong: Wrong): View {
  const { customer, createdAt } = call.session;
  const note = notes[call.query.get('done') ?? ''];
  const token = call.formToken();
  return {
    title: 'Account',
    main: (
      <>
        <PageHead title="Account">
          {customer.email}, customer since <Timestamp time={customer.createdAt} isDay />.
        </PageHead>
        {note === undefined ? null : (
          <Notice tone="good">
            <p>{note}</p>
          </Notice>
        )}
        <div class="split">
          <section class="card" aria-labelledby="password-head">
            <h2 id="password-head">Password</h2>
            <Form action={`${PATH}/password`} token={token}>
              <Field
                label="Current password"
                name="password"
                type="password"
                wrong={wrong.password}
                input={{ required: true, autoComplete: 'current-password' }}
              />
              <NewPasswordFields email={customer.email} wrong={wrong.newPassword} />
              <div>
                <button class="button" type="submit">
                  Change password
                </button>
              </div>
            </Form>
          </section>
          <div class="stack">
            <LowBalance token={token} lowBalance={customer.lowBalance} wrong={wrong.lowBalance} />
            <Lanes token={token} lanes={customer.lanes} />
            <Sessions token={token} startedAt={createdAt} />
          </div>
        </div>
      </>
    ),
  };
}

interface LowBalanceProps {
  token: string;
  lowBalance: number | null;
  wrong: Wrong['lowBalance'];
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

function Sessions({ token, startedAt }: { token: string; startedAt: number }) {
  return (
    <section class="card" aria-labelledby="sessions-head">
      <h2 id="sessions-head">Sessions</h2>
      <p class="soft">
        Signed in on this browser since <Timestamp time={startedAt} />. Signing out does not affect
        your keys.
      </p>
      <div class="row">
        <Form action="/dashboard/sign-out" token={token} class="">
          <button class="button plain" type="submit">
            Sign out here
          </button>
        </Form>
        <Form action={`${PATH}/sign-out-everywhere`} token={token} class="">
          <button class="button plain" type="submit">
            Sign out everywhere
          </button>
        </Form>
      </div>
    </section>
  );
}
