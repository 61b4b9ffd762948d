/** GET /operator/account and its forms: an operator's password, authenticator app, and sessions. */
import { clearedCookie, isSecure } from '../../../accounts/cookies.ts';
import { changeOperatorPassword } from '../../../accounts/operator-account.ts';
import type { OperatorLogin } from '../../../accounts/sql/operator-sign-in-rows.ts';
import { VerbatimError } from '../../../errors.ts';
import type { HttpResponse } from '../../../http/messages.ts';
import { sentence } from '../../components/error-view.tsx';
import { Form } from '../../components/form.tsx';
import { Notice } from '../../components/notice.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { type PasswordErrors, PasswordSection } from '../../components/password-section.tsx';
import { recoveryCodesLeft } from '../../components/recovery-codes.tsx';
import { SessionTable } from '../../components/session-table.tsx';
import { Timestamp } from '../../components/timestamp.tsx';
import { expectedErrorOf } from '../../page/forms.ts';
import { type View, withError } from '../../page/page.ts';
import { redirectTo } from '../../page/page-redirects.ts';
import { type OperatorCall, presentOf } from '../page/operator-call.ts';
import type { OperatorDeps } from '../page/operator-deps.ts';
import { ACCOUNT } from './operator-recovery-codes.tsx';
import { redirectWithSession, SIGN_IN } from './operator-sign-in.tsx';

const notes: Readonly<Record<string, string>> = {
  password: 'Your password was changed. All other sessions were signed out.',
  session: 'That browser is signed out.',
};

export function accountPage(deps: OperatorDeps, call: OperatorCall): Promise<View> {
  return accountView(deps, call, {});
}

export async function passwordForm(
  deps: OperatorDeps,
  call: OperatorCall,
): Promise<View | HttpResponse> {
  const present = presentOf(call);
  const field = (name: string): string => call.form.get(name) ?? '';
  const newPassword = field('new_password');
  try {
    if (newPassword !== field('new_password_again')) {
      throw new VerbatimError('weak_password', 'the passwords do not match');
    }
    const change = { password: field('password'), newPassword, email: present.email };
    const signedIn = await changeOperatorPassword(deps.accounts, present, change);
    return redirectWithSession(`${ACCOUNT}?done=password`, signedIn, deps.settings);
  } catch (error) {
    const expectedError = expectedErrorOf(error);
    const message = sentence(expectedError.message);
    const errors =
      expectedError.code === 'weak_password' ? { newPassword: message } : { password: message };
    return withError(await accountView(deps, call, errors), expectedError);
  }
}

/** POST …/sessions/NAME/sign-out: ends another session of the operator. */
export async function endSessionForm(
  { accounts }: OperatorDeps,
  call: OperatorCall,
): Promise<HttpResponse> {
  const { operatorId: ownerId } = presentOf(call);
  const name = call.parameters['name'] ?? '';
  await accounts.store.endNamedOperatorSession({ ownerId, name });
  return redirectTo(`${ACCOUNT}?done=session`);
}

export async function signOutEverywhereForm(
  { accounts, settings }: OperatorDeps,
  call: OperatorCall,
): Promise<HttpResponse> {
  await accounts.store.endOperatorSessions({ ownerId: presentOf(call).operatorId });
  return redirectTo(`${SIGN_IN}?done=signed-out-everywhere`, [
    clearedCookie('operatorSession', isSecure(settings)),
    clearedCookie('operatorBrowser', isSecure(settings)),
  ]);
}

async function accountView(
  { accounts }: OperatorDeps,
  call: OperatorCall,
  errors: PasswordErrors,
): Promise<View> {
  const { operatorId, email, token } = presentOf(call);
  const { store, operators, now } = accounts;
  const login = await store.operatorLoginOf(operatorId);
  if (login === undefined) throw new VerbatimError('signed_out');
  const { sessionLimits: limits } = operators;
  const sessions = await store.listOperatorSessions({
    ownerId: operatorId,
    limits,
    now: now(),
  });
  const formToken = call.formToken();
  const note = notes[call.query.get('done') ?? ''];
  return {
    title: 'Your account',
    main: (
      <>
        <PageHead title="Your account">How you sign in as an operator, {email}.</PageHead>
        {note === undefined ? null : (
          <Notice tone="good">
            <p>{note}</p>
          </Notice>
        )}
        <div class="split">
          <PasswordSection
            action={`${ACCOUNT}/password`}
            token={formToken}
            email={email}
            errors={errors}
          />
          <App login={login} />
        </div>
        <section class="card" aria-labelledby="sessions-head">
          <div class="card-head">
            <h2 id="sessions-head">Sessions</h2>
            <Form action={`${ACCOUNT}/sign-out-everywhere`} token={formToken} class="">
              <button class="button plain compact" type="submit">
                Sign out everywhere
              </button>
            </Form>
          </div>
          <SessionTable
            sessions={sessions}
            cookieToken={token}
            formToken={formToken}
            signOutPath="/operator/sign-out"
            sessionsPath={`${ACCOUNT}/sessions`}
          />
        </section>
      </>
    ),
  };
}

function App({ login: { enrolledAt, recoveryCodesLeft: left } }: { login: OperatorLogin }) {
  return (
    <section class="card" aria-labelledby="app-head">
      <h2 id="app-head">Authenticator app</h2>
      <p class="soft">
        Set up <Timestamp time={enrolledAt} isDay />. {recoveryCodesLeft(left)}
      </p>
      <div class="row">
        <a class="button plain" href={`${ACCOUNT}/second-factor`}>
          New app
        </a>
        <a class="button plain" href={`${ACCOUNT}/recovery-codes`}>
          New recovery codes
        </a>
      </div>
    </section>
  );
}
