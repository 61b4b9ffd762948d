/** GET and POST /dashboard/sign-in, and POST /dashboard/sign-out. */
import { clearedCookie } from '../../accounts/cookies.ts';
import { readContact } from '../../accounts/operator-contact.ts';
import { signIn, signOut } from '../../accounts/sign-in.ts';
import type { HttpResponse } from '../../http/messages.ts';
import { AskOperator } from '../components/contact-link.tsx';
import { sentence } from '../components/error-view.tsx';
import { Field } from '../components/field.tsx';
import { Form } from '../components/form.tsx';
import { Notice } from '../components/notice.tsx';
import { PageHead } from '../components/page-head.tsx';
import type { DashboardDeps } from '../page/dashboard-deps.ts';
import { expectedErrorOf } from '../page/forms.ts';
import { type PageCall, type View, withError } from '../page/page.ts';
import { ownPath, redirectSignedIn, redirectTo } from '../page/page-redirects.ts';
import { sessionName } from '../page/recent-questions.ts';
import { signingBrowserOf } from '../page/signing-browser.ts';
import { signInCodeView } from './sign-in-code.tsx';

const HOME = '/dashboard';

const notes: Readonly<Record<string, string>> = {
  'signed-out': 'You are signed out.',
  left: 'You left the account and are signed out.',
  deleted: 'The account is deleted.',
  'signed-out-everywhere': 'You are signed out everywhere.',
};

export function signInPage(deps: DashboardDeps, call: PageCall): View | HttpResponse {
  const next = ownPath(call.query.get('next'), HOME);
  if (call.session !== undefined) return redirectTo(next);
  return signInView(deps, call, { next });
}

export async function signInForm(
  deps: DashboardDeps,
  call: PageCall,
): Promise<View | HttpResponse> {
  const email = call.form.get('email') ?? '';
  const next = ownPath(call.form.get('next'), HOME);
  try {
    const password = call.form.get('password') ?? '';
    const signedIn = await signIn(deps.accounts, { ...signingBrowserOf(call), email, password });
    if ('pending' in signedIn) {
      return signInCodeView(deps, call, { next, pending: signedIn.pending });
    }
    return redirectSignedIn(next, signedIn, deps);
  } catch (error) {
    const expectedError = expectedErrorOf(error);
    return withError(
      signInView(deps, call, { next, email, error: expectedError.message }),
      expectedError,
    );
  }
}

interface SignInProps {
  next: string;
  email?: string;
  error?: string;
}

function signInView(
  { accounts }: DashboardDeps,
  call: PageCall,
  { next, email, error }: SignInProps,
): View {
  const note = notes[call.query.get('done') ?? ''];
  return {
    title: 'Sign in',
    isNarrow: true,
    main: (
      <>
        <PageHead title="Sign in">Manage your keys, credit, and usage.</PageHead>
        {note === undefined ? null : (
          <Notice tone="good">
            <p>{note}</p>
          </Notice>
        )}
        {error === undefined ? null : (
          <Notice tone="bad">
            <p>{sentence(error)}</p>
          </Notice>
        )}
        <div class="card">
          <Form action="/dashboard/sign-in" token={call.formToken()}>
            <input type="hidden" name="next" value={next} />
            <Field
              label="E-mail address"
              name="email"
              type="email"
              value={email}
              input={{ required: true, autoComplete: 'username' }}
            />
            <Field
              label="Password"
              name="password"
              type="password"
              input={{ required: true, autoComplete: 'current-password' }}
            />
            <button class="button" type="submit">
              Sign in
            </button>
          </Form>
        </div>
        <p class="small soft">
          <a href="/dashboard/reset-password">Forgot your password?</a>
          {accounts.settings.selfRegistration ? (
            <>
              {' · '}
              <a href="/dashboard/register">Register</a>
            </>
          ) : null}
        </p>
        {accounts.settings.selfRegistration ? null : (
          <p class="small soft">
            No account? <AskOperator contact={readContact(accounts.settings)}>for one</AskOperator>
          </p>
        )}
      </>
    ),
  };
}

export async function signOutForm(deps: DashboardDeps, call: PageCall): Promise<HttpResponse> {
  deps.recentQuestions.forget(sessionName(call));
  if (call.cookieToken !== undefined) await signOut(deps.accounts, call.cookieToken);
  return redirectTo('/dashboard/sign-in?done=signed-out', [
    clearedCookie('session', deps.isSecure),
  ]);
}
