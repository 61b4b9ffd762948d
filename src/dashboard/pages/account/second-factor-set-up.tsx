/** POST /dashboard/account/second-factor/set-up, and GET and POST of the page where it goes on. */
import { enableSecondFactor, mintSecret } from '../../../accounts/second-factor.ts';
import { confirmPassword } from '../../../accounts/sign-in.ts';
import { VerbatimError } from '../../../errors.ts';
import type { HttpResponse } from '../../../http/messages.ts';
import { AppSetUp } from '../../components/app-set-up.tsx';
import { PlainLink, Submit } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { CodeField } from '../../components/code-field.tsx';
import { errorView } from '../../components/error-view.tsx';
import { Form } from '../../components/form.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { PasswordField } from '../../components/password-field.tsx';
import { recoveryCodesGoneView, recoveryCodesView } from '../../components/recovery-codes.tsx';
import type { DashboardDeps } from '../../page/dashboard-deps.ts';
import { formHandler } from '../../page/forms.ts';
import type { CustomerCall, View } from '../../page/page.ts';
import { redirectTo } from '../../page/page-redirects.ts';
import { typedCodeOf } from '../../page/typed-code.ts';
import { SECURITY_PATH } from './security.tsx';

const PATH = '/dashboard/account/second-factor';

/** Creates a secret, which waits in memory until the app has shown a code. */
export function startSetUpForm(deps: DashboardDeps, call: CustomerCall): HttpResponse {
  const name = deps.factorSetUps.put(call.session.member.id, mintSecret());
  return redirectTo(`${PATH}/set-up/${name}`);
}

export const setUpForm = formHandler(setUpPage, async (deps, call) => {
  const { id: memberId, email } = call.session.member;
  const secret = deps.factorSetUps.get(memberId, nameOf(call));
  if (secret === undefined) return overView();
  const password = call.form.get('password') ?? '';
  await confirmPassword(deps.accounts, { memberId, password, sessionToken: call.cookieToken });
  const codes = await enableSecondFactor(deps.accounts, {
    email,
    secret,
    typed: typedCodeOf(call),
    keep: call.cookieToken,
  });
  deps.factorSetUps.take(memberId, nameOf(call));
  return redirectTo(`${PATH}/recovery-codes/${deps.recoveryCodes.put(memberId, codes)}`);
});

function nameOf(call: CustomerCall): string {
  return call.parameters['name'] ?? '';
}

export function setUpPage(deps: DashboardDeps, call: CustomerCall, error?: VerbatimError): View {
  const { id: memberId, email } = call.session.member;
  const secret = deps.factorSetUps.get(memberId, nameOf(call));
  if (secret === undefined) return overView();
  const issuer = `Verbatim ${new URL(deps.baseUrl()).host}`;
  const isAboutPassword = error?.code === 'wrong_sign_in';
  return {
    title: 'Set up two-step sign-in',
    isNarrow: true,
    main: (
      <>
        <PageHead title="Set up two-step sign-in">
          You need an authenticator app, such as Aegis, FreeOTP, or the one in your password
          manager.
        </PageHead>
        <AppSetUp email={email} secret={secret} issuer={issuer} />
        <Card id="confirm-head" title="2. Confirm">
          <Form action={`${PATH}/set-up/${nameOf(call)}`} token={call.formToken()}>
            <CodeField isOfApp error={isAboutPassword ? undefined : error?.message} />
            <PasswordField
              email={email}
              error={isAboutPassword ? 'Your password is incorrect.' : undefined}
            />
            <p class="small soft">This signs you out of all other sessions.</p>
            <div class="row">
              <Submit>Turn on</Submit>
              <PlainLink href={SECURITY_PATH}>Cancel</PlainLink>
            </div>
          </Form>
        </Card>
      </>
    ),
  };
}

/** The secret is gone: it took too long, or it was used. */
function overView(): View {
  const message = 'this setup has ended; start again';
  const leave = { href: SECURITY_PATH, text: 'Back to security' };
  return errorView(new VerbatimError('sign_in_over', message), { leave });
}

/** GET …/recovery-codes/NAME: shows recovery codes once. */
export function recoveryCodesPage(deps: DashboardDeps, call: CustomerCall): View {
  // A HEAD request does not use them up.
  const codes =
    call.request.method === 'GET'
      ? deps.recoveryCodes.take(call.session.member.id, nameOf(call))
      : undefined;
  return codes === undefined
    ? recoveryCodesGoneView({ newCodesPath: `${PATH}/new-codes`, backPath: SECURITY_PATH })
    : recoveryCodesView(codes, SECURITY_PATH);
}
