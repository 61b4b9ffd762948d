/** GET and POST /dashboard/account/leave: a member leaves the account. */
import { removeMember } from '../../../accounts/members.ts';
import type { VerbatimError } from '../../../errors.ts';
import { PlainLink, Submit } from '../../components/button.tsx';
import { Form } from '../../components/form.tsx';
import { Message } from '../../components/notice.tsx';
import { PageHead } from '../../components/page-head.tsx';
import type { DashboardDeps } from '../../page/dashboard-deps.ts';
import { formHandler } from '../../page/forms.ts';
import type { CustomerCall, View } from '../../page/page.ts';
import { redirectSignedOut } from '../../page/page-redirects.ts';

export const leaveForm = formHandler(leavePage, async (deps, call) => {
  const { customer, member } = call.session;
  await removeMember(deps.accounts, { customerId: customer.id, memberId: member.id });
  return redirectSignedOut(deps, 'left');
});

export function leavePage(_deps: DashboardDeps, call: CustomerCall, error?: VerbatimError): View {
  const { email } = call.session.member;
  return {
    title: 'Leave the account',
    isNarrow: true,
    main: (
      <>
        <PageHead title="Leave this account?">
          {email} can no longer sign in. Only an owner can invite you again. Keys and credit belong
          to the account and stay.
        </PageHead>
        <Message tone="bad" text={error?.message} />
        <div class="card">
          <Form action="/dashboard/account/leave" token={call.formToken()} class="row">
            <Submit look="danger">Leave</Submit>
            <PlainLink href="/dashboard/account">Stay</PlainLink>
          </Form>
        </div>
      </>
    ),
  };
}
