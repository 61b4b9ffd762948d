/** The second step of signing in, which follows the password, and POST /dashboard/sign-in/code. */
import { readContact } from '../../accounts/operator-contact.ts';
import { signInWithCode } from '../../accounts/sign-in.ts';
import type { VerbatimError } from '../../errors.ts';
import type { HttpResponse } from '../../http/messages.ts';
import { PlainLink, Submit } from '../components/button.tsx';
import { CodeField } from '../components/code-field.tsx';
import { AskOperator } from '../components/contact-link.tsx';
import { errorView } from '../components/error-view.tsx';
import { Form } from '../components/form.tsx';
import { PageHead } from '../components/page-head.tsx';
import type { DashboardDeps } from '../page/dashboard-deps.ts';
import { formHandler } from '../page/forms.ts';
import type { PageCall, View } from '../page/page.ts';
import { ownPath, redirectSignedIn, redirectTo } from '../page/page-redirects.ts';
import { signingBrowserOf } from '../page/signing-browser.ts';

const HOME = '/dashboard';
const SIGN_IN = '/dashboard/sign-in';

/** A page that was loaded again has no password to go on from. */
export function signInCodePage(): HttpResponse {
  return redirectTo(SIGN_IN);
}

export const signInCodeForm = formHandler(codeAgain, async (deps, call) => {
  const pending = call.form.get('pending') ?? '';
  const code = call.form.get('code') ?? '';
  const signedIn = await signInWithCode(deps.accounts, {
    ...signingBrowserOf(call),
    pending,
    code,
  });
  return redirectSignedIn(ownPath(call.form.get('next'), HOME), signedIn, deps);
});

function codeAgain(deps: DashboardDeps, call: PageCall, error: VerbatimError): View {
  if (error.code === 'sign_in_over') {
    return errorView(error, { leave: { href: SIGN_IN, text: 'Sign in again' } });
  }
  return signInCodeView(deps, call, { pending: call.form.get('pending') ?? '', error });
}

export interface SignInCodeProps {
  /** What the password has proved. */
  pending: string;
  error?: VerbatimError;
}

/** The form of the password, or that of an earlier code, says where to go next. */
export function signInCodeView(
  { accounts }: DashboardDeps,
  call: PageCall,
  { pending, error }: SignInCodeProps,
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
            <input type="hidden" name="next" value={ownPath(call.form.get('next'), HOME)} />
            <CodeField error={error?.message} />
            <div class="row">
              <Submit>Sign in</Submit>
              <PlainLink href={SIGN_IN}>Cancel</PlainLink>
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
