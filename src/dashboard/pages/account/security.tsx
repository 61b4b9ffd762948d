/** GET /dashboard/account/security and its forms: password, two-step sign-in, and sessions. */
import { changePassword, listSessions, signOutEverywhere } from '../../../accounts/sign-in.ts';
import type { SecondFactor } from '../../../accounts/sql/second-factor-rows.ts';
import type { VerbatimError } from '../../../errors.ts';
import type { HttpResponse } from '../../../http/messages.ts';
import { accountView } from '../../components/account-page.tsx';
import { PlainLink, Submit } from '../../components/button.tsx';
import { Form } from '../../components/form.tsx';
import { type PasswordErrors, PasswordSection } from '../../components/password-section.tsx';
import { recoveryCodesLeft } from '../../components/recovery-codes.tsx';
import { SessionTable, type SessionTableProps } from '../../components/session-table.tsx';
import { Timestamp } from '../../components/timestamp.tsx';
import type { DashboardDeps } from '../../page/dashboard-deps.ts';
import { formHandler, readNewPassword } from '../../page/forms.ts';
import type { CustomerCall, Reply, View } from '../../page/page.ts';
import { redirectSignedIn, redirectSignedOut, redirectTo } from '../../page/page-redirects.ts';
import { signingBrowserOf } from '../../page/signing-browser.ts';

export const SECURITY_PATH = '/dashboard/account/security';

const notes: Readonly<Record<string, string>> = {
  password: 'Your password was changed. All other sessions were signed out.',
  session: 'That browser is signed out.',
  'second-factor-off': 'Two-step sign-in is off. Your password is enough to sign in.',
};

export const changePasswordForm = formHandler(securityPage, async (deps, call) => {
  const { id: memberId, email } = call.session.member;
  const { address, device } = signingBrowserOf(call);
  const newPassword = readNewPassword(call);
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
});

/** Tells which field of the password's form is wrong. */
function passwordErrorsOf(error: VerbatimError | undefined): PasswordErrors {
  if (error === undefined) return {};
  const { code, message } = error;
  if (code === 'wrong_sign_in') return { password: 'your current password is incorrect' };
  const isNew = code === 'weak_password' || code === 'invalid_field';
  return isNew ? { newPassword: message } : { password: message };
}

/** POST …/sessions/NAME/sign-out: ends another session of the member. */
export async function signOutOneForm(deps: DashboardDeps, call: CustomerCall): Promise<Reply> {
  const name = call.parameters['name'] ?? '';
  await deps.accounts.store.endNamedSession({ ownerId: call.session.member.id, name });
  return redirectTo(`${SECURITY_PATH}?done=session`);
}

export async function signOutEverywhereForm(
  deps: DashboardDeps,
  call: CustomerCall,
): Promise<HttpResponse> {
  await signOutEverywhere(deps.accounts, call.session.member.id);
  return redirectSignedOut(deps, 'signed-out-everywhere');
}

export async function securityPage(
  { accounts }: DashboardDeps,
  call: CustomerCall,
  error?: VerbatimError,
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
            errors={passwordErrorsOf(error)}
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
              <Submit look="plain">Set up</Submit>
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
            <PlainLink href="/dashboard/account/second-factor/new-codes">
              New recovery codes
            </PlainLink>
            <PlainLink href="/dashboard/account/second-factor/turn-off">Turn off</PlainLink>
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
          <Submit look="plain compact">Sign out everywhere</Submit>
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
