/** GET and POST /dashboard/reset-password: requests a link to choose a new password. */
import { readContact } from '../../accounts/operator-contact.ts';
import type { VerbatimError } from '../../errors.ts';
import { AddressForm } from '../components/address-form.tsx';
import { AskOperator } from '../components/contact-link.tsx';
import { Notice } from '../components/notice.tsx';
import { PageHead } from '../components/page-head.tsx';
import type { DashboardDeps } from '../page/dashboard-deps.ts';
import { formHandler, requestLinkOfForm } from '../page/forms.ts';
import type { PageCall, View } from '../page/page.ts';

const PATH = '/dashboard/reset-password';

export const resetForm = formHandler(resetPage, (deps, call) =>
  requestLinkOfForm(deps, call, { path: PATH, isRegistration: false }),
);

export function resetPage(
  { accounts }: DashboardDeps,
  call: PageCall,
  error?: VerbatimError,
): View {
  return {
    title: 'Reset your password',
    isNarrow: true,
    main: (
      <>
        <PageHead title="Forgot your password?" />
        {call.query.get('done') === 'asked' ? <Asked /> : null}
        {accounts.sendMail === undefined ? (
          <div class="stack">
            <p>
              <AskOperator contact={readContact(accounts.settings)}>for a new link</AskOperator> It
              works once, within {accounts.settings.linkHoursMax} hours. Use it to choose a new
              password and sign in.
            </p>
            <p class="soft">
              Your keys and your credit stay the same, and your programs keep working.
            </p>
          </div>
        ) : (
          <AddressForm
            action={PATH}
            token={call.formToken()}
            button="Send me a link"
            error={error?.message}
          />
        )}
        <p class="small">
          <a href="/dashboard/sign-in">Back to sign-in</a>
        </p>
      </>
    ),
  };
}

/** The same notice for every address, known or not. */
function Asked() {
  return (
    <Notice tone="good">
      <p>If an account with this address exists, we have sent it a link.</p>
    </Notice>
  );
}
