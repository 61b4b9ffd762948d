/** GET and POST /operator/link: an operator chooses a password and sets up an authenticator app. */
import {
  enrollmentSecret,
  enrollOperator,
  readOperatorLink,
} from '../../../accounts/operator-account.ts';
import { VerbatimError } from '../../../errors.ts';
import type { HttpResponse } from '../../../http/messages.ts';
import { AppSetUp } from '../../components/app-set-up.tsx';
import { CodeField } from '../../components/code-field.tsx';
import { errorView } from '../../components/error-view.tsx';
import { NewPasswordFields } from '../../components/field.tsx';
import { Form } from '../../components/form.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { expectedErrorOf } from '../../page/forms.ts';
import { type View, withError } from '../../page/page.ts';
import { issuerOf } from '../page/issuer.ts';
import type { EntryCall } from '../page/operator-call.ts';
import type { OperatorDeps } from '../page/operator-deps.ts';
import { shownCodesPath } from './operator-recovery-codes.tsx';
import { redirectWithSession, SIGN_IN } from './operator-sign-in.tsx';

const LINK = '/operator/link';

/** Opening the page does not use up the link, because programs that show previews open links, too. */
export async function linkPage(deps: OperatorDeps, call: EntryCall): Promise<View> {
  const token = call.query.get('token') ?? '';
  try {
    const { email } = await readOperatorLink(deps.accounts, token);
    return enrollView(deps, call, { token, email });
  } catch (error) {
    return linkOverView(expectedErrorOf(error));
  }
}

export async function linkForm(deps: OperatorDeps, call: EntryCall): Promise<View | HttpResponse> {
  const field = (name: string): string => call.form.get(name) ?? '';
  const token = field('token');
  let email = '';
  try {
    email = (await readOperatorLink(deps.accounts, token)).email;
    const password = field('new_password');
    if (password !== field('new_password_again')) {
      throw new VerbatimError('weak_password', 'the passwords do not match');
    }
    const form = { ...call.browser, token, password, code: field('code') };
    const enrolled = await enrollOperator(deps.accounts, form);
    const path = shownCodesPath(deps, enrolled.operatorId, enrolled.codes);
    return redirectWithSession(path, enrolled, deps.settings);
  } catch (error) {
    const expectedError = expectedErrorOf(error);
    if (expectedError.code === 'link_over') return linkOverView(expectedError);
    return withError(enrollView(deps, call, { token, email, error: expectedError }), expectedError);
  }
}

interface EnrollProps {
  token: string;
  email: string;
  error?: VerbatimError;
}

function enrollView(
  deps: OperatorDeps,
  call: EntryCall,
  { token, email, error }: EnrollProps,
): View {
  const secret = enrollmentSecret(deps.accounts, token, call.cookieToken ?? '');
  const isAboutCode = error?.code === 'wrong_new_code';
  return {
    title: 'Set up your sign-in',
    isNarrow: true,
    main: (
      <>
        <PageHead title="Set up your sign-in">
          For {email}, as an operator of this service. You need an authenticator app, such as Aegis,
          FreeOTP, or the one in your password manager.
        </PageHead>
        <AppSetUp email={email} secret={secret} issuer={issuerOf(deps)} />
        <section class="card" aria-labelledby="confirm-head">
          <h2 id="confirm-head">2. Confirm and choose a password</h2>
          <Form action={LINK} token={call.formToken()}>
            <input type="hidden" name="token" value={token} />
            <CodeField isOfApp error={isAboutCode ? error?.message : undefined} />
            <NewPasswordFields email={email} error={isAboutCode ? undefined : error?.message} />
            <p class="small soft">An earlier password and an earlier app stop working.</p>
            <button class="button" type="submit">
              Save and sign in
            </button>
          </Form>
        </section>
      </>
    ),
  };
}

function linkOverView(error: VerbatimError): View {
  return errorView(error, { home: { href: SIGN_IN, text: 'Sign in' } });
}
