/** GET and POST /dashboard/register, if self-registration is on. */
import { VerbatimError } from '../../errors.ts';
import { AddressForm } from '../components/address-form.tsx';
import { formatCounted } from '../components/format-values.ts';
import { Notice } from '../components/notice.tsx';
import { PageHead } from '../components/page-head.tsx';
import type { DashboardDeps } from '../page/dashboard-deps.ts';
import { formHandler, requestLinkOfForm } from '../page/forms.ts';
import type { PageCall, View } from '../page/page.ts';

const PATH = '/dashboard/register';

export const registerForm = formHandler(registerPage, async (deps, call) => {
  assertOpen(deps);
  return await requestLinkOfForm(deps, call, { path: PATH, isRegistration: true });
});

function assertOpen({ accounts }: DashboardDeps): void {
  if (!accounts.settings.selfRegistration) throw new VerbatimError('not_found');
}

/** Throws `not_found` if self-registration is off. */
export function registerPage(deps: DashboardDeps, call: PageCall, error?: VerbatimError): View {
  assertOpen(deps);
  const { sendMail, settings } = deps.accounts;
  const { welcomeCredits } = settings;
  return {
    title: 'Register',
    isNarrow: true,
    main: (
      <>
        <PageHead title="Register">
          A search costs one credit. There is no subscription. You start{' '}
          {welcomeCredits === 0
            ? 'without credit'
            : `with ${formatCounted(welcomeCredits, 'credit')}`}{' '}
          and top up as needed.
        </PageHead>
        {call.query.get('done') === 'asked' ? (
          <Notice tone="good">
            <p>
              {sendMail === undefined
                ? 'You are registered. The operator will send you a link to choose a password.'
                : 'We sent a link to this address. Use it to choose a password.'}
            </p>
          </Notice>
        ) : (
          <AddressForm
            action={PATH}
            token={call.formToken()}
            button="Register"
            error={error?.message}
          />
        )}
        <p class="small">
          <a href="/dashboard/sign-in">I already have a password</a>
        </p>
      </>
    ),
  };
}
