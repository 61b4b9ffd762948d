/** GET and POST /dashboard/register, where customers may add themselves. */
import { requestLink } from '../../accounts/links.ts';
import { VerbatimError } from '../../errors.ts';
import type { HttpAnswer } from '../../http/server.ts';
import { redirectTo } from '../answers.ts';
import { sentence } from '../error-view.tsx';
import { foreseen } from '../foreseen.ts';
import type { PageCall } from '../page.ts';
import { AddressForm } from '../parts/address-form.tsx';
import { Notice } from '../parts/notice.tsx';
import { PageHead } from '../parts/page-head.tsx';
import type { DashboardParts } from '../parts.ts';
import type { View } from '../view.ts';

const PATH = '/dashboard/register';

/** Throws `not_found` where only the operator adds customers. */
export function registerPage(parts: DashboardParts, call: PageCall): View {
  assertOpen(parts);
  return registerView(parts, call);
}

export async function registerForm(
  parts: DashboardParts,
  call: PageCall,
): Promise<View | HttpAnswer> {
  assertOpen(parts);
  try {
    requestLink(parts.accounts, {
      email: call.form.get('email') ?? '',
      address: call.address(),
    });
    return redirectTo(`${PATH}?done=asked`);
  } catch (error) {
    const { status, message } = foreseen(error);
    return { ...registerView(parts, call, message), status };
  }
}

function assertOpen({ accounts }: DashboardParts): void {
  if (accounts.settings.selfRegistration === 0) throw new VerbatimError('not_found');
}

function registerView({ accounts }: DashboardParts, call: PageCall, wrong?: string): View {
  return {
    title: 'Register',
    isNarrow: true,
    main: (
      <>
        <PageHead title="Register">
          One credit a search, no subscription. You start without credit and top up as you need it.
        </PageHead>
        {call.query.get('done') === 'asked' ? (
          <Notice tone="good">
            <p>
              {accounts.sendMail === undefined
                ? 'You are registered. The operator hands out the link by which you choose a password.'
                : 'A link is on its way to this address: with it you choose a password.'}
            </p>
          </Notice>
        ) : (
          <AddressForm
            action={PATH}
            token={call.formToken()}
            button="Register"
            wrong={wrong === undefined ? undefined : sentence(wrong)}
          />
        )}
        <p class="small">
          <a href="/dashboard/sign-in">I have a password already</a>
        </p>
      </>
    ),
  };
}
