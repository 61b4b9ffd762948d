/** The second step of signing in, which follows the password, and POST /dashboard/sign-in/code. */
import { readToken, tokenCookie } from '../../accounts/cookies.ts';
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
import { linkTo } from '../page/filter-fields.ts';
import { formHandler } from '../page/forms.ts';
import type { PageCall, Reply, View } from '../page/page.ts';
import { nextOf, redirectSignedIn, redirectTo } from '../page/page-redirects.ts';
import { signingBrowserOf } from '../page/signing-browser.ts';

const SIGN_IN = '/dashboard/sign-in';

/** Leads to the page that asks for the code. The browser keeps what the password has proved. */
export function redirectToCode(
  { accounts, isSecure }: DashboardDeps,
  next: string,
  pending: string,
): HttpResponse {
  const maxAgeSeconds = Math.ceil(accounts.settings.signInCodeMs / 1_000);
  return redirectTo(linkTo('/dashboard/sign-in/code', { next }), [
    tokenCookie('pending', { token: pending, maxAgeSeconds }, isSecure),
  ]);
}

/** Without a password before it, leads to the page that asks for one. */
export function signInCodePage(deps: DashboardDeps, call: PageCall): Reply {
  const pending = readToken('pending', call.request.header('cookie'), deps.isSecure);
  return pending === undefined || call.session !== undefined
    ? redirectTo(SIGN_IN)
    : signInCodeView(deps, call, { pending });
}

export const signInCodeForm = formHandler(codeAgain, async (deps, call) => {
  const pending = call.form.get('pending') ?? '';
  const code = call.form.get('code') ?? '';
  const signedIn = await signInWithCode(deps.accounts, {
    ...signingBrowserOf(call),
    pending,
    code,
  });
  return redirectSignedIn(nextOf(call), signedIn, deps);
});

function codeAgain(deps: DashboardDeps, call: PageCall, error: VerbatimError): View {
  if (error.code === 'sign_in_over') {
    return errorView(error, { leave: { href: SIGN_IN, text: 'Sign in again' } });
  }
  return signInCodeView(deps, call, { pending: call.form.get('pending') ?? '', error });
}

interface SignInCodeProps {
  /** What the password has proved. */
  pending: string;
  error?: VerbatimError;
}

function signInCodeView(
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
            <input type="hidden" name="next" value={nextOf(call)} />
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
