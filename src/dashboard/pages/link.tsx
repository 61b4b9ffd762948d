/** GET and POST /dashboard/link: sets a password by a one-time link. */
import { createKey } from '../../accounts/customer-keys.ts';
import { type Redeemed, readLink, redeemLink } from '../../accounts/links.ts';
import type { ErrorCode, VerbatimError } from '../../errors.ts';
import { ButtonLink, PlainLink, Submit } from '../components/button.tsx';
import { CodeField } from '../components/code-field.tsx';
import { sentence } from '../components/error-view.tsx';
import { NewPasswordFields } from '../components/field.tsx';
import { Form } from '../components/form.tsx';
import { Notice } from '../components/notice.tsx';
import { PageHead } from '../components/page-head.tsx';
import type { DashboardDeps } from '../page/dashboard-deps.ts';
import { expectedErrorOf, formHandler, readNewPassword } from '../page/forms.ts';
import { type PageCall, type View, withError } from '../page/page.ts';
import { redirectSignedIn } from '../page/page-redirects.ts';
import { signingBrowserOf } from '../page/signing-browser.ts';

/** Opening the page does not use up the link, because mail scanners open links too. */
export async function linkPage(
  deps: DashboardDeps,
  call: PageCall,
  error?: VerbatimError,
): Promise<View> {
  const token = call.form.get('token') ?? call.query.get('token') ?? '';
  try {
    return linkView(call, { token, ...(await readLink(deps.accounts, token)), error });
  } catch (reason) {
    return linkOverView(expectedErrorOf(reason));
  }
}

export const linkForm = formHandler(linkPage, async (deps, call) => {
  const token = call.form.get('token') ?? '';
  await readLink(deps.accounts, token);
  const password = readNewPassword(call);
  const input = { ...signingBrowserOf(call), token, password, code: call.form.get('code') ?? '' };
  const redeemed = await redeemLink(deps.accounts, input);
  return redirectSignedIn(await pathAfter(deps, redeemed), redeemed, deps);
});

const FIRST_KEY = 'First key';

/** Gives a customer who has just registered a key. Returns the path of the page that shows it. */
async function pathAfter(
  deps: DashboardDeps,
  { customerId, isConfirmed }: Redeemed,
): Promise<string> {
  if (!isConfirmed) return '/dashboard';
  const key = { customerId, name: FIRST_KEY, creditsPerMonthMax: null };
  const created = await createKey(deps.accounts, key);
  return `/dashboard/keys/created/${deps.newKeys.put(customerId, created)}`;
}

function isAboutCode(code: ErrorCode): boolean {
  return ['second_factor_needed', 'wrong_code', 'too_many_tries'].includes(code);
}

interface LinkProps {
  token: string;
  email: string;
  /** Whether the address has a second factor. */
  needsCode: boolean;
  error: VerbatimError | undefined;
}

function linkView(call: PageCall, props: LinkProps): View {
  const { token, email, needsCode, error } = props;
  const isOfCode = error !== undefined && isAboutCode(error.code);
  return {
    title: 'Choose a password',
    isNarrow: true,
    main: (
      <>
        <PageHead title="Choose a password">For {email}. You will be signed in.</PageHead>
        <div class="card">
          <Form action="/dashboard/link" token={call.formToken()}>
            <input type="hidden" name="token" value={token} />
            <NewPasswordFields email={email} error={isOfCode ? undefined : error?.message} />
            {needsCode ? <CodeField error={isOfCode ? error.message : undefined} /> : null}
            <Submit>Save and sign in</Submit>
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
          <ButtonLink href="/dashboard/reset-password">Get a new link</ButtonLink>
          <PlainLink href="/dashboard/sign-in">Sign in</PlainLink>
        </div>
      </>
    ),
  };
  return withError(view, error);
}
