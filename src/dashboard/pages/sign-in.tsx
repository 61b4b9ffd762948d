/** GET and POST /dashboard/sign-in, and POST /dashboard/sign-out. */
import { clearedCookie } from '../../accounts/cookies.ts';
import { readContact } from '../../accounts/operator-contact.ts';
import { signIn, signOut } from '../../accounts/sign-in.ts';
import type { VerbatimError } from '../../errors.ts';
import type { HttpResponse } from '../../http/messages.ts';
import { Submit } from '../components/button.tsx';
import { AskOperator } from '../components/contact-link.tsx';
import { Field } from '../components/field.tsx';
import { Form } from '../components/form.tsx';
import { Message } from '../components/notice.tsx';
import { PageHead } from '../components/page-head.tsx';
import type { DashboardDeps } from '../page/dashboard-deps.ts';
import { formHandler } from '../page/forms.ts';
import type { PageCall, Reply, View } from '../page/page.ts';
import { nextOf, redirectSignedIn, redirectTo } from '../page/page-redirects.ts';
import { signingBrowserOf } from '../page/signing-browser.ts';
import { redirectToCode } from './sign-in-code.tsx';

const notes: Readonly<Record<string, string>> = {
  'signed-out': 'You are signed out.',
  left: 'You left the account and are signed out.',
  deleted: 'The account is deleted.',
  'signed-out-everywhere': 'You are signed out everywhere.',
};

export function signInPage(deps: DashboardDeps, call: PageCall): Reply {
  return call.session === undefined ? signInView(deps, call) : redirectTo(nextOf(call));
}

export const signInForm = formHandler(signInView, async (deps, call) => {
  const email = call.form.get('email') ?? '';
  const password = call.form.get('password') ?? '';
  const signedIn = await signIn(deps.accounts, { ...signingBrowserOf(call), email, password });
  return 'pending' in signedIn
    ? redirectToCode(deps, nextOf(call), signedIn.pending)
    : redirectSignedIn(nextOf(call), signedIn, deps);
});

function signInView({ accounts }: DashboardDeps, call: PageCall, error?: VerbatimError): View {
  const note = notes[call.query.get('done') ?? ''];
  return {
    title: 'Sign in',
    isNarrow: true,
    main: (
      <>
        <PageHead title="Sign in">Manage your keys, credit, and usage.</PageHead>
        <Message tone="good" text={note} />
        <Message tone="bad" text={error?.message} />
        <div class="card">
          <Form action="/dashboard/sign-in" token={call.formToken()}>
            <input type="hidden" name="next" value={nextOf(call)} />
            <Field
              label="E-mail address"
              name="email"
              type="email"
              value={call.form.get('email') ?? undefined}
              input={{ required: true, autoComplete: 'username' }}
            />
            <Field
              label="Password"
              name="password"
              type="password"
              input={{ required: true, autoComplete: 'current-password' }}
            />
            <Submit>Sign in</Submit>
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
  if (call.cookieToken !== undefined) await signOut(deps.accounts, call.cookieToken);
  return redirectTo('/dashboard/sign-in?done=signed-out', [
    clearedCookie('session', deps.isSecure),
  ]);
}
