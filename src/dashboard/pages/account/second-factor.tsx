/** GET and POST of /dashboard/account/second-factor/new-codes and …/turn-off. */
import { disableSecondFactor, renewRecoveryCodes } from '../../../accounts/second-factor.ts';
import { confirmPassword } from '../../../accounts/sign-in.ts';
import type { VerbatimError } from '../../../errors.ts';
import { PlainLink, Submit } from '../../components/button.tsx';
import { CodeField } from '../../components/code-field.tsx';
import { Form } from '../../components/form.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { PasswordField } from '../../components/password-field.tsx';
import type { DashboardDeps } from '../../page/dashboard-deps.ts';
import { formHandler } from '../../page/forms.ts';
import type { CustomerCall, Reply, View } from '../../page/page.ts';
import { redirectTo } from '../../page/page-redirects.ts';
import { typedCodeOf } from '../../page/typed-code.ts';
import { SECURITY_PATH } from './security.tsx';

const PATH = '/dashboard/account/second-factor';

export async function newCodesPage(deps: DashboardDeps, call: CustomerCall): Promise<Reply> {
  return (await isOn(deps, call)) ? newCodesView(deps, call) : redirectTo(SECURITY_PATH);
}

export const newCodesForm = formHandler(newCodesView, async (deps, call) => {
  const { id, email } = call.session.member;
  if (!(await isOn(deps, call))) return redirectTo(SECURITY_PATH);
  const codes = await renewRecoveryCodes(deps.accounts, email, typedCodeOf(call));
  return redirectTo(`${PATH}/recovery-codes/${deps.recoveryCodes.put(id, codes)}`);
});

export async function turnOffPage(deps: DashboardDeps, call: CustomerCall): Promise<Reply> {
  return (await isOn(deps, call)) ? turnOffView(deps, call) : redirectTo(SECURITY_PATH);
}

export const turnOffForm = formHandler(turnOffView, async (deps, call) => {
  const { id: memberId, email } = call.session.member;
  const password = call.form.get('password') ?? '';
  await confirmPassword(deps.accounts, { memberId, password, sessionToken: call.cookieToken });
  await disableSecondFactor(deps.accounts, email, typedCodeOf(call));
  return redirectTo(`${SECURITY_PATH}?done=second-factor-off`);
});

async function isOn({ accounts }: DashboardDeps, call: CustomerCall): Promise<boolean> {
  return (await accounts.store.findSecondFactor(call.session.member.email)) !== undefined;
}

function newCodesView(_deps: DashboardDeps, call: CustomerCall, error?: VerbatimError): View {
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
              <Submit>Create new codes</Submit>
              <PlainLink href={SECURITY_PATH}>Cancel</PlainLink>
            </div>
          </Form>
        </div>
      </>
    ),
  };
}

function turnOffView(_deps: DashboardDeps, call: CustomerCall, error?: VerbatimError): View {
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
              <Submit look="danger">Turn off</Submit>
              <PlainLink href={SECURITY_PATH}>Keep it on</PlainLink>
            </div>
          </Form>
        </div>
      </>
    ),
  };
}
