/** The second step of signing in, which follows the password, and POST /dashboard/sign-in/code. */
import { readContact } from '../../accounts/operator-contact.ts';
import { signInWithCode } from '../../accounts/sign-in.ts';
import type { VerbatimError } from '../../errors.ts';
import type { HttpResponse } from '../../http/messages.ts';
import { CodeField } from '../components/code-field.tsx';
import { AskOperator } from '../components/contact-link.tsx';
import { errorView } from '../components/error-view.tsx';
import { Form } from '../components/form.tsx';
import { PageHead } from '../components/page-head.tsx';
import type { DashboardDeps } from '../page/dashboard-deps.ts';
import { expectedErrorOf } from '../page/forms.ts';
import { type PageCall, type View, withError } from '../page/page.ts';
import { ownPath, redirectSignedIn, redirectTo } from '../page/page-redirects.ts';
import { signingBrowserOf } from '../page/signing-browser.ts';

const HOME = '/dashboard';
const SIGN_IN = '/dashboard/sign-in';

/** A page that was loaded again has no password to go on from. */
export function signInCodePage(): HttpResponse {
  return redirectTo(SIGN_IN);
}

export async function signInCodeForm(
  deps: DashboardDeps,
  call: PageCall,
): Promise<View | HttpResponse> {
  const pending = call.form.get('pending') ?? '';
  const next = ownPath(call.form.get('next'), HOME);
  const code = call.form.get('code') ?? '';
  try {
    const input = { ...signingBrowserOf(call), pending, code };
    const signedIn = await signInWithCode(deps.accounts, input);
    return redirectSignedIn(next, signedIn, deps);
  } catch (error) {
    const expectedError = expectedErrorOf(error);
    if (expectedError.code === 'sign_in_over') {
      return errorView(expectedError, { leave: { href: SIGN_IN, text: 'Sign in again' } });
    }
    return withError(
      signInCodeView(deps, call, { pending, next, error: expectedError }),
      expectedError,
    );
  }
}

export interface SignInCodeProps {
  /** What the password has proved. */
  pending: string;
  next: string;
  error?: VerbatimError;
}

export function signInCodeView(
  { accounts }: DashboardDeps,
  call: PageCall,
  { pending, next, error }: SignInCodeProps,
): View {
  return {
    title: 'Enter your code',
    isNarrow: true,
    main: (
      <>
        <PageHead title="Enter your code">
          Your password is correct. This account also asks for a code.
        </PageHead>
        <div class="card">
          <Form action="/dashboard/sign-in/code" token={call.formToken()}>
            <input type="hidden" name="pending" value={pending} />
            <input type="hidden" name="next" value={next} />
            <CodeField error={error?.message} />
            <div class="row">
              <button class="button" type="submit">
                Sign in
              </button>
              <a class="button plain" href={SIGN_IN}>
                Cancel
              </a>
            </div>
          </Form>
        </div>
        <p class="small soft">
          No app and no recovery code?{' '}
          <AskOperator contact={readContact(accounts.settings)}>for help</AskOperator>
        </p>
      </>
    ),
  };
}
