/** GET and POST /dashboard/link: sets a password by a one-time link. */
import { readLink, redeemLink } from '../../accounts/links.ts';
import { type ErrorCode, VerbatimError } from '../../errors.ts';
import type { HttpResponse } from '../../http/messages.ts';
import { CodeField } from '../components/code-field.tsx';
import { sentence } from '../components/error-view.tsx';
import { NewPasswordFields } from '../components/field.tsx';
import { Form } from '../components/form.tsx';
import { Notice } from '../components/notice.tsx';
import { PageHead } from '../components/page-head.tsx';
import type { DashboardDeps } from '../page/dashboard-deps.ts';
import { expectedErrorOf } from '../page/forms.ts';
import { type PageCall, type View, withError } from '../page/page.ts';
import { redirectSignedIn } from '../page/page-redirects.ts';
import { signingBrowserOf } from '../page/signing-browser.ts';

/** Opening the page does not use up the link, because mail scanners open links too. */
export async function linkPage(deps: DashboardDeps, call: PageCall): Promise<View> {
  const token = call.query.get('token') ?? '';
  try {
    return linkView(call, { token, ...(await readLink(deps.accounts, token)) });
  } catch (error) {
    return linkOverView(expectedErrorOf(error));
  }
}

export async function linkForm(deps: DashboardDeps, call: PageCall): Promise<View | HttpResponse> {
  const token = call.form.get('token') ?? '';
  const password = call.form.get('new_password') ?? '';
  let owner: Pick<LinkProps, 'email' | 'needsCode'>;
  try {
    owner = await readLink(deps.accounts, token);
  } catch (error) {
    return linkOverView(expectedErrorOf(error));
  }
  if (password !== call.form.get('new_password_again')) {
    const error = 'the passwords do not match';
    return withError(
      linkView(call, { token, ...owner, error }),
      new VerbatimError('invalid_field'),
    );
  }
  try {
    const input = { ...signingBrowserOf(call), token, password, code: call.form.get('code') ?? '' };
    const signedIn = await redeemLink(deps.accounts, input);
    return redirectSignedIn('/dashboard', signedIn, deps);
  } catch (error) {
    const expectedError = expectedErrorOf(error);
    if (expectedError.code === 'link_over') return linkOverView(expectedError);
    const { code, message } = expectedError;
    const errors = isAboutCode(code) ? { codeError: message } : { error: message };
    return withError(linkView(call, { token, ...owner, ...errors }), expectedError);
  }
}

function isAboutCode(code: ErrorCode): boolean {
  return ['second_factor_needed', 'wrong_code', 'too_many_tries'].includes(code);
}

interface LinkProps {
  token: string;
  email: string;
  /** Whether the address has a second factor. */
  needsCode: boolean;
  error?: string;
  codeError?: string;
}

function linkView(call: PageCall, props: LinkProps): View {
  const { token, email, needsCode, error, codeError } = props;
  return {
    title: 'Choose a password',
    isNarrow: true,
    main: (
      <>
        <PageHead title="Choose a password">For {email}. You will be signed in.</PageHead>
        <div class="card">
          <Form action="/dashboard/link" token={call.formToken()}>
            <input type="hidden" name="token" value={token} />
            <NewPasswordFields email={email} error={error} />
            {needsCode ? <CodeField error={codeError} /> : null}
            <button class="button" type="submit">
              Save and sign in
            </button>
          </Form>
        </div>
      </>
    ),
  };
}

function linkOverView(error: VerbatimError): View {
  const view: View = {
    title: 'This link does not work',
    isNarrow: true,
    main: (
      <>
        <PageHead title="This link does not work" />
        <Notice tone="warn">
          <p>
            {sentence(error.message)} A link works once, and a newer link replaces earlier ones.
          </p>
        </Notice>
        <div class="row">
          <a class="button" href="/dashboard/reset-password">
            Get a new link
          </a>
          <a class="button plain" href="/dashboard/sign-in">
            Sign in
          </a>
        </div>
      </>
    ),
  };
  return withError(view, error);
}
