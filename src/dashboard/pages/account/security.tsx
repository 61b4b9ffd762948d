/** GET /dashboard/account/security and its forms: password, two-step sign-in, and sessions. */
import { clearedCookie } from '../../../accounts/cookies.ts';
import { changePassword, listSessions, signOutEverywhere } from '../../../accounts/sign-in.ts';
import type { SecondFactor } from '../../../accounts/sql/second-factor-rows.ts';
import { VerbatimError } from '../../../errors.ts';
import type { HttpResponse } from '../../../http/messages.ts';
import { accountView } from '../../components/account-page.tsx';
import { sentence } from '../../components/error-view.tsx';
import { Form } from '../../components/form.tsx';
import { type PasswordErrors, PasswordSection } from '../../components/password-section.tsx';
import { recoveryCodesLeft } from '../../components/recovery-codes.tsx';
import { SessionTable, type SessionTableProps } from '../../components/session-table.tsx';
import { Timestamp } from '../../components/timestamp.tsx';
import type { DashboardDeps } from '../../page/dashboard-deps.ts';
import { expectedErrorOf } from '../../page/forms.ts';
import { type CustomerCall, type View, withError } from '../../page/page.ts';
import { redirectSignedIn, redirectTo } from '../../page/page-redirects.ts';
import { signingBrowserOf } from '../../page/signing-browser.ts';

export const SECURITY_PATH = '/dashboard/account/security';

const notes: Readonly<Record<string, string>> = {
  password: 'Your password was changed. All other sessions were signed out.',
  session: 'That browser is signed out.',
  'second-factor-off': 'Two-step sign-in is off. Your password is enough to sign in.',
};

export function securityPage(deps: DashboardDeps, call: CustomerCall): Promise<View> {
  return securityView(deps, call, {});
}

export async function changePasswordForm(
  deps: DashboardDeps,
  call: CustomerCall,
): Promise<View | HttpResponse> {
  const { id: memberId, email } = call.session.member;
  const { address, device } = signingBrowserOf(call);
  const newPassword = call.form.get('new_password') ?? '';
  if (newPassword !== call.form.get('new_password_again')) {
    const errors = { newPassword: 'The passwords do not match.' };
    return withError(await securityView(deps, call, errors), new VerbatimError('invalid_field'));
  }
  try {
    const signedIn = await changePassword(deps.accounts, {
      memberId,
      email,
      address,
      device,
      newPassword,
      sessionToken: call.cookieToken ?? '',
      password: call.form.get('password') ?? '',
    });
    return redirectSignedIn(`${SECURITY_PATH}?done=password`, signedIn, deps);
  } catch (error) {
    const expectedError = expectedErrorOf(error);
    const { code, message } = expectedError;
    const text =
      code === 'wrong_sign_in' ? 'Your current password is incorrect.' : sentence(message);
    const errors = code === 'weak_password' ? { newPassword: text } : { password: text };
    return withError(await securityView(deps, call, errors), expectedError);
  }
}

/** POST …/sessions/NAME/sign-out: ends another session of the member. */
export async function signOutOneForm(
  deps: DashboardDeps,
  call: CustomerCall,
): Promise<HttpResponse> {
  const name = call.parameters['name'] ?? '';
  await deps.accounts.store.endNamedSession({ ownerId: call.session.member.id, name });
  return redirectTo(`${SECURITY_PATH}?done=session`);
}

export async function signOutEverywhereForm(
  deps: DashboardDeps,
  call: CustomerCall,
): Promise<HttpResponse> {
  await signOutEverywhere(deps.accounts, call.session.member.id);
  return redirectTo('/dashboard/sign-in?done=signed-out-everywhere', [
    clearedCookie('session', deps.isSecure),
    clearedCookie('browser', deps.isSecure),
  ]);
}

async function securityView(
  { accounts }: DashboardDeps,
  call: CustomerCall,
  errors: PasswordErrors,
): Promise<View> {
  const { id: memberId, email } = call.session.member;
  const token = call.formToken();
  const factor = await accounts.store.findSecondFactor(email);
  const sessions = await listSessions(accounts, memberId);
  return accountView({
    section: SECURITY_PATH,
    intro: 'How you sign in, and where you are signed in.',
    note: notes[call.query.get('done') ?? ''],
    children: (
      <>
        <div class="split">
          <PasswordSection
            action="/dashboard/account/password"
            token={token}
            email={email}
            errors={errors}
          />
          <TwoStepSignIn token={token} factor={factor} />
        </div>
        <Sessions sessions={sessions} formToken={token} cookieToken={call.cookieToken} />
      </>
    ),
  });
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

function Sessions({ sessions, formToken, cookieToken }: SessionTableProps) {
  return (
    <section class="card" aria-labelledby="sessions-head">
      <div class="card-head">
        <h2 id="sessions-head">Sessions</h2>
        <Form action="/dashboard/account/sign-out-everywhere" token={formToken} class="">
          <button class="button plain compact" type="submit">
            Sign out everywhere
          </button>
        </Form>
      </div>
      <SessionTable sessions={sessions} formToken={formToken} cookieToken={cookieToken} />
      <p class="small soft">
        Until a session ends, we store its browser and system, the network address of the sign-in
        (only the first half of an IPv6 address), and these times. Signing out does not affect your
        keys.
      </p>
    </section>
  );
}
