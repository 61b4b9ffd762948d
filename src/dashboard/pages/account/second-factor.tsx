/** GET and POST of /dashboard/account/second-factor/new-codes and …/turn-off. */
import { disableSecondFactor, renewRecoveryCodes } from '../../../accounts/second-factor.ts';
import { confirmPassword } from '../../../accounts/sign-in.ts';
import type { VerbatimError } from '../../../errors.ts';
import type { HttpResponse } from '../../../http/messages.ts';
import { CodeField } from '../../components/code-field.tsx';
import { Form } from '../../components/form.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { PasswordField } from '../../components/password-field.tsx';
import type { DashboardDeps } from '../../page/dashboard-deps.ts';
import { expectedErrorOf } from '../../page/forms.ts';
import { type CustomerCall, type View, withError } from '../../page/page.ts';
import { redirectTo } from '../../page/page-redirects.ts';
import { typedCodeOf } from '../../page/typed-code.ts';
import { SECURITY_PATH } from './security.tsx';

const PATH = '/dashboard/account/second-factor';

export async function newCodesPage(
  deps: DashboardDeps,
  call: CustomerCall,
): Promise<View | HttpResponse> {
  return (await isOn(deps, call)) ? newCodesView(call) : redirectTo(SECURITY_PATH);
}

export async function newCodesForm(
  deps: DashboardDeps,
  call: CustomerCall,
): Promise<View | HttpResponse> {
  const { id, email } = call.session.member;
  if (!(await isOn(deps, call))) return redirectTo(SECURITY_PATH);
  try {
    const codes = await renewRecoveryCodes(deps.accounts, email, typedCodeOf(call));
    return redirectTo(`${PATH}/recovery-codes/${deps.recoveryCodes.put(id, codes)}`);
  } catch (error) {
    const expectedError = expectedErrorOf(error);
    return withError(newCodesView(call, expectedError), expectedError);
  }
}

export async function turnOffPage(
  deps: DashboardDeps,
  call: CustomerCall,
): Promise<View | HttpResponse> {
  return (await isOn(deps, call)) ? turnOffView(call) : redirectTo(SECURITY_PATH);
}

export async function turnOffForm(
  deps: DashboardDeps,
  call: CustomerCall,
): Promise<View | HttpResponse> {
  const { id: memberId, email } = call.session.member;
  try {
    const password = call.form.get('password') ?? '';
    await confirmPassword(deps.accounts, { memberId, password, sessionToken: call.cookieToken });
    await disableSecondFactor(deps.accounts, email, typedCodeOf(call));
    return redirectTo(`${SECURITY_PATH}?done=second-factor-off`);
  } catch (error) {
    const expectedError = expectedErrorOf(error);
    return withError(turnOffView(call, expectedError), expectedError);
  }
}

async function isOn({ accounts }: DashboardDeps, call: CustomerCall): Promise<boolean> {
  return (await accounts.store.findSecondFactor(call.session.member.email)) !== undefined;
}

function newCodesView(call: CustomerCall, error?: VerbatimError): View {
  return {
    title: 'New recovery codes',
    isNarrow: true,
    main: (
      <>
        <PageHead title="New recovery codes">
          Ten new codes replace all earlier ones, which stop working.
        </PageHead>
        <div class="card">
          <Form action={`${PATH}/new-codes`} token={call.formToken()}>
            <CodeField error={error?.message} />
            <div class="row">
              <button class="button" type="submit">
                Create new codes
              </button>
              <a class="button plain" href={SECURITY_PATH}>
                Cancel
              </a>
            </div>
          </Form>
        </div>
      </>
    ),
  };
}

function turnOffView(call: CustomerCall, error?: VerbatimError): View {
  const isAboutPassword = error?.code === 'wrong_sign_in';
  return {
    title: 'Turn off two-step sign-in',
    isNarrow: true,
    main: (
      <>
        <PageHead title="Turn off two-step sign-in?">
          Your password alone will be enough to sign in, and your recovery codes stop working.
        </PageHead>
        <div class="card">
          <Form action={`${PATH}/turn-off`} token={call.formToken()}>
            <PasswordField
              email={call.session.member.email}
              error={isAboutPassword ? 'Your password is incorrect.' : undefined}
            />
            <CodeField error={isAboutPassword ? undefined : error?.message} />
            <div class="row">
              <button class="button danger" type="submit">
                Turn off
              </button>
              <a class="button plain" href={SECURITY_PATH}>
                Keep it on
              </a>
            </div>
          </Form>
        </div>
      </>
    ),
  };
}
