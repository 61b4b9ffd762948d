/** GET and POST /operator/sign-in, and POST /operator/sign-out. */
import { clearedCookie, isSecure, tokenCookie } from '../../../accounts/cookies.ts';
import { signInOperator } from '../../../accounts/operator-sign-in.ts';
import type { SignedIn } from '../../../accounts/sign-in.ts';
import type { HttpResponse } from '../../../http/messages.ts';
import { CodeField } from '../../components/code-field.tsx';
import { sentence } from '../../components/error-view.tsx';
import { Field } from '../../components/field.tsx';
import { Form } from '../../components/form.tsx';
import { Notice } from '../../components/notice.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { expectedErrorOf } from '../../page/forms.ts';
import { type View, withError } from '../../page/page.ts';
import { redirectTo } from '../../page/page-redirects.ts';
import type { EntryCall } from '../page/operator-call.ts';
import type { OperatorDeps } from '../page/operator-deps.ts';
import { nextPath } from '../page/operator-path.ts';

export const SIGN_IN = '/operator/sign-in';

const notes: Readonly<Record<string, string>> = {
  'signed-out': 'You are signed out.',
  'signed-out-everywhere': 'You are signed out everywhere.',
};

export function signInPage(_deps: OperatorDeps, call: EntryCall): View | HttpResponse {
  const next = nextPath(call.query.get('next'));
  return call.isSignedIn ? redirectTo(next) : signInView(call, { next });
}

export async function signInForm(
  { accounts, settings }: OperatorDeps,
  call: EntryCall,
): Promise<View | HttpResponse> {
  const field = (name: string): string => call.form.get(name) ?? '';
  const email = field('email');
  const next = nextPath(field('next'));
  try {
    const input = { ...call.browser, email, password: field('password'), code: field('code') };
    return redirectWithSession(next, await signInOperator(accounts, input), settings);
  } catch (error) {
    const expectedError = expectedErrorOf(error);
    return withError(
      signInView(call, { next, email, error: expectedError.message }),
      expectedError,
    );
  }
}

export async function signOutForm(
  { accounts, settings }: OperatorDeps,
  call: EntryCall,
): Promise<HttpResponse> {
  const { cookieToken: token } = call.browser;
  if (token !== undefined) await accounts.store.endOperatorSession({ token });
  return redirectTo(`${SIGN_IN}?done=signed-out`, [
    clearedCookie('operatorSession', isSecure(settings)),
  ]);
}

/** Redirects to a page and sets the cookies of the session and of the known browser. */
export function redirectWithSession(
  path: string,
  { session, browser }: SignedIn,
  settings: OperatorDeps['settings'],
): HttpResponse {
  return redirectTo(path, [
    tokenCookie('operatorSession', session, isSecure(settings)),
    tokenCookie('operatorBrowser', browser, isSecure(settings)),
  ]);
}

interface SignInProps {
  next: string;
  email?: string;
  error?: string;
}

function signInView(call: EntryCall, { next, email, error }: SignInProps): View {
  const note = notes[call.query.get('done') ?? ''];
  return {
    title: 'Sign in',
    isNarrow: true,
    main: (
      <>
        <PageHead title="Sign in">
          For operators of this service. <a href="/dashboard/sign-in">Customers sign in here.</a>
        </PageHead>
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
          <Form action={SIGN_IN} token={call.formToken()}>
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
            <CodeField />
            <button class="button" type="submit">
              Sign in
            </button>
          </Form>
        </div>
        <p class="small soft">
          Lost your password, or your app and your recovery codes? The person who manages the server
          can give you a new link.
        </p>
      </>
    ),
  };
}
