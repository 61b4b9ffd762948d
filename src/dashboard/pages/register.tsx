/** GET and POST /dashboard/register, where customers may add themselves. */
import { VerbatimError } from '../../errors.ts';
import type { HttpAnswer } from '../../http/messages.ts';
import { AddressForm } from '../components/address-form.tsx';
import { Notice } from '../components/notice.tsx';
import { PageHead } from '../components/page-head.tsx';
import type { DashboardParts } from '../page/deps.ts';
import { answerLinkRequest } from '../page/link-request.ts';
import type { PageCall } from '../page/page.ts';
import type { View } from '../page/view.ts';

const PATH = '/dashboard/register';

/** Throws `not_found` where only the operator adds customers. */
export function registerPage(parts: DashboardParts, call: PageCall): View {
  assertOpen(parts);
  return registerView(parts, call);
}

export function registerForm(parts: DashboardParts, call: PageCall): View | HttpAnswer {
  assertOpen(parts);
  return answerLinkRequest(parts, call, {
    path: PATH,
    view: (wrong) => registerView(parts, call, wrong),
  });
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
          <AddressForm action={PATH} token={call.formToken()} button="Register" wrong={wrong} />
        )}
        <p class="small">
          <a href="/dashboard/sign-in">I have a password already</a>
        </p>
      </>
    ),
  };
}
