/** POST /dashboard/account/second-factor/set-up, and GET and POST of the page where it goes on. */
import { enableSecondFactor, mintSecret } from '../../../accounts/second-factor.ts';
import { confirmPassword } from '../../../accounts/sign-in.ts';
import { VerbatimError } from '../../../errors.ts';
import type { HttpResponse } from '../../../http/messages.ts';
import { AppSetUp } from '../../components/app-set-up.tsx';
import { CodeField } from '../../components/code-field.tsx';
import { errorView } from '../../components/error-view.tsx';
import { Form } from '../../components/form.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { PasswordField } from '../../components/password-field.tsx';
import { recoveryCodesGoneView, recoveryCodesView } from '../../components/recovery-codes.tsx';
import type { DashboardDeps } from '../../page/dashboard-deps.ts';
import { expectedErrorOf } from '../../page/forms.ts';
import { type CustomerCall, type View, withError } from '../../page/page.ts';
import { redirectTo } from '../../page/page-redirects.ts';
import { typedCodeOf } from '../../page/typed-code.ts';
import { SECURITY_PATH } from './security.tsx';

const PATH = '/dashboard/account/second-factor';

/** Creates a secret, which waits in memory until the app has shown a code. */
export function startSetUpForm(deps: DashboardDeps, call: CustomerCall): HttpResponse {
  const name = deps.factorSetUps.put(call.session.member.id, mintSecret());
  return redirectTo(`${PATH}/set-up/${name}`);
}

export function setUpPage(deps: DashboardDeps, call: CustomerCall): View {
  const secret = deps.factorSetUps.get(call.session.member.id, nameOf(call));
  return secret === undefined ? overView() : setUpView(deps, call, { secret });
}

export async function setUpForm(
  deps: DashboardDeps,
  call: CustomerCall,
): Promise<View | HttpResponse> {
  const { id: memberId, email } = call.session.member;
  const secret = deps.factorSetUps.get(memberId, nameOf(call));
  if (secret === undefined) return overView();
  try {
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
  } catch (error) {
    const expectedError = expectedErrorOf(error);
    return withError(setUpView(deps, call, { secret, error: expectedError }), expectedError);
  }
}

function nameOf(call: CustomerCall): string {
  return call.parameters['name'] ?? '';
}

interface SetUpProps {
  secret: Uint8Array;
  error?: VerbatimError;
}

function setUpView(deps: DashboardDeps, call: CustomerCall, { secret, error }: SetUpProps): View {
  const { email } = call.session.member;
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
        <section class="card" aria-labelledby="confirm-head">
          <h2 id="confirm-head">2. Confirm</h2>
          <Form action={`${PATH}/set-up/${nameOf(call)}`} token={call.formToken()}>
            <CodeField isOfApp error={isAboutPassword ? undefined : error?.message} />
            <PasswordField
              email={email}
              error={isAboutPassword ? 'Your password is incorrect.' : undefined}
            />
            <p class="small soft">This signs you out of all other sessions.</p>
            <div class="row">
              <button class="button" type="submit">
                Turn on
              </button>
              <a class="button plain" href={SECURITY_PATH}>
                Cancel
              </a>
            </div>
          </Form>
        </section>
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
