/** GET and POST /operator/account/second-factor: another authenticator app in place of the present one. */
import { replacementSecret, replaceOperatorFactor } from '../../../accounts/operator-account.ts';
import { VerbatimError } from '../../../errors.ts';
import type { HttpResponse } from '../../../http/messages.ts';
import { AppSetUp } from '../../components/app-set-up.tsx';
import { CodeField } from '../../components/code-field.tsx';
import { Form } from '../../components/form.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { PasswordField } from '../../components/password-field.tsx';
import { expectedErrorOf } from '../../page/forms.ts';
import { type View, withError } from '../../page/page.ts';
import { redirectTo } from '../../page/page-redirects.ts';
import { issuerOf } from '../page/issuer.ts';
import { type OperatorCall, presentOf } from '../page/operator-call.ts';
import type { OperatorDeps } from '../page/operator-deps.ts';
import { ACCOUNT, shownCodesPath } from './operator-recovery-codes.tsx';

const PATH = `${ACCOUNT}/second-factor`;

export function newFactorPage(deps: OperatorDeps, call: OperatorCall): Promise<View> {
  return newFactorView(deps, call);
}

export async function newFactorForm(
  deps: OperatorDeps,
  call: OperatorCall,
): Promise<View | HttpResponse> {
  const present = presentOf(call);
  const field = (name: string): string => call.form.get(name) ?? '';
  try {
    const codes = await replaceOperatorFactor(deps.accounts, present, {
      password: field('password'),
      code: field('code'),
      newCode: field('new_code'),
    });
    return redirectTo(shownCodesPath(deps, present.operatorId, codes));
  } catch (error) {
    const expectedError = expectedErrorOf(error);
    return withError(await newFactorView(deps, call, expectedError), expectedError);
  }
}

async function newFactorView(
  deps: OperatorDeps,
  call: OperatorCall,
  error?: VerbatimError,
): Promise<View> {
  const present = presentOf(call);
  const login = await deps.accounts.store.operatorLoginOf(present.operatorId);
  if (login === undefined) throw new VerbatimError('signed_out');
  const secret = replacementSecret(deps.accounts, present, login);
  const of = (code: VerbatimError['code']) => (error?.code === code ? error.message : undefined);
  return {
    title: 'New authenticator app',
    isNarrow: true,
    main: (
      <>
        <PageHead title="New authenticator app">
          It replaces your current one. You also get new recovery codes.
        </PageHead>
        <AppSetUp email={present.email} secret={secret} issuer={issuerOf(deps)} />
        <section class="card" aria-labelledby="confirm-head">
          <h2 id="confirm-head">2. Confirm</h2>
          <Form action={PATH} token={call.formToken()}>
            <CodeField
              isOfApp
              name="new_code"
              label="Code from the new app"
              error={of('wrong_new_code')}
            />
            <CodeField
              label="Code from the current app"
              error={of('wrong_code') ?? of('too_many_tries')}
            />
            <PasswordField email={present.email} error={of('wrong_sign_in')} />
            <p class="small soft">This signs you out of all other sessions.</p>
            <div class="row">
              <button class="button" type="submit">
                Replace
              </button>
              <a class="button plain" href={ACCOUNT}>
                Cancel
              </a>
            </div>
          </Form>
        </section>
      </>
    ),
  };
}
