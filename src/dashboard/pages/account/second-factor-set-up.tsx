/** POST /dashboard/account/second-factor/set-up, and GET and POST of the page where it goes on. */
import { enableSecondFactor, mintSecret } from '../../../accounts/second-factor.ts';
import { confirmPassword } from '../../../accounts/sign-in.ts';
import { setUpKey, setUpUri } from '../../../accounts/totp.ts';
import { VerbatimError } from '../../../errors.ts';
import type { HttpResponse } from '../../../http/messages.ts';
import { CodeField } from '../../components/code-field.tsx';
import { errorView } from '../../components/error-view.tsx';
import { Form } from '../../components/form.tsx';
import { Notice } from '../../components/notice.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { PasswordField } from '../../components/password-field.tsx';
import { QrCode } from '../../components/qr-code.tsx';
import { CopyButton } from '../../components/snippet.tsx';
import type { DashboardDeps } from '../../page/dashboard-deps.ts';
import { expectedErrorOf } from '../../page/forms.ts';
import { type CustomerCall, type View, withError } from '../../page/page.ts';
import { redirectTo } from '../../page/redirects.ts';
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
    const told = expectedErrorOf(error);
    return withError(setUpView(deps, call, { secret, wrong: told }), told);
  }
}

function nameOf(call: CustomerCall): string {
  return call.parameters['name'] ?? '';
}

interface SetUpProps {
  secret: Uint8Array;
  wrong?: VerbatimError;
}

function setUpView(deps: DashboardDeps, call: CustomerCall, { secret, wrong }: SetUpProps): View {
  const { email } = call.session.member;
  const uri = setUpUri({ secret, email, issuer: `Verbatim ${new URL(deps.baseUrl()).host}` });
  const isAboutPassword = wrong?.code === 'wrong_sign_in';
  return {
    title: 'Set up two-step sign-in',
    isNarrow: true,
    main: (
      <>
        <PageHead title="Set up two-step sign-in">
          You need an authenticator app, such as Aegis, FreeOTP, or the one in your password
          manager.
        </PageHead>
        <section class="card" aria-labelledby="scan-head">
          <h2 id="scan-head">1. Add Verbatim to the app</h2>
          <p>Scan this code with the app, or type the setup key.</p>
          <QrCode text={uri} label="QR code with the setup key below" />
          <div>
            <div class="snippet-bar">
              <span>Setup key</span>
              <CopyButton of="setup-key" what="the setup key" />
            </div>
            <p class="secret" id="setup-key">
              {setUpKey(secret)}
            </p>
          </div>
          <p class="small soft">
            On this device, <a href={uri}>open the app with the key</a>. The key is for codes by
            time, with 6 digits.
          </p>
        </section>
        <section class="card" aria-labelledby="confirm-head">
          <h2 id="confirm-head">2. Confirm</h2>
          <Form action={`${PATH}/set-up/${nameOf(call)}`} token={call.formToken()}>
            <CodeField isOfApp wrong={isAboutPassword ? undefined : wrong?.message} />
            <PasswordField
              email={email}
              wrong={isAboutPassword ? 'Your password is incorrect.' : undefined}
            />
            <p class="small soft">All other sessions are signed out.</p>
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
  if (codes === undefined) return goneView();
  return {
    title: 'Recovery codes',
    isNarrow: true,
    main: (
      <>
        <PageHead title="Your recovery codes">
          Save them now. They are shown only once, and only their hashes are stored.
        </PageHead>
        <section class="card" aria-labelledby="codes-head">
          <div class="snippet-bar">
            <h2 id="codes-head">Recovery codes</h2>
            <CopyButton of="recovery-codes" what="the recovery codes" />
          </div>
          <p class="secret lines" id="recovery-codes">
            {codes.join('\n')}
          </p>
          <p class="small soft">
            If you lose your authenticator app, a recovery code takes the place of its code. Each
            works once. Print them, or keep them in a password manager. Earlier recovery codes no
            longer work.
          </p>
        </section>
        <div>
          <a class="button" href={SECURITY_PATH}>
            I have saved the codes
          </a>
        </div>
      </>
    ),
  };
}

function goneView(): View {
  const view: View = {
    title: 'Recovery codes already shown',
    isNarrow: true,
    main: (
      <>
        <PageHead title="These recovery codes are no longer available" />
        <Notice tone="warn">
          <p>
            Recovery codes are shown once and are not stored. If you did not save them, create new
            ones.
          </p>
        </Notice>
        <div class="row">
          <a class="button" href={`${PATH}/new-codes`}>
            New recovery codes
          </a>
          <a class="button plain" href={SECURITY_PATH}>
            Back to security
          </a>
        </div>
      </>
    ),
  };
  return withError(view, new VerbatimError('secret_shown'));
}
