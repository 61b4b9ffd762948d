/** GET /dashboard/account/security and its forms: password, two-step sign-in, and sessions. */
import { clearedCookie } from '../../../accounts/cookies.ts';
import { changePassword, signOutEverywhere } from '../../../accounts/sign-in.ts';
import { VerbatimError } from '../../../errors.ts';
import type { HttpResponse } from '../../../http/messages.ts';
import type { SecondFactor } from '../../../store/accounts/second-factors.ts';
import { accountView } from '../../components/account-page.tsx';
import { sentence } from '../../components/error-view.tsx';
import { Field, NewPasswordFields } from '../../components/field.tsx';
import { Form } from '../../components/form.tsx';
import { Timestamp } from '../../components/timestamp.tsx';
import type { DashboardDeps } from '../../page/dashboard-deps.ts';
import { expectedErrorOf } from '../../page/forms.ts';
import { type CustomerCall, type View, withError } from '../../page/page.ts';
import { redirectSignedIn, redirectTo } from '../../page/redirects.ts';

export const SECURITY_PATH = '/dashboard/account/security';

const notes: Readonly<Record<string, string>> = {
  password: 'Your password was changed. All other sessions were signed out.',
  'second-factor-off': 'Two-step sign-in is off. Your password is enough to sign in.',
};

/** The reason why a password was rejected, by field. */
interface WrongPassword {
  password?: string;
  newPassword?: string;
}

export function securityPage(deps: DashboardDeps, call: CustomerCall): Promise<View> {
  return securityView(deps, call, {});
}

export async function changePasswordForm(
  deps: DashboardDeps,
  call: CustomerCall,
): Promise<View | HttpResponse> {
  const { id: customerId, email } = call.session.customer;
  const newPassword = call.form.get('new_password') ?? '';
  if (newPassword !== call.form.get('new_password_again')) {
    const wrong = { newPassword: 'The passwords do not match.' };
    return withError(await securityView(deps, call, wrong), new VerbatimError('invalid_field'));
  }
  try {
    const signedIn = await changePassword(deps.accounts, {
      customerId,
      email,
      newPassword,
      sessionToken: call.cookieToken ?? '',
      password: call.form.get('password') ?? '',
    });
    return redirectSignedIn(`${SECURITY_PATH}?done=password`, signedIn, deps);
  } catch (error) {
    const told = expectedErrorOf(error);
    const { code, message } = told;
    const why =
      code === 'wrong_sign_in' ? 'Your current password is incorrect.' : sentence(message);
    const wrong = code === 'weak_password' ? { newPassword: why } : { password: why };
    return withError(await securityView(deps, call, wrong), told);
  }
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

async function securityView(
  { accounts }: DashboardDeps,
  call: CustomerCall,
  wrong: WrongPassword,
): Promise<View> {
  const { customer, createdAt } = call.session;
  const token = call.formToken();
  const factor = await accounts.store.findSecondFactor(customer.email);
  return accountView({
    section: SECURITY_PATH,
    intro: 'How you sign in, and where you are signed in.',
    note: notes[call.query.get('done') ?? ''],
    children: (
      <div class="split">
        <Password token={token} email={customer.email} wrong={wrong} />
        <div class="stack">
          <TwoStepSignIn token={token} factor={factor} />
          <Sessions token={token} startedAt={createdAt} />
        </div>
      </div>
    ),
  });
}

function Password({ token, email, wrong }: { token: string; email: string; wrong: WrongPassword }) {
  return (
    <section class="card" aria-labelledby="password-head">
      <h2 id="password-head">Password</h2>
      <Form action="/dashboard/account/password" token={token}>
        <Field
          label="Current password"
          name="password"
          type="password"
          wrong={wrong.password}
          input={{ required: true, autoComplete: 'current-password' }}
        />
        <NewPasswordFields email={email} wrong={wrong.newPassword} />
        <div>
          <button class="button" type="submit">
            Change password
          </button>
        </div>
      </Form>
    </section>
  );
}

function TwoStepSignIn({ token, factor }: { token: string; factor: SecondFactor | undefined }) {
  return (
    <section class="card" aria-labelledby="two-step-head">
      <div class="card-head">
        <h2 id="two-step-head">Two-step sign-in</h2>
        {factor === undefined ? <span class="badge">Off</span> : <span class="badge good">On</span>}
      </div>
      {factor === undefined ? (
        <>
          <p class="soft">
            After your password, you enter a code from an authenticator app on your phone or
            computer. Someone who learns your password cannot sign in with it alone.
          </p>
          <Form action="/dashboard/account/second-factor/set-up" token={token}>
            <div>
              <button class="button" type="submit">
                Set up
              </button>
            </div>
          </Form>
        </>
      ) : (
        <>
          <p class="soft">
            On since <Timestamp time={factor.enabledAt} isDay />.{' '}
            {recoveryCodesLeft(factor.recoveryCodesLeft)}
          </p>
          <div class="row">
            <a class="button plain" href="/dashboard/account/second-factor/new-codes">
              New recovery codes
            </a>
            <a class="button plain" href="/dashboard/account/second-factor/turn-off">
              Turn off
            </a>
          </div>
        </>
      )}
    </section>
  );
}

function recoveryCodesLeft(count: number): string {
  if (count === 0) return 'No recovery codes are left. Create new ones now.';
  return `${count} recovery ${count === 1 ? 'code is' : 'codes are'} left.`;
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
        <Form action="/dashboard/account/sign-out-everywhere" token={token} class="">
          <button class="button plain" type="submit">
            Sign out everywhere
          </button>
        </Form>
      </div>
    </section>
  );
}
